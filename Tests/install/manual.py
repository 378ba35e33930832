#!/usr/bin/env python3
"""The manual is whole: each function of the headers has a page, each option of each command stands in its page and no other,
and `man` shows every page without a warning.

    manual.py COMMAND MAN_FOLDER INCLUDE_FOLDER
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path


def declared(headers):
    text = "".join(path.read_text(encoding="utf-8") for path in headers.glob("*.h"))
    return set(re.findall(r"UNISONO_API\([^)]*\)\s*(unisono_\w+)\(", text))


def without_page(functions, folder):
    for name in sorted(functions):
        page = folder / f"man3/{name}.3"
        if not page.exists():
            yield f"{name} has no page"
        elif not re.search(rf"{name}\s*\(", page.read_text(encoding="utf-8")):
            yield f"{page.name} does not show the function"


def options(command):
    """The options of a command as `--help` knows them, by the name of its page."""
    name = "-".join(command.get("superCommands", []) + [command["commandName"]])
    found = {"--" + one["name"] for argument in command.get("arguments", []) for one in argument.get("names", []) if one["kind"] == "long"}
    yield name, found
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            yield from options(sub)


def undocumented(command, folder):
    dumped = json.loads(subprocess.run([command, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)
    for name, known in options(dumped["command"]):
        page = folder / f"man1/{name}.1"
        if not page.exists():
            yield f"unisono {name} has no page"
            continue
        text = page.read_text(encoding="utf-8").replace("\\-", "-")
        said = set(re.findall(r"--[a-z][a-z-]*", text.split(".SH OPTIONS")[1].split(".SH")[0]))
        if said != known:
            yield f"{page.name}: missing {sorted(known - said)}, not there {sorted(said - known)}"
        if "@" in re.sub(r"@[a-z]", "", text):
            yield f"{page.name}: a name was not filled in"


def badly_shown(folder):
    if shutil.which("man") is None:
        print("manual: `man` is not installed (Debian: man-db); the pages were not shown")
        return
    environment = {"LC_ALL": "C.UTF-8", "MANWIDTH": "100", "PATH": "/usr/bin:/bin"}
    for page in sorted(folder.glob("man*/*")):
        shown = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", str(page)], capture_output=True, text=True, env=environment)
        if shown.returncode or shown.stderr or page.stem not in shown.stdout:
            yield f"{page.name}: {shown.stderr.strip() or 'is empty'}"
    named = subprocess.run(["lexgrog", *map(str, sorted(folder.glob("man*/*")))], capture_output=True, text=True, env=environment)
    yield from (line for line in (named.stdout + named.stderr).splitlines() if "parse failed" in line)


def main():
    command, folder, headers = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    functions = declared(headers)
    wrong = [*without_page(functions, folder), *undocumented(command, folder), *badly_shown(folder)]
    if len(functions) < 100:
        wrong.append(f"only {len(functions)} functions were found in {headers}")
    print("\n".join(wrong) if wrong else f"manual: {len(list(folder.glob('man*/*')))} pages, of all {len(functions)} functions and every option")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
