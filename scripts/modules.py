#!/usr/bin/env python3
"""How the modules of a crate depend on each other: scripts/modules.py [crates/learn]

Prints the top-level modules, each after all that it imports, and ends with 1 if some of them import
one another in a circle. Tests are left out: they may look at everything.
"""

import re
import sys
from pathlib import Path

crate = Path(sys.argv[1] if len(sys.argv) > 1 else "crates/learn") / "src"


def sources(module):
    files = [crate / f"{module}.rs", *sorted((crate / module).rglob("*.rs"))]
    return [file for file in files if file.exists() and "tests" not in file.parts and file.stem != "tests"]


def code(file):
    """Without comments and test modules, which stand at the end."""
    text = re.sub(r"//[^\n]*", "", file.read_text())
    return text.split("#[cfg(test)]\nmod tests", 1)[0]


def imported(text):
    """The first segments after `crate::`, also of `crate::{a, b::c}`."""
    for match in re.finditer(r"\bcrate::(\w+)|\bcrate::\{", text):
        if match.group(1):
            yield match.group(1)
            continue
        depth, start = 1, match.end()
        for at in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                break
        group = re.sub(r"\{[^{}]*\}", "", text[start:at])
        yield from (piece.strip().split("::")[0] for piece in group.split(","))


modules = re.findall(r"^(?:pub(?:\([a-z]+\))? )?mod (\w+);", (crate / "lib.rs").read_text(), re.M)
# What lib.rs re-exports belongs to the module it comes from.
exported = {}
for module, names in re.findall(r"^pub(?:\([a-z]+\))? use (\w+)(?:::\w+)*::\{?([^;{}]+)\}?;", (crate / "lib.rs").read_text(), re.M):
    exported.update({name.strip(): module for name in names.split(",")})
uses = {}
for module in modules:
    names = {name for file in sources(module) for name in imported(code(file))}
    names = {name if name in modules else exported.get(name, name) for name in names}
    uses[module] = {name for name in names if name in modules and name != module}

order, left = [], dict(uses)
while free := sorted(m for m, needs in left.items() if needs <= set(order)):
    order += free
    left = {m: needs for m, needs in left.items() if m not in free}
for module in order:
    print(f"{module:<14} {', '.join(sorted(uses[module]))}")
if left:
    lines = [f"{module:<14} {', '.join(sorted(needs - set(order)))}" for module, needs in left.items()]
    sys.exit("\n".join(["these modules import one another in a circle, or one that does:", *lines]))
