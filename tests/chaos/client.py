"""A caller of the API that asks again until there is an answer, with the same Idempotency-Key."""

import http.client
import json
import random
import time
import uuid

TIMEOUT = 8
PATIENCE_SECONDS = 150


class GaveUp(Exception):
    pass


def ask(url: str, method: str, path: str, body, headers: dict, timeout: float = TIMEOUT) -> tuple:
    host = url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=timeout)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        data = answer.read()
        kind = answer.headers.get("content-type", "")
        return answer.status, json.loads(data) if data and "json" in kind else data.decode()
    finally:
        connection.close()


def alive(url: str) -> bool:
    try:
        return ask(url, "GET", "/livez", None, {}, 1)[0] == 200
    except (OSError, http.client.HTTPException):
        return False


class Client:
    """For one tenant; `urls` are servers, any of which may be dead at the moment."""

    def __init__(self, urls: list, key: str, journal, rng: random.Random):
        self.urls = urls
        self.headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        self.journal = journal
        self.rng = rng
        self.repeats = 0

    def post(self, path: str, body: dict, idempotency: str = None) -> tuple:
        """The status and the body of the first real answer."""
        headers = self.headers | {"idempotency-key": idempotency or str(uuid.uuid4())}
        return self._until_answered("POST", path, body, headers)

    def get(self, path: str) -> tuple:
        return self._until_answered("GET", path, None, self.headers)

    def _until_answered(self, method: str, path: str, body, headers: dict) -> tuple:
        deadline = time.monotonic() + PATIENCE_SECONDS
        pause = 0.02
        while time.monotonic() < deadline:
            url = self.rng.choice(self.urls)
            try:
                status, answer = ask(url, method, path, body, headers)
                if status == 500:
                    self.journal.note("http_500", path=path, answer=str(answer)[:500])
                # 409: the same request is still under way on another server.
                waiting = status == 409 and "in_progress" in str(answer)
                if status < 500 and status != 429 and not waiting:
                    return status, answer
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self.repeats += 1
            time.sleep(pause)
            pause = min(pause * 2, 0.5)
        raise GaveUp(f"{method} {path}: no answer within {PATIENCE_SECONDS} s")
