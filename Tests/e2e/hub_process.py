"""`unisono hub` in a process: its log, its figures, its settings."""

import re
import subprocess
import urllib.error
import urllib.request

from hosts_support import Lines, environment, until

# What it says that others are to be given.
LINE = r"--hub (unisono-hub://127\.0\.0\.1:\d+/[a-z2-7]{26})"


class Hub:
    """A process, and its log."""

    def __init__(self, program, arguments, variables):
        command = [str(program), "hub", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=dict(environment(), **variables)
        )
        self.log = Lines(self.process.stderr)

    def said(self, pattern):
        """The first line of the log that has this in it, so far."""
        return next((match for text in list(self.log.lines) if (match := re.search(pattern, text))), None)

    def line(self, pattern):
        """The same, once it came."""
        until(lambda: self.said(pattern) is not None, f"a line with {pattern!r} came", 60)
        return self.said(pattern)

    def send(self, number):
        self.process.send_signal(number)

    @property
    def page(self):
        """Address of its figures."""
        port = self.line(r"serves /metrics.* port (\d+)").group(1)
        return f"http://127.0.0.1:{port}"

    def ask(self, path):
        """Status, type and text."""
        try:
            with urllib.request.urlopen(self.page + path, timeout=10) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers["Content-Type"], error.read().decode()


def check(program, *arguments, **variables):
    command = [str(program), "hub", *map(str, arguments), "--check"]
    return subprocess.run(command, capture_output=True, text=True, env=dict(environment(), **variables))
