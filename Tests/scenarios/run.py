#!/usr/bin/env python3
"""Runs the tests of one scenario, over the core alone: a build without cryptography.

    make scenario ID=C13          those whose name begins with the id
    make scenario ID="C13 J9"     of several

A scenario that has no test yet: this says where to write one, and how it looks.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "scenario"
FOLDER = ROOT / "Tests" / "UnisonoSimulatorTests"
SUITE = re.compile(r"^(?:extension|(?:@Suite(?:\([^\n]*\))?\s*)?(?:struct|final class|enum)) (\w+)", re.M)
TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"(?:[^@]*?)func (\w+)', re.S)
EXAMPLE = '''  @Test("{id}: what people get, in one sentence")
  func {function}() {{
    let room = SimulatedSession(seed: 1, participants: ["A", "B"], delay: .milliseconds(20))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }}
'''


def tests():
    """(display name, suite, function) of each scenario test."""
    for path in sorted(FOLDER.rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        suites = [(match.start(), match[1]) for match in SUITE.finditer(text)]
        for match in TEST.finditer(text):
            suite = [name for start, name in suites if start < match.start()]
            if suite:
                yield match[1], suite[-1], match[2]


def main():
    wanted = " ".join(sys.argv[1:]).split()
    if not wanted:
        sys.exit(__doc__)
    found = [(name, suite, function) for name, suite, function in tests()
             if set(re.split(r"[ ,]+", name.split(":")[0])) & set(wanted)]
    missing = [one for one in wanted if not any(one in re.split(r"[ ,]+", name.split(":")[0]) for name, _, _ in found)]
    if missing:
        print(f"no test's name begins with {' or '.join(missing)}. Add a row to docs/scenarios.md and a test like this to a suite in\n"
              f"{FOLDER.relative_to(ROOT)}/Scenarios; the verbs are in docs/simulation.md:\n\n"
              + EXAMPLE.format(id=missing[0], function=missing[0].lower()), file=sys.stderr)
        sys.exit(2)
    environment = dict(os.environ, UNISONO_PART="scenarios", SWIFT_BACKTRACE="enable=no")
    build = subprocess.run(["swift", "build", "--build-tests", "--scratch-path", str(BUILD)], cwd=ROOT, env=environment)
    if build.returncode:
        sys.exit(build.returncode)
    pattern = "|".join(sorted({rf"UnisonoSimulatorTests\.{suite}/{function}\b" for _, suite, function in found}))
    run = subprocess.run([str(BUILD / "debug" / "unisonoPackageTests.xctest"), "--testing-library", "swift-testing",
                          "--filter", pattern], cwd=ROOT, env=environment)
    sys.exit(run.returncode)


main()
