"""A sample host in a process: its keyboard, its status lines, and its orderly end. Shared with Tests/e2e."""

import json
import subprocess


class HostProcess:
    def __init__(self, command, name, folder, environment):
        self.status_file = folder / f"{name}.jsonl"
        self.process = subprocess.Popen(
            [*map(str, command), "--name", name, "--status", str(self.status_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            bufsize=1,
        )

    def type(self, line):
        self.process.stdin.write(line + "\n")

    @property
    def status(self):
        """The last line that is written to its end; empty before the first one."""
        try:
            complete, _, _ = self.status_file.read_bytes().rpartition(b"\n")
        except FileNotFoundError:
            return {}
        return json.loads(complete.split(b"\n")[-1]) if complete else {}

    def close(self):
        """Asks it to quit; its exit status, or None where it had to be killed."""
        if self.process.poll() is None:
            self.type("quit")
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
