"""Somebody between two devices: passes on what each says, with one letter of the asker's name changed.

    between.py HOST:PORT      prints "address PORT" and takes one connection
"""

import socket
import sys
import threading


def changed(frame):
    """ASK (type 32) with the last letter of item 4, the device's name, another one."""
    body = bytearray(frame)
    place = 5  # behind the length and the type
    while body[4] == 32 and place < len(body):
        length = int.from_bytes(body[place + 1 : place + 4], "big")
        if body[place] == 4:
            body[place + 3 + length] ^= 1
        place += 4 + length
    return bytes(body)


def frames(stream):
    while True:
        head = stream.read(4)
        if len(head) < 4:
            return
        yield head + stream.read(int.from_bytes(head, "big"))


def pass_on(source, target, change):
    for frame in frames(source.makefile("rb")):
        target.sendall(change(frame))
    target.shutdown(socket.SHUT_WR)


def main():
    host, port = sys.argv[1].rsplit(":", 1)
    listener = socket.create_server(("0.0.0.0", 0))
    print("address", listener.getsockname()[1], flush=True)
    asker, _ = listener.accept()
    asked = socket.create_connection((host, int(port)))
    back = threading.Thread(target=pass_on, args=(asked, asker, bytes), daemon=True)
    back.start()
    pass_on(asker, asked, changed)
    back.join()


if __name__ == "__main__":
    main()
