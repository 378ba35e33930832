#!/usr/bin/env python3
"""Writes the manual pages of section 3 from the headers: one for each function and each type, and unisono(3).

    packaging/man3.py FOLDER VERSION include/unisono.h ...

A page says what the header's comment says: its parameters, what it returns and its errors in sections of their own.
"""

import re
import sys
from pathlib import Path

from declarations import declarations, essay

# A paragraph that begins with one of these has a section of its own.
SECTIONS = {
    "Returns": "RETURN VALUE", "Errors": "ERRORS", "Thread-safe": "ATTRIBUTES",
}
# Stands for a line that ends, until the text was made safe.
BREAK = "\0"
ORDER = ["PARAMETERS", "RETURN VALUE", "ERRORS", "ATTRIBUTES", "HISTORY"]


def escaped(text):
    """Text as groff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


class Manual:
    """All pages, which know of each other."""

    def __init__(self, found, essays, version):
        """essays: by header, the one that begins the manual first."""
        self.found, self.essays, self.version = found, essays, version
        self.usual, self.marks = threading(next(iter(essays.values())))
        self.functions = {one.name for one in found if one.kind == "function"}
        self.types = {one.name for one in found if one.kind == "type"}
        self.pages = self.functions | self.types

    def prose(self, text, page=""):
        """Running text, with what has a page or is a constant in bold."""

        def name(match):
            word = match.group(1)
            if word in self.functions and word != page:
                return f"\\fB{word}\\fP(3)"
            return f"\\fB{word}\\fP" if word in self.pages or word.isupper() else match.group()

        text = re.sub(r"\b((?:unisono|UNISONO)_\w+)\b(?:\(\))?", name, escaped(joined(text)).replace(BREAK, "\n.br\n"))
        return re.sub(r"\*\*(.+?)\*\*", r"\\fB\1\\fP", text, flags=re.S)

    def blocks(self, lines, page=""):
        """Paragraphs, points and examples of a comment."""
        out, paragraph = [], []

        def end():
            if paragraph:
                out.append(".PP\n" + self.prose("\n".join(paragraph), page))
                paragraph.clear()

        index = 0
        while index < len(lines):
            line = lines[index]
            point = re.match(r"(\s*)(-|\d+\.)\s+(\S.*)", line)
            if not line.strip():
                end()
            elif point:
                end()
                words, deep = [point.group(3)], len(point.group(1)) + len(point.group(2))
                while index + 1 < len(lines) and re.match(r"\s{%d,}\S" % (deep + 1), lines[index + 1]):
                    index += 1
                    words.append(lines[index].strip())
                mark = "\\(bu" if point.group(2) == "-" else point.group(2)
                out.append(f".IP {mark} 4\n" + self.prose("\n".join(words), page))
            elif line.startswith("    "):
                end()
                kept = [line]
                while index + 1 < len(lines) and lines[index + 1].startswith("    "):
                    index += 1
                    kept.append(lines[index])
                out.append(literal("\n".join(one[4:] for one in kept)))
            else:
                paragraph.append(line)
            index += 1
        end()
        return "\n".join(out)

    def attributes(self, one):
        """From where it may be called: what holds for all, as far as its marks do not say otherwise."""
        marked = " ".join(self.marks.get(mark, "") for mark in one.marks).strip()
        otherwise = {"Thread-safe", "Callback-safe"} if "one thread at a time" in marked else set()
        otherwise |= set(re.findall(r"\S+(?=:)", marked))
        usual = [said for said in re.findall(r"\S+: [^.]*\.", self.usual) if said.split(":")[0] not in otherwise]
        return " ".join([*usual, marked.replace(": yes, too.", ": yes.")]).strip()

    def page(self, one):
        parts = described(one)
        short = summary(one, parts)
        out = [self.head(one.name, short), ".SH SYNOPSIS", f".B #include <{one.header}>", literal(prototype(one.text))]
        if any(parts["DESCRIPTION"]):
            out += [".SH DESCRIPTION", self.blocks(parts["DESCRIPTION"], one.name)]
        if one.kind == "function" and not parts["ATTRIBUTES"]:
            parts["ATTRIBUTES"] = [self.attributes(one)]
        for section in ORDER:
            if section == "PARAMETERS" and parts[section]:
                out.append(".SH PARAMETERS")
                for names, text in parts[section]:
                    out.append(f".TP\n.I {escaped(names)}\n" + self.prose(text, one.name))
            elif parts[section]:
                out += [f".SH {section}", self.prose("\n".join(parts[section]), one.name)]
        near = set(re.findall(r"\bunisono_\w+\b", one.text + " " + one.comment)) & self.pages
        if one.kind == "type":
            near |= {other.name for other in self.found if re.search(rf"\b{one.name}\b", other.text)} & self.pages
        near = sorted(near - {one.name})
        out += [".SH SEE ALSO", " ,\n".join(f".BR {name} (3)" for name in ["unisono", *near])]
        return "\n".join(out) + "\n"

    def overview_page(self):
        out = [self.head("unisono", "any player, in step with everyone else in the group")]
        for header, text in self.essays.items():
            # The first line names the file, the next one its licence.
            lines = [line for line in text.split("\n")[1:] if not line.startswith("SPDX")]
            title, section = "DESCRIPTION" if header == "unisono.h" else header.upper(), []
            for index, line in enumerate(lines):
                if re.fullmatch(r"-{4,}", line):
                    continue
                if index + 1 < len(lines) and re.fullmatch(r"-{4,}", lines[index + 1]):
                    out += [f'.SH "{escaped(title)}"', self.blocks(section)] if any(section) else []
                    title, section = line, []
                else:
                    section.append(line)
            out += [f'.SH "{escaped(title)}"', self.blocks(section)]
        for header, section in dict.fromkeys((one.header, one.section) for one in self.found):
            mine = [one for one in self.found if (one.header, one.section) == (header, section)]
            out.append(f'.SH "{escaped(section.upper())}"')
            for one in mine:
                if one.kind == "macros":
                    out += [self.blocks(one.comment.split("\n")) if one.comment else ".PP", literal(one.text)]
            for one in mine:
                if one.kind in ("function", "type"):
                    out.append(f".TP\n.BR {one.name} (3)\n{escaped(summary(one, described(one)))}")
        out += [".SH SEE ALSO", ".BR unisono (1) ,\n.BR unisono\\-hub (1)"]
        return "\n".join(out) + "\n"

    def head(self, name, short):
        title = f'.TH {name} 3 "" "Unisono {self.version}" "Unisono Programmer\\(aqs Manual"'
        return f"{title}\n.ad l\n.nh\n.SH NAME\n{name} \\- {escaped(short)}"


def threading(text):
    """From the first essay: what holds for every function, and what each mark before a declaration adds."""
    usual = re.search(r"(?m)^ *(Thread-safe: .*)$", text)
    marks = re.findall(r"(?m)^ +(UNISONO_[A-Z]+) +(\S.*(?:\n {15,}\S.*)*)", text)
    return usual.group(1) if usual else "", {mark: " ".join(said.split()) for mark, said in marks}


def joined(text):
    """Lines as one paragraph: a name broken at the end of a line is whole again, a line that ends early stays one."""
    text = re.sub(r"(?:(?<=[a-z]_)|(?<=\w-))\n(?=[a-z])", "", text)
    return re.sub(r"(?m)^(.{1,84}[.:;])\n(?=[A-Z])", r"\1" + BREAK, text)


def prototype(text):
    """A declaration as C reads it, without what only compilers of other systems need."""
    text = re.sub(r"UNISONO_API\((.*?)\) ", lambda match: match.group(1) + ("" if match.group(1).endswith("*") else " "), text)
    return re.sub(r"  +(?=\{)", " ", re.sub(r"\bUNISONO_(?:OPEN|INT32|CALL) ?", "", text))


def literal(text):
    return ".PP\n.EX\n" + escaped(text) + "\n.EE"


def described(one):
    """The comment's lines by section; PARAMETERS as pairs."""
    parts = {"DESCRIPTION": [], **{section: [] for section in ORDER}}
    target = parts["DESCRIPTION"]
    words = "|".join(map(re.escape, one.parameters)) or "(?!)"
    start = re.compile(rf"((?:{words})(?:, (?:{words}))*): (.*)")
    comment, since = re.subn(r"\s*@since (\d+\.\d+)\.?", "", one.comment)
    if since:
        parts["HISTORY"].append(f"Since version {re.search(r'@since ([0-9.]+[0-9])', one.comment).group(1)} of the interface.")
    comment = re.sub(rf"(?<=[.:]) (?=(?:{words})(?:, (?:{words}))*: )", "\n", comment)
    for line in comment.split("\n"):
        parameter, word = start.match(line), line.split(":", 1)[0].split(" ")[0]
        if parameter:
            parts["PARAMETERS"].append([parameter.group(1), parameter.group(2)])
            target = None
        elif word in SECTIONS:
            target = parts[SECTIONS[word]]
            said = line[len(word):].lstrip(": ")
            # What a call may be called from is said as it stands.
            target.append(line if SECTIONS[word] == "ATTRIBUTES" else said)
        elif target is None:
            parts["PARAMETERS"][-1][1] += "\n" + line
        else:
            target.append(line)
    return parts


