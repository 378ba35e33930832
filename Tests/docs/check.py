#!/usr/bin/env python3
"""Citations, links and files that sources, tests and documentation name: each leads somewhere.

    Tests/docs/check.py            exit status 1 if one does not, or if a line of text is too long
    Tests/docs/check.py --wrap     breaks lines of text that are too long (tables, code and headings stay)

Checked are: "coordination 2.6", "wire 5.2, 6.6" and "c-api 1.3" in sources, tests and pages against the numbered headings of docs/spec; bare
numbers in names of tests ("2.6: …") and in parentheses; relative links and their anchors; `docs/….md` and paths of files in
backticks; that every page is in the index, and that tables are whole; that each row of the threats in docs/security.md names tests that exist;
and that each name of the library in docs/apple-names.md is declared in a header.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SPECIFICATIONS = {name: DOCS / "spec" / f"{name}.md" for name in ("c-api", "coordination", "hubs", "wire")}
WIDTH = 140
CODE = (".swift", ".py", ".h", ".c", ".sh", ".modulemap")
FOLDERS = ("Sources", "Tests", "include", "bindings", "Benchmarks", ".ci")
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
NUMBER = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", re.M)
SECTION = r"\d{1,2}(?:\.\d{1,2})?"
# "coordination 2.6, 2.7 and 3", "wire section 4": a name, then numbers.
CITATION = re.compile(rf"\b(c-api|coordination|hubs|wire)(?:\s+(?:///?\s+|#\s+)?sections?)?\s+(?:///?\s+|#\s+)?({SECTION}(?:(?:,| and| to)\s+{SECTION})*)")
# "on the wire 70 ms later" is none.
QUANTITY = re.compile(r"\d|\.\d|\s*[µ%a-zA-Z]")
# A name of a test that begins with a section, or with several.
TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
BEGINS = re.compile(rf"({SECTION}(?:, (?:{SECTION}|[A-Z]\d+))*): ")
# "(2.11)" in a comment or on a page.
BARE = re.compile(r"\((\d{1,2}\.\d{1,2})\)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
PAGE = re.compile(r"\b(docs/[\w./-]+\.(?:md|svg|png))")
# `Sources/UnisonoBase/Time`, `Tests/vectors/*.json`, with or without ".swift".
NAMED = re.compile(r"`((?:Sources|Tests|Benchmarks|bindings|include)/[\w./+*-]+)`")
# "Z70", "Z71-Z76" in a column of tests; the ids of "Z70, F49: …" and of "def test_z1_z64_f37_…".
ID = re.compile(r"\b([A-Z]{1,2})(\d{1,3})(?:-\1(\d{1,3}))?\b")
FUNCTION = re.compile(r"^\s*(?:async )?def test_((?:[a-z]{1,2}\d{1,3}_)+)", re.M)
SUITE = re.compile(r"\b(\w+Tests)\b")
SUITE_MADE = re.compile(r"\b(?:struct|class|enum|actor) (\w+Tests)\b")
NAMED_TEST = re.compile(r"\b(Tests/[\w./-]+\w)")
C_NAME = re.compile(r"\bunisono_\w+")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FENCE = re.compile(r"^(```|~~~)")
OUTSIDE = re.compile(r"\.\./shared|wire-and-security|coordination-why")

faults = []


def fault(path, number, what):
    faults.append(f"{path.relative_to(ROOT)}:{number}: {what}")


def anchor(heading):
    """As forges make anchors of headings."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path, seen={}):
    if path not in seen:
        names = [anchor(heading) for heading in HEADING.findall(without_code(path.read_text(encoding="utf-8")))]
        seen[path] = {f"{name}-{names[:index].count(name)}" if name in names[:index] else name
                      for index, name in enumerate(names)}
    return seen[path]


def without_code(text):
    """The text with blocks of code left empty, so that numbers of lines stay."""
    lines, inside = [], False
    for line in text.split("\n"):
        if FENCE.match(line):
            inside = not inside
            lines.append("")
        else:
            lines.append("" if inside or line.startswith("    ") and not line.lstrip().startswith(("-", "*", "|")) else line)
    return "\n".join(lines)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def files(folders, endings):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings and path.is_file() and path != pathlib.Path(__file__).resolve() \
                    and not any(part in ("corpus", "__pycache__", "build", ".build") for part in path.relative_to(ROOT).parts):
                yield path


