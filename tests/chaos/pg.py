"""PostgreSQL for the harness: libpq through ctypes, so that only Python and libpq are needed.

A statement blocks its thread and no other: ctypes lets go of the interpreter meanwhile. A
connection belongs to one thread at a time.
"""

import ctypes
import ctypes.util


class Lost(Exception):
    """The connection broke: the fate of the statement is unknown."""


class Refused(Exception):
    """The server answered with an error: the statement did nothing."""

    def __init__(self, state: str, message: str):
        super().__init__(f"{state}: {message}")
        self.state = state


def _library():
    found = ctypes.util.find_library("pq")
    if not found:
        raise SystemExit("chaos: libpq is not installed; run scripts/install-deps")
    pq = ctypes.CDLL(found)
    texts = ("PQerrorMessage", "PQresultErrorField", "PQgetvalue", "PQfname", "PQcmdTuples")
    for name in texts:
        getattr(pq, name).restype = ctypes.c_char_p
    for name in ("PQconnectdb", "PQexecParams"):
        getattr(pq, name).restype = ctypes.c_void_p
    for name in ("PQstatus", "PQerrorMessage", "PQfinish"):
        getattr(pq, name).argtypes = [ctypes.c_void_p]
    for name in ("PQresultStatus", "PQntuples", "PQnfields", "PQclear"):
        getattr(pq, name).argtypes = [ctypes.c_void_p]
    pq.PQconnectdb.argtypes = [ctypes.c_char_p]
    pq.PQresultErrorField.argtypes = [ctypes.c_void_p, ctypes.c_int]
    pq.PQgetvalue.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    pq.PQgetisnull.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    pq.PQsetNoticeProcessor.argtypes = [ctypes.c_void_p] * 3
    pointers = [ctypes.c_void_p] * 4
    pq.PQexecParams.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, *pointers]
    pq.PQexecParams.argtypes += [ctypes.c_int]
    return pq


PQ = _library()
QUIET = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(lambda _, __: None)
TUPLES, COMMAND, EMPTY = 2, 1, 0
SQLSTATE, PRIMARY = ord("C"), ord("M")
# The server goes away in the middle: a commit under way may have happened.
GOING_AWAY = ("57P01", "57P02", "57P03", "08000", "08003", "08006")


class Connection:
    def __init__(self, conninfo: str):
        self.handle = PQ.PQconnectdb(conninfo.encode())
        PQ.PQsetNoticeProcessor(self.handle, QUIET, None)
        if PQ.PQstatus(self.handle) != 0:
            message = PQ.PQerrorMessage(self.handle).decode(errors="replace").strip()
            self.close()
            raise Lost(message)

    def close(self) -> None:
        if self.handle:
            PQ.PQfinish(self.handle)
            self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def rows(self, text: str, *params) -> list:
        """All rows as tuples of texts; None is null."""
        given = [None if p is None else str(p).encode() for p in params]
        values = (ctypes.c_char_p * len(given))(*given)
        pointer = ctypes.cast(values, ctypes.c_void_p) if given else None
        result = PQ.PQexecParams(
            self.handle, text.encode(), len(given), None, pointer, None, None, 0
        )
        try:
            status = PQ.PQresultStatus(result)
            if status in (TUPLES, COMMAND, EMPTY):
                return self._read(result)
            self._fail(result)
        finally:
            PQ.PQclear(result)

    def value(self, text: str, *params):
        rows = self.rows(text, *params)
        return rows[0][0] if rows else None

    def _read(self, result) -> list:
        columns = range(PQ.PQnfields(result))

        def cell(row: int, column: int):
            if PQ.PQgetisnull(result, row, column):
                return None
            return PQ.PQgetvalue(result, row, column).decode()

        return [tuple(cell(r, c) for c in columns) for r in range(PQ.PQntuples(result))]

    def _fail(self, result) -> None:
        state = (PQ.PQresultErrorField(result, SQLSTATE) or b"").decode()
        message = (PQ.PQresultErrorField(result, PRIMARY) or b"").decode(errors="replace")
        if not state or state in GOING_AWAY or PQ.PQstatus(self.handle) != 0:
            raise Lost(message or PQ.PQerrorMessage(self.handle).decode(errors="replace"))
        raise Refused(state, message)
