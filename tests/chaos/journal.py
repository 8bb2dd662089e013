"""What the harness asked for and what was acknowledged: a file, flushed before anything goes on.

An entry is written before a request (`asked`) and after its answer (`acknowledged`), so that the
checker knows what must be there, what may be there, and that nothing else is.
"""

import json
import os
import pathlib
import threading
import time


class Journal:
    def __init__(self, path: pathlib.Path, flush: bool = True):
        self.file = open(path, "a", encoding="utf-8")
        self.lock = threading.Lock()
        self.flush = flush
        self.entries = []

    def note(self, what: str, **facts) -> dict:
        entry = {"at": round(time.time(), 4), "what": what, **facts}
        line = json.dumps(entry) + "\n"
        with self.lock:
            self.entries.append(entry)
            self.file.write(line)
            self.file.flush()
            if self.flush:
                os.fsync(self.file.fileno())
        return entry

    def all(self) -> list:
        with self.lock:
            return list(self.entries)


def read(path: pathlib.Path) -> list:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
