"""Callers: each scenario asks until it is acknowledged, and notes what must come of it."""

import json
import random
import threading
import time
import uuid

import pg
from client import Client, GaveUp

EMIT = "select pawl.emit($1, key => $2, data => $3::jsonb, id => $4)"
# The row makes a statement that is sent again do nothing: its first try may have committed. It is
# written in any case, so that the answer waits for a standby.
ONCE = """with once as (insert into chaos.sent as s (id) values ($1)
              on conflict (id) do update set at = now() returning s.xmax = 0 as fresh) """
SIGNAL = ONCE + "select pawl.signal($2::uuid, 'go', $3::jsonb) from once where fresh"
ENQUEUE = ONCE + "select pgmq.send('chaos_orders', $2::jsonb) from once where fresh"
START = "select pawl.start($1, $2::jsonb, correlation_id => $3)"


class Caller:
    """One thread of one tenant: an API client, a connection, a generator of chances."""

    def __init__(self, world, tenant: str, seed: str):
        self.world = world
        self.tenant = tenant
        self.rng = random.Random(seed)
        self.journal = world.journal
        self.api = Client(world.urls(), world.keys[tenant], world.journal, self.rng)
        self.connection = None
        self.patient = False  # waits until a run has got a message before it sends the next

    def sql(self, text: str, *params) -> list:
        """Until it is acknowledged; only statements that may be repeated come here."""
        deadline = time.monotonic() + 150
        while time.monotonic() < deadline:
            try:
                if self.connection is None:
                    self.connection = pg.Connection(self.world.cluster.conninfo())
                    if self.tenant != "default":
                        self.connection.rows("select pawl.use_tenant($1)", self.tenant)
                return self.connection.rows(text, *params)
            except pg.Lost:
                self.drop()
            except pg.Refused as refused:
                # A deadlock, a lock that was not to be had, a full disk: nothing was done.
                if refused.state[:2] not in ("40", "53", "55", "57", "58"):
                    raise
            time.sleep(0.05)
        raise GaveUp(text)

    def drop(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def await_received(self, run: str, count: int) -> None:
        text = "select count(*) >= $2::int from pawl.event where run_id = $1::uuid and type = 10"
        deadline = time.monotonic() + 30
        while self.patient and self.sql(text, run, count)[0][0] != "t":
            if time.monotonic() > deadline:
                raise GaveUp(f"run {run} does not get message {count}")
            time.sleep(0.02)

    def pause(self, most: float) -> None:
        time.sleep(self.rng.random() * most)

    def start(self, workflow: str, data: dict) -> str:
        correlation = f"{workflow}-{uuid.UUID(int=self.rng.getrandbits(128))}"
        facts = {"tenant": self.tenant, "workflow": workflow, "correlation": correlation}
        self.journal.note("starting", **facts)
        if self.rng.random() < 0.3:
            run = self.sql(START, workflow, json.dumps(data), correlation)[0][0]
        else:
            run = self._start_by_api(workflow, data, correlation)
        self.journal.note("started", run=run, data=data, **facts)
        if self.rng.random() < 0.1:
            again = self._start_by_api(workflow, data, correlation)
            if again != run:
                self.journal.note("contradiction", text=f"{correlation} is {run} and {again}")
        return run

    def _start_by_api(self, workflow: str, data: dict, correlation: str) -> str:
        body = {"workflow": workflow, "data": data, "correlation_id": correlation}
        status, answer = self.api.post("/v1/runs", body)
        if status not in (200, 201):
            raise RuntimeError(f"start of {workflow}: {status} {answer}")
        return answer["id"]

    def publish(self, name: str, key: str, data: dict) -> str:
        event = f"{name}-{key}-{data.get('n', 0)}"
        if self.rng.random() < 0.4:
            self.sql(EMIT, name, key, json.dumps(data), event)
        else:
            body = {"name": name, "key": key, "data": data, "id": event}
            status, answer = self.api.post("/v1/events", body)
            if status != 202:
                raise RuntimeError(f"event {event}: {status} {answer}")
        return event


def line(caller: Caller) -> None:
    caller.start("line", {})


def graph(caller: Caller) -> None:
    caller.start("graph", {})


def timer(caller: Caller) -> None:
    caller.start("timer", {})


def counter(caller: Caller) -> None:
    caller.start("counter", {"key": str(uuid.UUID(int=caller.rng.getrandbits(128)))})


def gated(caller: Caller) -> None:
    caller.start(caller.rng.choice(["gated", "locked"]), {"gate": f"g{caller.rng.randrange(2)}"})


def letter(caller: Caller) -> None:
    caller.start("letter", {"to": f"{caller.world.sink.url}/letter"})


def events(caller: Caller) -> None:
    key = f"k{caller.rng.getrandbits(64):x}"
    times = caller.rng.randrange(2, 7)
    run = caller.start("events", {"key": key, "times": times})
    quick = caller.rng.random() < 0.5
    for n in range(1, times + 1):
        caller.pause(0.02 if quick else 0.5)
        event = caller.publish("tick", key, {"n": n})
        caller.journal.note("event", tenant=caller.tenant, key=key, n=n, event=event)
        caller.await_received(run, n)


def signals(caller: Caller) -> None:
    times = caller.rng.randrange(2, 7)
    run = caller.start("signals", {"times": times})
    quick = caller.rng.random() < 0.5
    for n in range(1, times + 1):
        caller.pause(0.02 if quick else 0.5)
        via = "sql" if caller.rng.random() < 0.5 else "http"
        if via == "sql":
            caller.sql(SIGNAL, f"{run}-{n}", run, json.dumps({"n": n}))
        else:
            body = {"name": "go", "data": {"n": n}}
            status, answer = caller.api.post(f"/v1/runs/{run}/signals", body)
            if status not in (200, 202):
                text = f"signal {n} to {run}: {status} {answer}"
                caller.journal.note("contradiction", text=text)
                return
        caller.journal.note("signal", run=run, n=n, via=via)
        caller.await_received(run, n)


def human(caller: Caller) -> None:
    run = caller.start("human", {"key": f"{caller.rng.getrandbits(32):x}"})
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline:
        _, page = caller.api.get("/v1/tasks?state=open&limit=100")
        for task in page["data"]:
            if task["run_id"] == run and approve(caller, run, task["id"]):
                return
        caller.pause(0.4)
    raise GaveUp(f"no task of run {run}")


def approve(caller: Caller, run: str, task: str) -> bool:
    """The second of two decisions is refused; one whose answer was lost is found to be made. A list
    is no acknowledgement: a task that it had may be gone with a server, and is asked for again."""
    status, answer = caller.api.post(f"/v1/tasks/{task}/approve", {"by": "ann"})
    if status == 404:
        return False
    if status not in (200, 409):
        raise RuntimeError(f"task {task}: {status} {answer}")
    caller.journal.note("approved", run=run, task=task, status=status)
    return True


def queued(caller: Caller) -> None:
    key = f"q{caller.rng.getrandbits(64):x}"
    caller.sql(ENQUEUE, key, json.dumps({"key": key}))
    caller.journal.note("queued", key=key)


def triggered(caller: Caller) -> None:
    key = f"t{caller.rng.getrandbits(64):x}"
    event = caller.publish("signed_up", key, {"key": key})
    caller.journal.note("triggered", tenant=caller.tenant, event=event)


def cancelled(caller: Caller) -> None:
    run = caller.start("held", {})
    caller.pause(1)
    status, answer = caller.api.post(f"/v1/runs/{run}/cancel", {"reason": "chaos"})
    if status not in (200, 202, 409):
        raise RuntimeError(f"cancel of {run}: {status} {answer}")
    caller.journal.note("cancelled", run=run, status=status)


def start_burst(journal, connection, rng: random.Random, count: int) -> None:
    """Many runs in one statement that no worker has yet."""
    workflow = rng.choice(["quick", "quick", "line", "counter"])
    count *= 10 if workflow == "quick" else 1
    keys = [f"burst-{uuid.UUID(int=rng.getrandbits(128))}" for _ in range(count)]
    runs = [{"correlation_id": key, "data": {"key": key}} for key in keys]
    text = "select run_id from pawl.start_many($1, $2::jsonb) order by place"
    answer = connection.rows(text, workflow, json.dumps(runs))
    facts = {"tenant": "default", "workflow": workflow}
    entries = [(key, run) for key, (run,) in zip(keys, answer)]
    journal.note_all("started", [{"run": run, "correlation": key, **facts} for key, run in entries])


SHARED = [line, line, graph, graph, timer, events, events, events, signals, signals, signals]
SHARED += [human, triggered, cancelled, gated]
DEFAULT_ONLY = [counter, queued, queued, letter, letter]


def scenarios_of(tenant: str) -> list:
    return SHARED + (DEFAULT_ONLY if tenant == "default" else [])


class Traffic:
    """Threads of callers, until they are told to finish what they have begun."""

    def __init__(self, world, seed: int, threads: int, pause: float):
        self.world = world
        self.stopping = threading.Event()
        self.pause = pause
        self.threads = []
        for n in range(threads):
            tenant = ("default", "acme")[n % 2]
            caller = Caller(world, tenant, f"{seed}/{n}")
            self.threads.append(threading.Thread(target=self._run, args=(caller,), daemon=True))

    def begin(self) -> None:
        for thread in self.threads:
            thread.start()

    def _run(self, caller: Caller) -> None:
        choices = scenarios_of(caller.tenant)
        while not self.stopping.is_set():
            scenario = caller.rng.choice(choices)
            try:
                scenario(caller)
            except Exception as error:  # whatever it was, the checker must hear of it
                text = f"{scenario.__name__} of {caller.tenant}: {type(error).__name__}: {error}"
                self.world.journal.note("contradiction", text=text)
            caller.pause(self.pause)
        caller.drop()

    def finish(self, seconds: float) -> bool:
        """Whether all callers got their answers in time."""
        self.stopping.set()
        deadline = time.monotonic() + seconds
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self.threads)
