#!/usr/bin/env python3
"""How the modules of a crate depend on each other: scripts/modules.py [crates/learn ...]

Prints the top-level modules, each after all that it imports, and ends with 1 if some of them import
one another in a circle. Tests are left out: they may look at everything.
"""

import re
import sys
from pathlib import Path


def sources(folder, module):
    files = [folder / f"{module}.rs", *sorted((folder / module).rglob("*.rs"))]
    return [file for file in files if file.exists() and "tests" not in file.parts and file.stem != "tests"]


def code(file):
    """Without comments and test modules, which stand at the end."""
    text = re.sub(r"//[^\n]*", "", file.read_text())
    return text.split("#[cfg(test)]\nmod tests", 1)[0]


def imported(text, depth):
    """The first segments after `crate::`, or after as many `super::` as lead there from a module of
    this depth; also of `crate::{a, b::c}`."""
    root = rf"(?:crate|super(?:::super){{{depth - 1}}})::"
    for match in re.finditer(rf"(?<!::)\b{root}(?:(\w+)|\{{)", text):
        if match.group(1):
            yield match.group(1)
            continue
        depth_of_braces, start = 1, match.end()
        for at in range(start, len(text)):
            depth_of_braces += {"{": 1, "}": -1}.get(text[at], 0)
            if depth_of_braces == 0:
                break
        group = re.sub(r"\{[^{}]*\}", "", text[start:at])
        yield from (piece.strip().split("::")[0] for piece in group.split(","))


def depth_of(folder, file):
    parts = file.relative_to(folder).with_suffix("").parts
    return len(parts) - (parts[-1] == "mod")


def dependencies(folder):
    root = next(file for file in (folder / "lib.rs", folder / "main.rs") if file.exists()).read_text()
    modules = re.findall(r"^(?:pub(?:\([a-z]+\))? )?mod (\w+);", root, re.M)
    # What the root re-exports belongs to the module it comes from.
    exported = {}
    for module, names in re.findall(r"^pub(?:\([a-z]+\))? use (\w+)(?:::\w+)*::\{?([^;{}]+)\}?;", root, re.M):
        exported.update({name.strip(): module for name in names.split(",")})
    uses = {}
    for module in modules:
        files = sources(folder, module)
        names = {name for file in files for name in imported(code(file), depth_of(folder, file))}
        names = {name if name in modules else exported.get(name, name) for name in names}
        uses[module] = {name for name in names if name in modules and name != module}
    return uses


def in_order(uses):
    """The modules in order, and those that are left: in a circle, or importing one that is."""
    order, left = [], dict(uses)
    while free := sorted(m for m, needs in left.items() if needs <= set(order)):
        order += free
        left = {m: needs for m, needs in left.items() if m not in free}
    return order, left


circles = []
for crate in sys.argv[1:] or ["crates/learn"]:
    uses = dependencies(Path(crate) / "src")
    order, left = in_order(uses)
    for module in order:
        print(f"{module:<14} {', '.join(sorted(uses[module]))}")
    circles += [f"{crate}: {module:<14} {', '.join(sorted(needs - set(order)))}" for module, needs in left.items()]
if circles:
    sys.exit("\n".join(["these modules import one another in a circle, or one that does:", *circles]))
