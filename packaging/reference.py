#!/usr/bin/env python3
"""The index of docs/reference.md: every function of the headers with the first sentence of its comment.

    packaging/reference.py            writes it anew
    packaging/reference.py --check    exit status 1 if it is not what the headers say
"""

import re
import sys
from pathlib import Path

from declarations import declarations

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference.md"
HEADERS = ["unisono.h", "unisono_player.h", "unisono_nearby.h", "unisono_simulation.h"]
BETWEEN = re.compile(r"(?<=<!-- index -->\n).*?(?=<!-- end of index -->)", re.S)


def first_sentence(comment):
    """Up to the first full stop that ends a sentence, or the end of the first paragraph."""
    text = " ".join(re.split(r"\n\s*\n|\n(?=\w+(?:, \w+)*: )", comment.strip())[0].split())
    text = re.sub(r"\s*@since [\d.]+", "", text)
    found = re.match(r"(.*?[.:])(?: (?=[A-Z0-9])|$)", text)
    return (found.group(1).rstrip(":") if found else text).replace("|", "\\|")


def index():
    lines, section = [], None
    for header in HEADERS:
        for one in declarations(ROOT / "include" / header):
            if one.kind != "function":
                continue
            if (header, one.section) != section:
                section = (header, one.section)
                lines += ["", f"### {one.section} ({header})", "", "| function | what it does |", "|---|---|"]
            lines.append(f"| `{one.name}` | {first_sentence(one.comment)} |")
    return "\n".join(lines).lstrip("\n") + "\n"


def main():
    page = PAGE.read_text(encoding="utf-8")
    made = BETWEEN.sub(lambda _: index(), page)
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
    elif made != page:
        sys.exit("docs/reference.md is not what the headers say: run packaging/reference.py")


if __name__ == "__main__":
    main()
