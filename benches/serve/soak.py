"""An hour of mixed load on the service, with a reload every minute: no request may be lost, and memory must be bounded.

    python3 benches/serve/soak.py [--minutes 60] [--stakes target/release/stakes]

Threads send one row, hundreds of rows, plans, explanations, broken bodies, halves of requests and connections that
say nothing, all on loopback. Every minute (or --every seconds) the model file is replaced by another or by half of
one, and the service gets a SIGHUP. Every answer must be one that is expected: the scores of one of the two models, or
a refusal of what was broken. Needs nothing but Python.
"""

import argparse
import http.client
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROLES = ["--list", "storm", "--impact", "customers_out", "--id", "network", "--price", "crew_hours", "--time", "date"]


class Soak:
    """The service and what was met."""

    def __init__(self, folder: Path, stakes: str) -> None:
        self.folder = folder

        def run(*words: str) -> None:
            subprocess.run([stakes, *words], cwd=folder, check=True)

        run("generate", "storms", "--lists", "60", "--rows", "4000", "-q", "-o", "past.csv")
        run("generate", "storms", "--lists", "4", "--rows", "400", "--seed", "7", "-q", "-o", "next.csv")
        for name, rounds in (("a", "60"), ("b", "40")):
            train = [
                "train",
                "past.csv",
                *ROLES,
                "-k",
                "5",
                "--learner",
                "mart",
                "-p",
                f"rounds={rounds}",
                "--hold-out",
                "10",
            ]
            run(*train, "-q", "-o", f"{name}.json")
        self.models = [(folder / f"{name}.json").read_bytes() for name in "ab"]
        self.replace(self.models[0])
        self.log = (folder / "log").open("w")
        words = [stakes, "serve", "model.json", "--port", "0", "--timeout", "10"]
        self.process = subprocess.Popen(words, cwd=folder, stderr=self.log)
        while "listening on" not in (folder / "log").read_text():
            time.sleep(0.1)
        self.port = int((folder / "log").read_text().split("listening on")[1].split()[0].rsplit(":", 1)[1])
        lines = (folder / "next.csv").read_bytes().splitlines(keepends=True)
        self.bodies = {1: b"".join(lines[:2]), 400: b"".join(lines)}
        self.expected: dict[tuple[str, int], set[bytes]] = {}
        self.met: Counter[str] = Counter()
        self.lost: list[str] = []
        self.done = threading.Event()

    def replace(self, content: bytes) -> None:
        """Replaces the model file at once."""
        (self.folder / "new").write_bytes(content)
        (self.folder / "new").rename(self.folder / "model.json")

    def ask(self, connection: http.client.HTTPConnection, path: str, body: bytes) -> tuple[int, bytes]:
        """One request."""
        connection.request("POST", path, body, {"Content-Type": "text/csv", "Accept": "text/csv"})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def learn(self) -> None:
        """What each model answers."""
        for model in self.models:
            self.replace(model)
            before = self.reloads()
            self.process.send_signal(signal.SIGHUP)
            time.sleep(3)
            assert self.reloads() >= before
            connection = http.client.HTTPConnection("127.0.0.1", self.port)
            for path in ("/v1/rank", "/v1/score", "/v1/explain", "/v1/plan"):
                for size, body in self.bodies.items():
                    status, text = self.ask(connection, path, body)
                    assert status == 200, text
                    self.expected.setdefault((path, size), set()).add(text)
            connection.close()

    def reloads(self) -> int:
        """How often models were loaded again."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return int(next(line for line in text.splitlines() if line.startswith("stakes_reloads_total")).split()[1])

    def load(self, seed: int) -> None:
        """Requests without end."""
        draw = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.done.is_set():
            kind = draw.random()
            try:
                if kind < 0.9:
                    path, size = draw.choice(list(self.expected))
                    status, text = self.ask(connection, path, self.bodies[size])
                    self.met[f"{path} {status}"] += 1
                    # Beyond what is taken on at a time there are refusals.
                    if not (status == 503 or (status == 200 and text in self.expected[path, size])):
                        self.lost.append(f"{path} {size}: {status} {text[:200]!r}")
                elif kind < 0.95:
                    status, _ = self.ask(connection, "/v1/rank", draw.randbytes(draw.randrange(1, 5000)))
                    self.met[f"broken {status}"] += 1
                    if status not in (400, 413, 422):
                        self.lost.append(f"broken: {status}")
                else:
                    # Half a request, then away.
                    with socket.create_connection(("127.0.0.1", self.port)) as half:
                        half.sendall(
                            draw.choice(
                                [
                                    b"",
                                    b"POST /v1/ra",
                                    b"POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na",
                                ]
                            )
                        )
                    self.met["half"] += 1
            except (OSError, http.client.HTTPException) as error:
                self.lost.append(repr(error))
                connection.close()

    def memory(self) -> int:
        """MB in use."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


def main() -> None:
    """Runs it and says what was met."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=60, help="seconds between reloads")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--stakes", default=str(ROOT / "target/release/stakes"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        soak = Soak(Path(name), str(Path(options.stakes).resolve()))
        soak.learn()
        threads = [threading.Thread(target=soak.load, args=(seed,)) for seed in range(options.threads)]
        for thread in threads:
            thread.start()
        end, turn, memory = time.monotonic() + options.minutes * 60, 0, []
        while (left := end - time.monotonic()) > 0:
            soak.done.wait(min(options.every, left))
            turn += 1
            whole = soak.models[turn // 2 % 2]
            soak.replace(whole if turn % 2 else whole[: len(whole) // 2])
            soak.process.send_signal(signal.SIGHUP)
            memory.append(soak.memory())
            print(
                f"{time.strftime('%X')} {sum(soak.met.values())} requests, {memory[-1]} MB, {len(soak.lost)} lost",
                flush=True,
            )
        soak.done.set()
        for thread in threads:
            thread.join()
        reloads = soak.reloads()
        soak.process.send_signal(signal.SIGTERM)
        code = soak.process.wait(timeout=60)
        print(dict(sorted(soak.met.items())))
        print(f"{reloads} reloads; memory {min(memory)} to {max(memory)} MB, {memory[-1]} at the end; exit code {code}")
        for lost in soak.lost[:20]:
            print("LOST", lost)
        raise SystemExit(1 if soak.lost or code else 0)


if __name__ == "__main__":
    main()