def pages():
    """All Markdown of the project."""
    found = list(ROOT.glob("*.md")) + list(DOCS.rglob("*.md"))
    for folder in ("bindings", "Tests", "Benchmarks"):
        found += [path for path in (ROOT / folder).rglob("*.md")]
    return sorted(found)


def check_citations(path, text, sections):
    for match in CITATION.finditer(text):
        if "." not in match[2] and "section" not in match[0] and QUANTITY.match(text, match.end()):
            continue
        for number in re.findall(SECTION, match[2]):
            if number not in sections[match[1]]:
                fault(path, line_of(text, match.start()), f"docs/spec/{match[1]}.md has no section {number}")
    for match in OUTSIDE.finditer(text):
        fault(path, line_of(text, match.start()), f"\"{match[0]}\" is not in this repository")
    for match in PAGE.finditer(text):
        if not (ROOT / match[1]).exists():
            fault(path, line_of(text, match.start()), f"there is no {match[1]}")


def check_source(path, sections):
    text = path.read_text(encoding="utf-8")
    check_citations(path, text, sections)
    known = sections["coordination"] | sections["wire"]
    if path.suffix == ".swift":
        for match in TEST.finditer(text):
            if begin := BEGINS.match(match[1]):
                for number in re.findall(rf"(?<![A-Z\d.]){SECTION}", begin[1]):
                    if number not in known:
                        fault(path, line_of(text, match.start()), f"no specification has a section {number}")
        for number, line in enumerate(text.split("\n"), start=1):
            for match in BARE.finditer(line[line.index("//"):] if "//" in line else ""):
                if match[1] not in known:
                    fault(path, number, f"no specification has a section {match[1]}")


def check_page(path, sections):
    text = path.read_text(encoding="utf-8")
    check_citations(path, text, sections)
    plain = without_code(text)
    for match in LINK.finditer(plain):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        found = (path.parent / name).resolve() if name else path
        if not found.exists():
            fault(path, line_of(plain, match.start()), f"the link to {target} leads nowhere")
        elif fragment and found.suffix == ".md" and fragment not in anchors(found):
            fault(path, line_of(plain, match.start()), f"{name or 'this page'} has no heading #{fragment}")
    for match in NAMED.finditer(plain):
        if not any(any(ROOT.glob(match[1].rstrip("/") + ending)) for ending in ("", ".swift")):
            fault(path, line_of(plain, match.start()), f"there is no {match[1]}")
    lines = plain.split("\n")
    for number, line in enumerate(lines, start=1):
        if len(line) > WIDTH and not line.startswith(("|", "#", "!")) and path.is_relative_to(DOCS):
            fault(path, number, f"{len(line)} characters, {WIDTH} are enough (Tests/docs/check.py --wrap)")
        is_row = line.startswith("|")
        if is_row and not line.rstrip().endswith("|"):
            fault(path, number, "a row of a table that does not end")
        begins = is_row and (number == 1 or not lines[number - 2].startswith("|"))
        if begins and (number >= len(lines) or not re.match(r"\|[\s:|-]+\|$", lines[number].strip())):
            fault(path, number, "a row outside of any table: a table has no blank lines and begins with a head")


def check_index():
    """Every page of docs can be reached from docs/README.md."""
    seen, left = set(), [DOCS / "README.md"]
    while left:
        page = left.pop()
        if page in seen or not page.exists():
            continue
        seen.add(page)
        for match in LINK.finditer(without_code(page.read_text(encoding="utf-8"))):
            target = ((match[1] or match[2]).partition("#")[0])
            if target.endswith(".md") and not re.match(r"[a-z]+:", target):
                left.append((page.parent / target).resolve())
    for page in sorted(DOCS.rglob("*.md")):
        if page not in seen:
            fault(page, 1, "no way leads here from docs/README.md")


