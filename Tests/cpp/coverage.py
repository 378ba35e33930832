#!/usr/bin/env python3
"""Compares unisono.hpp with the C headers: every function must be used in it.

    coverage.py INCLUDE_FOLDER
"""

import re
import sys
from pathlib import Path


def main():
    folder = Path(sys.argv[1])
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.h")))
    functions = re.findall(r"UNISONO_API\([^)]*\)\s*(unisono_\w+)\(", headers)
    wrapper = (folder / "unisono.hpp").read_text(encoding="utf-8")
    code = re.sub(r"//[^\n]*", "", wrapper)
    faults = [f"{name} is not used in unisono.hpp" for name in functions if not re.search(rf"\b{name}\b", code)]
    print("\n".join(faults) if faults else f"{len(functions)} functions, all of them behind unisono.hpp")
    return 1 if faults or len(functions) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
