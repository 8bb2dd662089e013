"""Faults, drawn from a seed. Each begins now; what has to end later is healed by `tick`.

All of it happens in the main thread: the server ends with the thread that started it.
"""

import random
import signal
import sys
import threading
import time

import pg
import traffic

DEATH_SECONDS = 8  # a worker without a heartbeat for so long is declared dead
BACKENDS = """select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and client_port > 0"""
LEASED = """select count(*) from pawl.live_run l join pawl.workflow w on w.id = l.workflow
    where l.state = 1 and w.name in ('quick', 'line', 'counter')"""
LOCKS = (
    "lock table pawl.live_run in share row exclusive mode",
    "lock table pawl.event in exclusive mode",
    "lock table pawl.signal in share row exclusive mode",
    "select 1 from pawl.live_run order by run_id limit 50 for update",
    "select 1 from pawl.worker for update",
    "select 1 from pawl.outbox limit 100 for update",
)
WITH_STANDBY = {"promote": 6, "hold_standby_up": 3}
WITH_DISK = {"full_disk": 4}


class Faults:
    def __init__(self, world, seed: int):
        self.world = world
        self.rng = random.Random(f"{seed}/faults")
        self.healing = []  # (when, what to do)
        self.standby = None  # with one, the server is replaced by it now and then
        self.first = None  # each kind once, before chance decides
        # Crashes most often: what they lose is the hardest to get right.
        self.kinds = {
            "crash": 4,
            "crash_in_a_burst": 4,
            "kill": 6,
            "terminate": 4,
            "half_a_message": 3,
            "lost_answers": 3,
            "cut": 2,
            "silence": 2,
            "freeze_worker": 2,
            "freeze_postgres": 1,
            "lock_storm": 2,
            "delay": 1,
            "stop_worker": 2,
        }

    def keep_only(self, names: list) -> None:
        unknown = [name for name in names if name not in self.kinds and name != "none"]
        if unknown:
            known = ", ".join([*self.kinds, "none"])
            print(f"chaos: no such fault: {', '.join(unknown)}; there are {known}", file=sys.stderr)
            sys.exit(2)
        self.kinds = {name: n for name, n in self.kinds.items() if name in names}

    def one(self) -> None:
        names = list(self.kinds)
        if self.first is None:
            self.first = self.rng.sample(names, len(names))
        if self.first:
            self.do(self.first.pop())
        elif names:
            self.do(self.rng.choices(names, list(self.kinds.values()))[0])

    def do(self, name: str) -> None:
        about = getattr(self, name)()
        self.world.journal.note("fault", name=name, about=about)

    def tick(self) -> None:
        now = time.monotonic()
        due = [entry for entry in self.healing if entry[0] <= now]
        self.healing = [entry for entry in self.healing if entry[0] > now]
        for _, action in due:
            action()

    def heal_all(self) -> None:
        for _, action in self.healing:
            action()
        self.healing = []

    def _later(self, seconds: float, action) -> None:
        self.healing.append((time.monotonic() + seconds, action))

    def _process(self):
        return self.rng.choice(self.world.processes)

    def crash(self) -> str:
        self.world.cluster.crash()
        self.world.cluster.start()
        return "postgres"

    def crash_in_a_burst(self) -> str:
        """While workers take runs: they must not go on with those whose claim the crash undid."""
        count = self.rng.randrange(5, 40)
        try:
            with self.world.cluster.connect() as connection:
                traffic.start_burst(self.world.journal, connection, self.rng, count)
                deadline = time.monotonic() + 1
                while connection.value(LEASED) == "0" and time.monotonic() < deadline:
                    time.sleep(0.002)
                time.sleep(self.rng.random() * 0.08)  # the moment is drawn too
                self.crash()
        except pg.Lost:
            return "no connection"
        return f"{count} runs were started"

    def hold_standby_up(self) -> str:
        seconds = self.rng.choice([1, 3])
        self.standby.hold_up(seconds)
        self.standby.cluster.thaw()
        return f"for {seconds} s"

    def promote(self) -> str:
        held_up = self.rng.random() < 0.7
        if held_up:
            self.standby.hold_up(self.rng.choice([1, 3]))
        self.standby.take_over()
        return "after it was held up" if held_up else ""

    def full_disk(self) -> str:
        size = self.world.disk.fill(self.world.cluster, self.rng.choice([1, 3, 6]))
        return f"{size // 1000000} MB were in the way"

    def kill(self) -> str:
        process = self._process()
        process.kill()
        process.start()
        return process.name

    def stop_worker(self) -> str:
        process = self._process()
        process.send(signal.SIGTERM)  # `keep` starts it again
        return process.name

    def freeze_worker(self) -> str:
        """Longer than the death time: others take its runs, then it goes on as if nothing was."""
        process = self._process()
        process.send(signal.SIGSTOP)
        seconds = DEATH_SECONDS + 1 + self.rng.random() * 4
        self._later(seconds, lambda: process.send(signal.SIGCONT))
        return f"{process.name} for {seconds:.1f} s"

    def freeze_postgres(self) -> str:
        seconds = self.rng.choice([0.5, 2, DEATH_SECONDS + 2])
        self.world.cluster.freeze()
        time.sleep(seconds)  # how long the fault lasts, not a wait for something
        self.world.cluster.thaw()
        return f"{seconds} s"

    def terminate(self) -> str:
        try:
            with self.world.cluster.connect() as connection:
                pids = [row[0] for row in connection.rows(BACKENDS)]
                chosen = [pid for pid in pids if self.rng.random() < 0.5]
                for pid in chosen:
                    connection.rows("select pg_terminate_backend($1::int)", pid)
                return f"{len(chosen)} of {len(pids)} backends"
        except pg.Lost:
            return "no connection"

    def cut(self) -> str:
        process = self._process()
        process.proxy.cut()
        return process.name

    def silence(self) -> str:
        process = self._process()
        seconds = self.rng.choice([1, 4, DEATH_SECONDS + 4])
        process.proxy.silence()
        healed = self.rng.choice([process.proxy.heal, process.proxy.cut])
        self._later(seconds, healed)
        return f"{process.name} for {seconds} s"

    def half_a_message(self) -> str:
        process = self._process()
        process.proxy.halve()
        self._later(self.rng.choice([0.5, 3, DEATH_SECONDS + 3]), process.proxy.cut)
        return process.name

    def lost_answers(self) -> str:
        process = self._process()
        process.proxy.deafen()
        self._later(self.rng.choice([0.05, 0.3, 2]), process.proxy.cut)
        return process.name

    def delay(self) -> str:
        process = self._process()
        process.proxy.delay(0.03)
        self._later(4, process.proxy.heal)
        return process.name

    def lock_storm(self) -> str:
        text = self.rng.choice(LOCKS)
        seconds = self.rng.choice([0.3, 2, 5])
        thread = threading.Thread(target=self._hold, args=(text, seconds), daemon=True)
        thread.start()
        return f"{text} for {seconds} s"

    def _hold(self, text: str, seconds: float) -> None:
        try:
            with self.world.cluster.connect() as connection:
                connection.rows("set lock_timeout = '5s'")
                connection.rows("begin")
                connection.rows(text)
                connection.rows("select pg_sleep($1::float8)", seconds)
                connection.rows("commit")
        except (pg.Lost, pg.Refused):
            pass  # another fault ended it