def summary(one, parts):
    """The line after the name: the first sentence of what is said about it."""
    lines = parts["DESCRIPTION"] if any(parts["DESCRIPTION"]) else ["Returns", *parts["RETURN VALUE"]] if parts["RETURN VALUE"] else []
    text = " ".join(" ".join(lines).split())
    # Up to the first full stop, colon or semicolon that is not inside quotation marks.
    sentence = re.match(r'(?:"[^"]*"|[^".:;]|[.:;](?! ))*', text).group().rstrip(".:;")
    if one.kind == "type" and (not sentence or len(sentence) > 90):
        kind = "enumeration" if "typedef enum" in one.text else "callback" if one.name.endswith("_fn") else "structure"
        return f"{kind} of the Unisono library"
    return sentence[:1].lower() + sentence[1:] if sentence[:2].istitle() or sentence[1:2] == " " else sentence


def main():
    folder, version, headers = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    found = [one for header in headers for one in declarations(header)]
    manual = Manual(found, {Path(header).name: essay(header) for header in headers}, version)
    if len(manual.functions) < 100:
        sys.exit(f"man3: only {len(manual.functions)} functions found; the headers are not written as declarations.py expects")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.3"):
        old.unlink()
    for one in found:
        if one.name in manual.pages:
            (folder / f"{one.name}.3").write_text(manual.page(one), encoding="utf-8")
    (folder / "unisono.3").write_text(manual.overview_page(), encoding="utf-8")
    print(f"man3: {len(manual.functions)} functions, {len(manual.types)} types")


if __name__ == "__main__":
    main()
