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

    def note(self, what: str, **facts) -> None:
        self.note_all(what, [facts])

    def note_all(self, what: str, many: list) -> None:
        at = round(time.time(), 4)
        entries = [{"at": at, "what": what, **facts} for facts in many]
        lines = "".join(json.dumps(entry) + "\n" for entry in entries)
        with self.lock:
            self.entries += entries
            self.file.write(lines)
            self.file.flush()
            if self.flush:
                os.fsync(self.file.fileno())

    def all(self) -> list:
        with self.lock:
            return list(self.entries)
