#!/usr/bin/env python3
"""Compares the headers with the calls in test_null.c: every handle and every other pointer must be tried with NULL.

Which parameters may be NULL is the header's to say; here only counts that each was given it once.
    coverage.py SOURCE HEADER...
"""

import re
import sys

HANDLES = (
    "context", "session", "coordinator", "suspension", "hub", "advertiser", "browser", "join_request", "player", "surface",
    "simulation",
)


def prototypes(header):
    """Name to the list of parameter declarations."""
    found = {}
    for name, text in re.findall(r"UNISONO_API\([^)]*\)\s*(unisono_\w+)\(([^;]*)\);", header):
        found[name] = [part.strip() for part in text.split(",")]
    return found


def calls(source, name):
    """The arguments of each call of a function, split at the commas of its own level."""
    for match in re.finditer(rf"\b{name}\(", source):
        depth, start, arguments = 1, match.end(), []
        for index in range(match.end(), len(source)):
            letter = source[index]
            depth += (letter in "([{") - (letter in ")]}")
            if (letter == "," and depth == 1) or depth == 0:
                arguments.append(source[start:index].strip())
                start = index + 1
            if depth == 0:
                break
        yield arguments


def is_handle(parameter):
    return re.fullmatch(rf"unisono_({'|'.join(HANDLES)}) \*\w+", parameter) is not None


def missing(functions, source):
    for name, parameters in functions.items():
        tried = list(calls(source, name))
        if not tried:
            yield f"{name} is called nowhere"
        for index, parameter in enumerate(parameters):
            is_function = parameter.startswith("unisono_") and "_fn " in parameter
            if "*" not in parameter and not is_function:
                continue
            if index == 0 and is_handle(parameter):
                # every_function gives NULL, dead, foreign and made-up handles, all in one variable.
                letters = ("NULL", "c", "s", "o", "u", "b", "v", "w", "q", "p", "f", "m")
                if not any(arguments[0] in letters for arguments in tried):
                    yield f"{name}: never with bad handles; add it to every_function_of"
            elif not any(arguments[index] == "NULL" for arguments in tried):
                yield f"{name}: never with NULL for {parameter}"


def main():
    source, *headers = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
    header = "\n".join(headers)
    functions = prototypes(header)
    faults = list(missing(functions, source))
    print("\n".join(faults) if faults else f"{len(functions)} functions, each with every pointer NULL")
    return 1 if faults or len(functions) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
