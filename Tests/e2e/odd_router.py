"""A router that answers the Port Control Protocol (RFC 6887), and nothing else, with one field as no router has it: `odd_router.py WHAT`."""

import socket
import sys

ADDRESS = bytes(10) + b"\xff\xff" + socket.inet_aton("45.80.0.1")
ODD = {
    "fair": lambda answer: answer,
    "short": lambda answer: answer[:59],
    "nonce": lambda answer: answer[:24] + bytes(12) + answer[36:],
    "port": lambda answer: answer[:42] + b"\0\0" + answer[44:],
    "address": lambda answer: answer[:44] + ADDRESS[:12] + bytes(4),
    "ipv6": lambda answer: answer[:44] + b"\x20" + answer[45:],
    "refused": lambda answer: answer[:3] + b"\x02" + answer[4:],
    "version": lambda answer: b"\0" + answer[1:],
}

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
    listener.bind(("0.0.0.0", 5351))
    print("listening", flush=True)
    while True:
        request, sender = listener.recvfrom(1100)
        if len(request) == 60 and request[0] == 2:
            head = bytes([2, 0x81, 0, 0]) + (600).to_bytes(4, "big") + bytes(16)
            listener.sendto(ODD[sys.argv[1]](head + request[24:44] + ADDRESS), sender)
