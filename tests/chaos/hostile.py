"""A tenant that means harm: programs that do not end, huge names and numbers, floods, wrong bodies.

Its requests may be refused (4xx); they may not hurt others, and no answer may be a 500.
"""

import string
import threading
import time

from client import GaveUp
from traffic import Caller

LETTERS = string.ascii_letters + string.digits


def text_of(caller: Caller, size: int) -> str:
    """Text that does not compress, so that it does not fit where only its compressed form would."""
    return "".join(caller.rng.choices(LETTERS, k=size))


def endless(caller: Caller) -> None:
    caller.api.post("/v1/runs", {"workflow": "endless", "data": {}})


def big_numbers(caller: Caller) -> None:
    n = caller.rng.choice([1e308, -1e308, 5e-324, 2**63 - 1, 10**30])
    caller.api.post("/v1/runs", {"workflow": "big_numbers", "data": {"n": n}})


def long_names(caller: Caller) -> None:
    who = text_of(caller, caller.rng.choice([300, 3000, 10000]))
    status, answer = caller.api.post("/v1/runs", {"workflow": "long_names", "data": {"who": who}})
    if status != 201:
        return
    caller.pause(2)
    caller.api.post(f"/v1/runs/{answer['id']}/cancel", {"reason": "x"})


def flood(caller: Caller) -> None:
    runs = [{"workflow": "flood", "data": {"x": text_of(caller, 20)}}] * 100
    caller.api.post("/v1/runs/batch", {"runs": runs})


def wrong(caller: Caller) -> None:
    bodies = [
        ("/v1/runs", {"workflow": "flood", "data": {"x": "\u0000"}}),
        ("/v1/runs", {"workflow": "flood", "correlation_id": text_of(caller, 5000)}),
        ("/v1/runs", {"workflow": "flood", "subject": text_of(caller, 9000)}),
        ("/v1/runs", {"workflow": text_of(caller, 3000)}),
        ("/v1/runs", {"workflow": "flood", "priority": 10**12}),
        ("/v1/events", {"name": text_of(caller, 300), "key": "x"}),
        ("/v1/events", {"name": "x", "key": text_of(caller, 9000)}),
        ("/v1/events", {"name": "tick", "key": "x", "data": {"n": "\ud800"}}),
        ("/v1/runs/00000000-0000-0000-0000-000000000000/signals", {"name": "go"}),
        ("/v1/runs/bulk", {"action": "cancel", "filter": {}, "all": True, "limit": -1}),
    ]
    caller.api.post(*caller.rng.choice(bodies))


CHOICES = [endless, big_numbers, long_names, flood, wrong, wrong]


class Hostile:
    def __init__(self, world, seed: int):
        self.stopping = threading.Event()
        self.caller = Caller(world, "mallory", f"{seed}/mallory")
        self.journal = world.journal
        self.thread = threading.Thread(target=self._run, daemon=True)

    def begin(self) -> None:
        self.thread.start()

    def _run(self) -> None:
        while not self.stopping.is_set():
            attack = self.caller.rng.choice(CHOICES)
            self.journal.note("attack", name=attack.__name__)
            try:
                attack(self.caller)
            except GaveUp as error:
                self.journal.note("contradiction", text=f"{attack.__name__}: {error}")
            self.caller.pause(1.0)

    def finish(self, seconds: float) -> None:
        self.stopping.set()
        self.thread.join(seconds)
        self.cancel_all(seconds)

    def cancel_all(self, seconds: float) -> None:
        """Runs that only wait for a person who does not exist are no sign of a defect."""
        deadline = time.monotonic() + seconds
        body = {"action": "cancel", "filter": {"workflow": "long_names"}}
        status, _ = self.caller.api.post("/v1/runs/bulk", body)
        while status == 409 and time.monotonic() < deadline:
            time.sleep(0.2)
            status, _ = self.caller.api.post("/v1/runs/bulk", body)
