"""Looks for keys in all writable memory of another process, freed memory included."""


class MemorySearch:
    CHUNK = 1 << 22

    def __init__(self, key):
        # Of a freed block the allocator itself overwrites the first 16 bytes. What a keyed hash makes of the key is as good.
        self.forms = [bytes(byte ^ pad for byte in key[16:]) for pad in (0, 0x36, 0x5C)]

    def places(self, pid):
        """At how many places of the process each form is."""
        with open(f"/proc/{pid}/maps") as maps:
            lines = [line.split() for line in maps]
        counts = [0] * len(self.forms)
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            for start, end in (range_of(fields[0]) for fields in lines if fields[1].startswith("rw")):
                for block in blocks(memory, start, end, self.CHUNK):
                    counts = [count + occurrences(form, block) for count, form in zip(counts, self.forms)]
        return counts


def range_of(text):
    return (int(part, 16) for part in text.split("-"))


def blocks(memory, start, end, length):
    """The bytes from start to end, each block beginning with the last 15 of the one before."""
    tail = b""
    while start < end:
        memory.seek(start)
        try:
            block = memory.read(min(length, end - start))
        except OSError:
            return
        if not block:
            return
        yield tail + block
        tail = block[-15:]
        start += len(block)


def occurrences(form, block):
    return block.count(form)
