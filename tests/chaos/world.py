"""A cluster, four Pawl processes behind proxies, a sink, a journal and three tenants."""

import json
import pathlib
import re
import time

import processes
import workflows
from cluster import Cluster
from disk import Disk
from journal import Journal
from sink import Sink

TENANTS = ("default", "acme", "mallory")
SETUP = """
    create schema chaos;
    create table chaos.sent (id text primary key, at timestamptz not null default now());
    create table chaos.counted (key text not null, n int not null);
    grant usage on schema chaos to public;
    grant select, insert on all tables in schema chaos to public
"""


class World:
    def __init__(self, home: pathlib.Path, binary: str, slow: bool = True, flush: bool = True,
                 disk_megabytes: int = 0):
        self.home = home
        self.binary = binary
        self.disk = Disk(home / "postgres", disk_megabytes) if disk_megabytes else None
        self.cluster = Cluster(home / "postgres", slow)
        self.sink = Sink(home / "sink.jsonl")
        self.journal = Journal(home / "journal.jsonl", flush)
        self.processes = []
        self.keys = {}

    def pawl(self, *args: str) -> str:
        return processes.command(self.binary, self.cluster, *args)

    def create(self, servers: int = 2, workers: int = 2) -> None:
        self.cluster.create()
        self.cluster.start()
        self.pawl("migrate", "up")
        with self.cluster.connect() as connection:
            for statement in SETUP.split(";"):
                connection.rows(statement)
        for tenant in TENANTS:
            self._make_tenant(tenant)
        for n in range(servers + workers):
            serves = n < servers
            name = f"{'serve' if serves else 'worker'}-{n}"
            made = processes.Process(name, self.binary, serves, self.cluster, self.sink.url)
            self.processes.append(made)

    def _make_tenant(self, tenant: str) -> None:
        if tenant != "default":
            self.pawl("tenants", "create", tenant)
        key = self.pawl("--tenant", tenant, "keys", "create", "--name", "c", "--scope", "admin")
        self.keys[tenant] = re.search(r"pawl_\S+", key)[0]
        if tenant == "default":
            self._make_accounts()
        for definition in workflows.of_tenant(tenant):
            path = self.home / "definition.json"
            path.write_text(json.dumps(definition))
            self.pawl("--tenant", tenant, "workflows", "apply", "-f", str(path))
        if tenant != "mallory":
            hook = ["webhooks", "create", "--url", f"{self.sink.url}/hook"]
            hook += ["--event", "run.*", "--event", "step.*", "--retries", ",".join(["1"] * 20)]
            for definition in workflows.told_of(tenant):
                hook += ["--workflow", definition["name"]]
            self.pawl("--tenant", tenant, *hook)

    def _make_accounts(self) -> None:
        path = self.home / "connector.json"
        path.write_text(json.dumps(workflows.pigeon(self.sink.url)))
        self.pawl("connectors", "apply", "-f", str(path))
        path.write_text(json.dumps({"credentials": {}, "settings": {}}))
        for connector in ("webhook", "pigeon"):
            self.pawl("connectors", "accounts", "put", connector, "main", "-f", str(path))

    def start(self) -> None:
        for process in self.processes:
            process.start()
        processes.await_listening(self.processes)

    def move_to(self, cluster: Cluster) -> None:
        """Another server was promoted: connections lead there from now on."""
        self.cluster = cluster
        for process in self.processes:
            process.cluster = cluster
            process.proxy.aim(cluster.port)
            process.proxy.cut()

    def urls(self) -> list:
        return [process.url for process in self.processes if process.serves]

    def keep(self) -> None:
        for process in self.processes:
            process.keep()

    def settle(self, seconds: float) -> bool:
        """Waits until nothing is open, waits or has to be told; False after so many seconds."""
        deadline = time.monotonic() + seconds
        open_things = """select (select count(*) from pawl.live_run)
            + (select count(*) from pawl.outbox where state < 2)
            + (select count(*) from pgmq.q_chaos_orders)
            + (select count(*) from pawl.signal) + (select count(*) from pawl.subscription)
            + (select count(*) from pawl.trigger_pending)"""
        with self.cluster.connect() as connection:
            while time.monotonic() < deadline:
                self.keep()
                if connection.value(open_things) == "0":
                    return True
                time.sleep(0.2)
        return False

    def close(self) -> None:
        for process in self.processes:
            if process.process is not None:
                process.kill()
        self.cluster.stop()
        self.sink.shutdown()
        if self.disk:
            self.disk.unmount()
