#!/usr/bin/env python3
"""Writes the low-level layer of each language from the headers.

    python3 bindings/generate             writes what is not as the headers have it (make generate)
    python3 bindings/generate --check     exit status 1 when something is not (make test-bindings)

Needs clang: the one beside swift, or any on the PATH.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import csharp  # noqa: E402
import lua  # noqa: E402
import python  # noqa: E402
import reader  # noqa: E402
import rust  # noqa: E402


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if reader.clang() is None:
        print("generate: no clang on the PATH, and none beside swift", file=sys.stderr)
        return 2
    interface = reader.read()
    stale = []
    for language in (python, lua, csharp, rust):
        path, text = reader.ROOT / language.PATH, language.written(interface)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(language.PATH)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if "--check" in arguments:
        for path in stale:
            print(f"generate: {path} is not what the headers declare; `make generate` writes it", file=sys.stderr)
        if not stale:
            print(f"generate: {len(interface.structs)} structs, {len(interface.functions)} functions in four languages as the headers have them")
        return 1 if stale else 0
    print("\n".join(f"wrote {path}" for path in stale) or "nothing to write")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
