"""The Pawl processes of a world: servers (with a worker) and plain workers, behind a proxy each."""

import os
import signal
import subprocess
import time

import client
from cluster import Cluster, free_port
from proxy import Proxy

SECRET = "cGF3bCBpcyBhIHdvcmtmbG93IGVuZ2luZSBpbiBDKysu"[:43] + "="


class Process:
    def __init__(self, name: str, binary: str, serves: bool, cluster: Cluster, sink: str):
        self.name = name
        self.binary = binary
        self.serves = serves
        self.proxy = Proxy(cluster.port)
        self.cluster = cluster
        self.sink = sink
        self.port = free_port() if serves else 0
        self.process = None
        self.started = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list:
        what = ["serve", "--listen", f"127.0.0.1:{self.port}", "--no-access-log"]
        made = [self.binary, *(what if self.serves else ["worker"])]
        made += ["--functions-url", self.sink, "--allow-outbound", "127.0.0.1"]
        made += ["--unsafe-sql-as-engine"]
        return [*made, "--log-level", "warn"]

    def start(self) -> None:
        env = environment(self.cluster.url(self.proxy.port))
        path = self.cluster.home.parent / f"{self.name}.log"
        tied = ["setpriv", "--pdeathsig", "KILL"]
        with open(path, "ab") as log:
            options = {"env": env, "stdout": log, "stderr": log, "stdin": subprocess.DEVNULL}
            self.process = subprocess.Popen([*tied, *self.command()], **options)
        self.started += 1

    def keep(self) -> None:
        """One that gave up (no database when it started) is started again."""
        if self.process.poll() is not None:
            self.start()

    def send(self, number: int) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Asks it to stop; returns only when it has."""
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()


def environment(url: str) -> dict:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "PAWL_"))}
    return kept | {"DATABASE_URL": url, "PAWL_SECRET_KEY": SECRET}


def command(binary: str, cluster: Cluster, *args: str, text: str = None) -> str:
    """Runs a command of the command line, straight at the cluster."""
    env = environment(cluster.url())
    options = {"env": env, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run([binary, *args], input=text, **options)
    if done.returncode != 0:
        raise SystemExit(f"chaos: pawl {' '.join(args)}: {done.stderr or done.stdout}")
    return done.stdout


def await_listening(processes: list, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    for process in processes:
        while process.serves and not client.alive(process.url):
            if time.monotonic() > deadline:
                raise SystemExit(f"chaos: {process.name} does not answer on {process.url}")
            process.keep()
            time.sleep(0.05)
