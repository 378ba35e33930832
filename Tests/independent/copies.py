"""By what a copy of a film is known, whatever its file is called (docs/spec/wire.md 8.15)."""

from primitives import sha, u64

PART, LIMIT = 65_536, 196_608


def copy_hash(content):
    size = len(content)
    if size <= LIMIT:
        return sha(u64(size) + content)
    middle = size // 2 - 32_768
    return sha(u64(size) + content[:PART] + content[middle : middle + PART] + content[size - PART :])
