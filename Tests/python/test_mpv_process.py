"""What an mpv says in one breath with an answer, as the sample host's Mpv hears it."""

import asyncio
import sys

from unisono.examples._mpv_process import Mpv

# Speaks mpv's JSON commands over the descriptor it is given. Behind the second answer comes an event, in one write.
STAND_IN = """#!{python}
import json, os, sys
fd = int(sys.argv[1].rpartition("/")[2])
buffer, answers = b"", 0
while True:
    data = os.read(fd, 65536)
    if not data:
        break
    *lines, buffer = (buffer + data).split(b"\\n")
    for line in lines:
        answers += 1
        said = [{{"request_id": json.loads(line)["request_id"], "error": "success", "data": "mpv 0.35"}}]
        if answers == 2:
            said.append({{"event": "property-change", "name": "pause"}})
        os.write(fd, b"".join(json.dumps(one).encode() + b"\\n" for one in said))
"""


def test_an_event_right_behind_an_answer_is_told_without_waiting_for_the_next(tmp_path, monkeypatch):
    program = tmp_path / "mpv"
    program.write_text(STAND_IN.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    async def main():
        told = asyncio.get_running_loop().create_future()
        mpv = Mpv([], lambda event: told.done() or told.set_result(event))
        try:
            assert mpv.get("pause") == "mpv 0.35"
            return await asyncio.wait_for(told, 20)
        finally:
            mpv.close()

    assert asyncio.run(main())["name"] == "pause"
