"""What a worker tells systemd: ready, alive, stopping. Needs the Postgres of with-postgres.

    scripts/with-postgres python3 tests/deploy/notify.py PATH_OF_PAWL
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

pawl = sys.argv[1]


def heard(listener: socket.socket, what: str, seconds: float = 30) -> None:
    """Waits for a message with this line in it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        listener.settimeout(max(deadline - time.monotonic(), 0.01))
        lines = listener.recv(4096).decode().splitlines()
        if what in lines:
            print("notify:", " ".join(lines))
            return
    sys.exit(f"notify: {what} did not come")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/notify"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind(path)
        name = f"notify_{os.getpid()}"
        subprocess.run(["psql", "-qXc", f"create database {name}"], check=True)
        env = os.environ | {"PGDATABASE": name}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([pawl, "migrate", "up"], env=env, check=True, **quiet)
        env |= {"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"}
        worker = subprocess.Popen([pawl, "worker"], env=env, **quiet)
        try:
            heard(listener, "READY=1")
            heard(listener, "WATCHDOG=1")
            heard(listener, "WATCHDOG=1")
            worker.send_signal(signal.SIGTERM)
            heard(listener, "STOPPING=1")
            if worker.wait(30) != 0:
                sys.exit(f"notify: the worker ended with {worker.returncode}")
        finally:
            worker.kill()
            worker.wait()
            subprocess.run(["psql", "-qXc", f"drop database {name} with (force)"], check=True)


if __name__ == "__main__":
    main()
