"""Very many runs with one effect each, started in batches as fast as they are carried out."""

import json
import threading
import time
import uuid

from client import GaveUp
from traffic import Caller

BATCH = 500
OPEN_MAX = 3000
START = "select run_id from pawl.start_many('one', $1::jsonb) order by place"
OPEN = """select count(*) from pawl.live_run l join pawl.workflow w on w.id = l.workflow
    where w.name = 'one'"""


class Bulk:
    def __init__(self, world, seed: int, runs: int):
        self.caller = Caller(world, "default", f"{seed}/bulk")
        self.journal = world.journal
        self.wanted = runs
        self.acknowledged = 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def begin(self) -> None:
        self.thread.start()

    def over(self) -> bool:
        return not self.thread.is_alive()

    def _run(self) -> None:
        try:
            while self.acknowledged < self.wanted and not self.stopping.is_set():
                if int(self.caller.sql(OPEN)[0][0]) < OPEN_MAX:
                    self._start_batch()
                else:
                    time.sleep(0.05)
        except GaveUp as error:
            self.journal.note("contradiction", text=f"bulk: {error}")

    def _start_batch(self) -> None:
        chance = self.caller.rng
        count = min(BATCH, self.wanted - self.acknowledged)
        keys = [f"one-{uuid.UUID(int=chance.getrandbits(128))}" for _ in range(count)]
        answer = self.caller.sql(START, json.dumps([{"correlation_id": key} for key in keys]))
        facts = {"tenant": "default", "workflow": "one"}
        started = [
            {"run": run, "correlation": key, **facts} for key, (run,) in zip(keys, answer)
        ]
        self.journal.note_all("started", started)
        self.acknowledged += count
