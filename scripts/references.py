#!/usr/bin/env python3
"""Checks that every work cited in code and documentation has an entry in docs/references.md.

Citations are "Author Year", "A and B Year", "A, B and C Year" or "Author et al. Year", also with a comma or a bracket
before the year. They are looked for in the comments and citation strings of *.rs and in *.md. A citation has an entry
if the heading of one ("- **Author Year.**") begins with the same first author and ends with the same year.
"""
import re
import subprocess
import sys

NAME = r"(?:van der )?[A-Z][\w'-]*[a-z]"
CITATION = re.compile(rf"\b({NAME})((?:, {NAME})*,? and {NAME}| et al\.?)?,? \(?((?:18|19|20)\d\d)\b")
ENTRY = re.compile(rf"^- \*\*({NAME}).* (\d{{4}})\.\*\*", re.MULTILINE)
# Capitalised words before a year that are no authors.
NO_AUTHORS = {"Before"}


def prose(path: str, text: str) -> str:
    """The text in which to look for citations, on one line: of Rust code, comments and strings that cite."""
    if path.endswith(".rs"):
        comments = re.findall(r"^\s*//[/!]? ?(.*)", text, re.MULTILINE)
        strings = re.findall(r'(?:citation:|: &str =)\s*"((?:[^"\\]|\\.|\\\n)*)"', text)
        text = "\n".join(comments) + "\n" + "\n".join(re.sub(r"\\\n\s*", "", string) for string in strings)
    return re.sub(r"\s+", " ", text)


def main() -> int:
    files = subprocess.run(["git", "ls-files", "*.rs", "*.md"], capture_output=True, text=True, check=True).stdout.split()
    entries = set(ENTRY.findall(open("docs/references.md", encoding="utf-8").read()))
    missing, cited = set(), set()
    for path in files:
        if path in ("docs/references.md", "CHANGELOG.md") or path.startswith("benches/"):
            continue
        for name, _, year in CITATION.findall(prose(path, open(path, encoding="utf-8").read())):
            cited.add((name, year))
            if (name, year) not in entries and name not in NO_AUTHORS:
                missing.add(f"{path}: {name} {year} is not in docs/references.md")
    unused = [f"docs/references.md: {name} {year} is cited nowhere" for name, year in sorted(entries - cited)]
    print("\n".join([*sorted(missing), *unused]) or f"{len(entries)} references, all cited works among them")
    return 1 if missing or unused else 0


if __name__ == "__main__":
    sys.exit(main())
