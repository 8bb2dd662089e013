"""The world outside: an HTTP server that answers function steps and webhooks and notes each call.

`log` is what the checker reads. An effect is answered late now and then, and `flaky` fails the
first time for each key. Messages come to /letter, as a provider that recognises a repeat has them,
and to /pigeon, as one that does not: it can be asked which it has.
"""

import hashlib
import http.server
import json
import pathlib
import socketserver
import threading
import time


class Sink(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, path: pathlib.Path):
        super().__init__(("127.0.0.1", 0), Handler)
        self.file = open(path, "a", encoding="utf-8")
        self.lock = threading.Lock()
        self.calls = []
        self.tries = {}
        self.letters = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def note(self, **facts) -> int:
        """Notes a call; returns how often its key was seen."""
        entry = {"at": round(time.time(), 4), **facts}
        with self.lock:
            self.calls.append(entry)
            self.file.write(json.dumps(entry) + "\n")
            self.file.flush()
            seen = self.tries.get(entry["key"], 0) + 1
            self.tries[entry["key"]] = seen
            return seen

    def log(self) -> list:
        with self.lock:
            return list(self.calls)

    def handle_error(self, request, client_address):
        """A caller that was killed in the middle is what this harness is about."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Whether a message is there."""
        key = self.path.removeprefix("/pigeon/")
        there = key in self.server.letters
        self.answer(200 if there else 404, {"id": f"p-{key}"} if there else {})

    def do_POST(self):
        size = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(size) or b"{}")
        if self.path.startswith("/hook"):
            return self.hook(body)
        if self.path.startswith(("/letter", "/pigeon")):
            return self.letter(body)
        key = self.headers.get("idempotency-key", "")
        action = body.get("action", "")
        seen = self.server.note(
            kind="effect", key=key, action=action, payload=body.get("payload")
        )
        digit = hashlib.sha256(f"{key}{seen}".encode()).digest()[0]
        if digit < 20:
            time.sleep(0.4)  # long enough for a worker to die meanwhile
        if action == "flaky" and seen == 1:
            return self.answer(500, {"success": False, "error": "not yet"})
        self.answer(200, {"success": True, "data": {"action": action}})

    def letter(self, body: dict):
        safe = self.path.startswith("/letter")
        key = self.headers.get("webhook-id", "") if safe else body["id"]
        digit = hashlib.sha256(f"{key}{time.time()}".encode()).digest()[0]
        if digit < 10:
            return self.answer(503, {})
        taken = not 10 <= digit < 20
        if taken:
            self.server.note(kind="letter", key=key, action="safe" if safe else "pigeon")
            self.server.letters.add(key)
        if digit < 30:
            return self.answer(500, {})
        if digit < 60:
            time.sleep(0.4)  # long enough for a worker to die meanwhile
        self.answer(200, {"id": f"p-{key}"})

    def hook(self, body: dict):
        data = body.get("data", {})
        key = self.headers.get("webhook-id", "")
        # The first try of some is refused, so that those behind it have to wait.
        unlucky = hashlib.sha256(key.encode()).digest()[0] < 12
        refused = unlucky and key not in self.server.tries
        facts = {"type": body.get("type"), "run": data.get("run_id"), "seq": data.get("seq")}
        self.server.note(kind="hook", key=key, ok=not refused, **facts)
        self.answer(503 if refused else 200, {})

    def answer(self, status: int, body: dict):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass
