"""What the full screen costs: bytes sent to the terminal, processor time while idle, time until the first picture.

python3 terminal.py [PROGRAM]; by default ../target/release/alinea. Nothing to install.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent.parent / "target/release/alinea")
QUIET = 0.3  # seconds without output after which a picture is complete


class Screen:
    """The program in a pseudo-terminal of its own."""

    def __init__(self, *args, rows=24, cols=80):
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "ALINEA_DATA": tempfile.mkdtemp()}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(PROGRAM, [PROGRAM, *args, "--lang", "en"], env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def read(self, quiet=QUIET):
        """All bytes until there are none for a while."""
        received = b""
        while select.select([self.fd], [], [], quiet)[0]:
            received += os.read(self.fd, 65536)
        return received

    def send(self, text):
        os.write(self.fd, text.encode())
        return self.read()

    def processor_ms(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def bytes_per_move(rows, cols, *options):
    screen = Screen("play", "connect-four", "--first", "human", "--second", "human", *options, rows=rows, cols=cols)
    first = len(screen.read(1))
    sizes = [len(screen.send(column)) for column in "4435262715"]
    screen.close()
    return first, round(statistics.mean(sizes))


def idle(seconds, *args):
    screen = Screen(*args)
    screen.read(1)
    before = screen.processor_ms()
    sent = len(screen.read(seconds))
    used = screen.processor_ms() - before
    screen.close()
    return used, sent


def start_up(runs=20):
    """Medians in milliseconds: `alinea --version`, and the first picture of the full screen."""

    def version():
        start = time.perf_counter()
        subprocess.run([PROGRAM, "--version"], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    def picture():
        start = time.perf_counter()
        screen = Screen()
        received = b""
        while b"Alinea" not in received:
            received += os.read(screen.fd, 65536)
        took = time.perf_counter() - start
        screen.close()
        return took

    pairs = [(version(), picture()) for _ in range(runs)]
    return [1000 * statistics.median(times) for times in zip(*pairs)]


def main():
    for rows, cols in [(24, 80), (40, 120)]:
        for options in [("--no-animation",), ()]:
            first, move = bytes_per_move(rows, cols, *options)
            how = "at once" if options else "falling"
            print(f"{cols}x{rows}, pieces {how}: first picture {first:,} bytes, then {move:,} bytes per move")
    for what, args in [("home", ()), ("a game", ("play", "connect-four", "--first", "human", "--second", "human"))]:
        used, sent = idle(10, *args)
        print(f"{what}, 10 s without a key: {used:.0f} ms of processor time, {sent} bytes")
    version, picture = start_up()
    print(f"alinea --version {version:.1f} ms, the first picture {picture:.1f} ms: {picture / version:.1f} times")


if __name__ == "__main__":
    main()
