#!/usr/bin/env python3
"""Collects the licence texts of what is linked into the library and the command.

    packaging/licenses.py CHECKOUTS FOLDER

CHECKOUTS: the packages that SwiftPM has fetched. BoringSSL and XKCP lie inside swift-crypto without a licence file, so theirs
are the notices of their sources. That of the Swift runtime is the toolchain's.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PACKAGES = ["swift-crypto", "swift-collections", "swift-argument-parser", "swift-log", "swift-asn1"]
LINKED = {
    "swift-crypto": "library, command", "swift-collections": "library, command", "swift-argument-parser": "command",
    "swift-log": "command", "swift-asn1": "neither: swift-crypto asks for it, nothing that is used here needs it",
}
COMMENT = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", re.S | re.M)
NOTICE = re.compile(r"copyright|public domain|redistribution", re.I)
SOURCES = {".c", ".cc", ".h", ".inc", ".S", ".macros"}


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace").strip() + "\n"


def words(comment):
    """A comment without its marks, and without the years that differ from file to file."""
    lines = [re.sub(r"^[ \t]*(?:/\*+|\*+/|\*|//+|#|@)?[ \t]?|[ \t]*\*+/?\s*$", "", line) for line in comment.split("\n")]
    return "\n".join(lines).strip()


def notices(folder):
    """Every different notice at the head of a source, with the files that have it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in SOURCES:
            head = path.read_text(encoding="utf-8", errors="replace")[:8000]
            for comment in COMMENT.findall(head):
                if NOTICE.search(comment):
                    said = words(comment)
                    key = re.sub(r"\d{4}(?:[-, ]+\d{4})*", "", said)
                    files = found.setdefault(key, (said, []))[1]
                    if path.relative_to(folder) not in files:
                        files.append(path.relative_to(folder))
    return list(found.values())


def vendored(name, folder, licence):
    parts = [f"{name}, as it lies inside swift-crypto. The notices of its sources:"]
    all_notices = notices(folder)
    if not all_notices:
        sys.exit(f"licenses: no notices found in {folder}")
    for said, files in all_notices:
        named = ", ".join(map(str, files[:3])) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
        parts += ["", "-" * 78, f"[{named}]", "", said]
    if licence:
        parts += ["", "=" * 78, "", licence]
    return "\n".join(parts).rstrip() + "\n"


def runtime_licence():
    """The text that the toolchain has beside its libraries, .../usr/lib/swift."""
    said = subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    return Path(json.loads(said)["paths"]["runtimeResourcePath"]).parents[1] / "share/swift/LICENSE.txt"


def main():
    checkouts, out = (Path(argument) for argument in sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for package in PACKAGES:
        folder = checkouts / package
        texts = [text_of(folder / name) for name in ("LICENSE.txt", "NOTICE.txt") if (folder / name).exists()]
        (out / f"{package}.txt").write_text("\n\n".join(texts), encoding="utf-8")
        rows.append((package, LINKED[package]))
    crypto = checkouts / "swift-crypto"
    apache = text_of(crypto / "LICENSE.txt")
    for name, folder, licence in (("BoringSSL", "CCryptoBoringSSL", apache), ("XKCP", "CXKCP", "")):
        (out / f"{name}.txt").write_text(vendored(name, crypto / "Sources" / folder, licence), encoding="utf-8")
        rows.append((name, "library, command (inside swift-crypto)"))
    (out / "swift-runtime.txt").write_text(text_of(runtime_licence()), encoding="utf-8")
    rows.append(("swift-runtime", "library, command: the standard library, Foundation's essentials"))
    width = max(len(name) for name, _ in rows)
    lines = ["What is linked into libunisono and the command unisono, and whose licence lies beside this file.", ""]
    lines += [f"{name:<{width}}  {where}" for name, where in rows]
    lines += ["", "libuv is not linked in: the system's own is used (an archive of `make dist` has it beside the library)."]
    (out / "README").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
