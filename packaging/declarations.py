"""What a C header of Unisono declares, in its order, each with the comment above it.

The headers are written in one way, which is all that is understood here: a comment stands directly above what it
describes, `/* ---- 5. Session ---- */` begins a section, functions are declared with UNISONO_API.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

# What brackets the declarations for other languages.
LANGUAGE = re.compile(r'(?m)^UNISONO_(?:BEGIN|END)_DECLARATIONS\n|#if defined\(__cplusplus\)\n(?:extern "C" \{|\})\n#endif\n')
TOKEN = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|[{};#\n]|[^/\"{};#\n]+|/", re.S)
BANNER = re.compile(r"/\* -{4,} (?:\d+\. )?(.*?) -{4,} \*/")
FUNCTION = re.compile(r"((?:UNISONO_[A-Z]+\s+)*)UNISONO_API\(([^)]*)\)\s*(unisono_\w+)\s*\((.*)\)", re.S)
INLINE = re.compile(r"\bstatic\s+inline\s+([\w\s*]*?)\s*\b(unisono_\w+)\s*\(([^{}]*)\)\s*\{", re.S)
TYPE = re.compile(
    r"typedef\s+(?:struct|enum|union)\b[^{]*\{.*\}\s*(unisono_\w+)\s*;"
    r"|typedef\b.*?\(\s*UNISONO_CALL\s*\*\s*(unisono_\w+)\s*\)", re.S)
HANDLE = re.compile(r"typedef\s+struct\s+(unisono_\w+)\s+\1\s*;")


@dataclass
class Declaration:
    """One of `kind` "function", "type", "handle", "macros"; `text` is as the header has it, `marks` what stands before it."""

    kind: str
    name: str
    text: str
    comment: str
    section: str
    header: str
    parameters: list = field(default_factory=list)
    marks: list = field(default_factory=list)


def items(text):
    """The header's top level: comments, preprocessor lines, declarations, and "" for an empty line."""
    kept, depth, line, newlines = "", 0, False, 0
    for match in TOKEN.finditer(text):
        token = match.group()
        if not kept.strip():
            if token == "\n":
                newlines += 1
                if newlines == 2:
                    yield ""
                continue
            if token.startswith("/*"):
                yield token
                newlines = 0
                continue
            if not token.strip():
                continue
            kept, newlines, line = "", 0, token == "#"
        if line and token == "\n" and not kept.endswith("\\"):
            yield kept.rstrip()
            kept, line, newlines = "", False, 1
            continue
        kept += token
        if line:
            continue
        depth += (token == "{") - (token == "}")
        if depth == 0 and (token == ";" or token == "}" and "inline" in kept and "typedef" not in kept):
            yield kept.strip()
            kept = ""


def rest_of_line(text, declaration):
    """A comment that goes on behind a declaration belongs to it."""
    after = text.split(declaration, 1)[1].split("\n", 1)[0]
    return declaration + after if after.strip().startswith("/*") and after.strip().endswith("*/") else declaration


def plain(comment):
    """The text of a comment without its stars; how far lines are indented is kept."""
    lines = comment.removeprefix("/*").removesuffix("*/").split("\n")
    lines = [re.sub(r"^\s*\* ?", "", line) if index else line.removeprefix(" ") for index, line in enumerate(lines)]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def parameters_of(text):
    names = []
    for part in re.sub(r"\([^()]*\)", "", text).split(","):
        if found := re.search(r"(\w+)\s*(?:\[\w*\])?\s*$", part):
            names.append(found.group(1))
    return [name for name in names if name != "void"]


def essay(path):
    """The comment that a header begins with."""
    return plain(TOKEN.match(Path(path).read_text(encoding="utf-8")).group())


def declarations(path):
    """All that a header declares for its users."""
    text = LANGUAGE.sub("", Path(path).read_text(encoding="utf-8"))
    header, section, comment, found = Path(path).name, "", "", []
    for index, item in enumerate(items(text)):
        if item.startswith("/*"):
            if banner := BANNER.fullmatch(item):
                section, comment = banner.group(1).rstrip(" -"), ""
            elif index and "\n" + item in text:
                comment = plain(item)
            continue
        above, comment = comment, ""
        if item == "":
            continue
        whole = rest_of_line(text, item)
        if macro := re.match(r"#\s*define\s+(UNISONO_\w+)\b(?!\()", item):
            name = macro.group(1)
            if name.endswith("_INIT") and found and found[-1].kind == "type":
                found[-1].text += "\n" + whole
            elif section and section != "Compiler":
                if not above and found and found[-1].kind == "macros" and found[-1].section == section:
                    found[-1].text += "\n" + whole
                elif re.match(r"#\s*define\s+\w+\s+\S", item) and not name.endswith("_H"):
                    found.append(Declaration("macros", name, whole, above, section, header))
            continue
        if function := FUNCTION.search(item):
            bare, marks = item[function.start(2) - len("UNISONO_API("):], function.group(1).split()
            found.append(
                Declaration("function", function.group(3), bare, above, section, header, parameters_of(function.group(4)), marks))
        elif function := INLINE.search(item):
            found.append(Declaration("function", function.group(2), item, above, section, header, parameters_of(function.group(3))))
        elif handle := HANDLE.search(item):
            found.append(Declaration("handle", handle.group(1), whole, above, section, header))
        elif type_ := TYPE.search(item):
            found.append(Declaration("type", type_.group(1) or type_.group(2), whole, above, section, header))
    return found
