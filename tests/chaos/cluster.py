"""A durable PostgreSQL cluster that can crash, freeze and be promoted.

Flushes are slow (commit_delay) and the WAL writer sleeps, so a crash really loses what was
committed without waiting for the disk, as a machine that loses power does.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

import pg

SOURCE = pathlib.Path(__file__).resolve().parents[2]
READY_SECONDS_MAX = 120
SLOW_FLUSHES = {
    "commit_delay": "50000",
    "commit_siblings": "0",
    "wal_writer_delay": "10s",
    "wal_writer_flush_after": "1GB",
    "wal_recycle": "off",  # a full disk is felt at the next segment
}


def _with_postgres():
    path = str(SOURCE / "scripts/with-postgres")
    loader = importlib.machinery.SourceFileLoader("with_postgres", path)
    spec = importlib.util.spec_from_loader("with_postgres", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(parent: int) -> list:
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == parent:
            found.append(int(entry.name))
    return found


def await_stopped(pid: int) -> None:
    """A process that was sent SIGSTOP may still fork until it is stopped."""
    while pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.001)


def send(pids: list, number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Cluster:
    def __init__(self, home: pathlib.Path, slow: bool = True, data: pathlib.Path = None):
        self.home = home
        self.data = data or home / "data"
        self.bin = _with_postgres().server_binaries()
        self.log = home.parent / f"{home.name}.log"
        self.port = free_port()
        self.process = None
        self.settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(home),
            "max_connections": "120",
            "shared_buffers": "128MB",
            "timezone": "UTC",
            "tcp_keepalives_idle": "5",
            "tcp_keepalives_interval": "2",
            "tcp_keepalives_count": "3",
        }
        self.settings |= SLOW_FLUSHES if slow else {}
        # The server ends with the thread that started it: the main one.
        self.as_server = ["setpriv", "--pdeathsig", "QUIT"]
        home.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(home, "postgres", "postgres")
            self.as_server += ["--reuid=postgres", "--regid=postgres", "--init-groups"]

    def tool(self, name: str, *args: str) -> None:
        command = [*self.as_server, str(self.bin / name), *args]
        done = subprocess.run(command, cwd=self.home, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"chaos: {name} failed: {done.stderr[-2000:]}")

    def create(self) -> None:
        options = ["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8"]
        self.tool("initdb", "-D", str(self.data), *options)

    def start(self) -> None:
        command = [*self.as_server, str(self.bin / "postgres"), "-D", str(self.data)]
        for name, value in self.settings.items():
            command += ["-c", f"{name}={value}"]
        with open(self.log, "ab") as log:
            options = {"cwd": self.home, "stdout": log, "stderr": log, "stdin": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, start_new_session=True, **options)
        self.await_ready()

    def await_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with self.connect():
                    return
            except pg.Lost:
                time.sleep(0.02)
        text = self.log.read_text(errors="replace")[-3000:]
        raise SystemExit(f"chaos: the cluster in {self.home} does not come up:\n{text}")

    def conninfo(self, database: str = "postgres") -> str:
        return f"host={self.home} port={self.port} user=postgres dbname={database}"

    def url(self, port: int = 0) -> str:
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/postgres"

    def connect(self, database: str = "postgres") -> pg.Connection:
        return pg.Connection(self.conninfo(database))

    def processes(self) -> list:
        return [self.process.pid, *children(self.process.pid)]

    def crash(self) -> None:
        """Ends every process of the server at once, as a power cut would."""
        os.kill(self.process.pid, signal.SIGSTOP)  # it must not notice that its children die
        await_stopped(self.process.pid)
        victims = children(self.process.pid)
        send([*victims, self.process.pid], signal.SIGKILL)
        self.process.wait()
        deadline = time.monotonic() + 10
        while any(os.path.exists(f"/proc/{pid}") for pid in victims):
            if time.monotonic() > deadline:
                raise SystemExit(f"chaos: processes of the server do not die: {victims}")
            time.sleep(0.005)

    def revive(self) -> None:
        """After the disk was full the server may be down, or may be about to be."""
        deadline = time.monotonic() + READY_SECONDS_MAX
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                self.start()
            try:
                with self.connect() as connection:
                    connection.rows("select pg_switch_wal()")
                    return
            except (pg.Lost, pg.Refused):
                time.sleep(0.1)
        raise SystemExit(f"chaos: the cluster in {self.home} does not come back")

    def freeze(self) -> None:
        send(self.processes(), signal.SIGSTOP)

    def thaw(self) -> None:
        send(self.processes(), signal.SIGCONT)

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.thaw()
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.crash()