def check_threats():
    """Each row of the table of threats names tests, and those are there: ids in names of tests, suites, files."""
    ids, suites = set(), set()
    for path in files(("Tests",), (".swift", ".py")):
        text = path.read_text(encoding="utf-8")
        suites.update(SUITE_MADE.findall(text))
        for name in TEST.findall(text) if path.suffix == ".swift" else ():
            ids.update(match[1] + match[2] for match in ID.finditer(name))
        for begin in FUNCTION.findall(text) if path.suffix == ".py" else ():
            ids.update(begin.upper().split("_"))
    page, inside, rows = DOCS / "security.md", False, 0
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        if line.startswith("#"):
            inside = line == "## Who might try what"
        if not inside or not line.startswith("|") or line.startswith(("| who | tries to", "|---")):
            continue
        rows += 1
        tests = line.rstrip().rstrip("|").rsplit("|", 1)[1]
        wanted = {f"{match[1]}{each}" for match in ID.finditer(tests) for each in range(int(match[2]), int(match[3] or match[2]) + 1)}
        for name in sorted(wanted - ids):
            fault(page, number, f"no test has {name} in its name")
        for name in SUITE.findall(tests):
            if name not in suites:
                fault(page, number, f"there is no suite {name}")
        for name in NAMED_TEST.findall(tests):
            if not (ROOT / name).exists():
                fault(page, number, f"there is no {name}")
        if not (wanted or SUITE.search(tests) or NAMED_TEST.search(tests) or CITATION.search(tests)):
            fault(page, number, "a threat without a test")
    if not rows:
        fault(page, 1, "no table of threats under \"Who might try what\"")


def check_names():
    """Each `unisono_…` that docs/apple-names.md leads to is declared in a header; a comment that names it declares nothing."""
    declared = set()
    for path in sorted((ROOT / "include").glob("*.h")):
        declared.update(C_NAME.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))))
    page, names = DOCS / "apple-names.md", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        for name in C_NAME.findall(line):
            names += 1
            if name not in declared:
                fault(page, number, f"no header declares {name}")
    if not names:
        fault(page, 1, "no names of the library")


def wrap(path):
    """Breaks paragraphs and list items that have a line that is too long."""
    out, inside, block = [], False, []

    def flush():
        if not block:
            return
        if any(len(line) > WIDTH for line in block):
            lead = re.match(r"\s*(?:(?:[-*]|\d+[a-z]?\.)\s+)?", block[0])[0]
            rest = " " * len(lead)
            out.extend(textwrap.wrap(
                " ".join(line.strip() for line in [block[0][len(lead):]] + block[1:]), WIDTH, initial_indent=lead,
                subsequent_indent=rest, break_long_words=False, break_on_hyphens=False))
        else:
            out.extend(block)
        block.clear()

    for line in path.read_text(encoding="utf-8").split("\n"):
        if FENCE.match(line):
            inside = not inside
        is_code = inside or FENCE.match(line) or (line.startswith("    ") and not block)
        if is_code or not line.strip() or line.startswith(("|", "#", "!", "<", ">")):
            flush()
            out.append(line)
            continue
        if re.match(r"\s*(?:[-*]|\d+[a-z]?\.)\s", line):
            flush()
        block.append(line)
    flush()
    path.write_text("\n".join(out), encoding="utf-8")


def main():
    if "--wrap" in sys.argv[1:]:
        for path in sorted(DOCS.rglob("*.md")):
            wrap(path)
    sections = {name: set(NUMBER.findall(path.read_text(encoding="utf-8"))) for name, path in SPECIFICATIONS.items()}
    for path in files(FOLDERS, CODE):
        check_source(path, sections)
    for path in pages():
        check_page(path, sections)
    check_index()
    check_threats()
    check_names()
    for line in faults:
        print(line, file=sys.stderr)
    print(f"{sum(map(len, sections.values()))} sections of {len(sections)} specifications, {len(pages())} pages: "
          + (f"{len(faults)} that lead nowhere or are not whole" if faults else "all that is named is there"))
    sys.exit(1 if faults else 0)


main()
