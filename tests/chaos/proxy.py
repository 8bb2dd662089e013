"""A TCP proxy between one Pawl process and Postgres, which breaks connections as networks do.

    cut        every connection is reset
    silence    nothing goes through in either direction, and no connection is closed
    halve      the next thing the client says is cut in the middle, then silence, then a reset
    deafen     what the client says arrives, the answers do not; then a reset
    delay      every piece arrives late
"""

import asyncio
import socket
import struct
import threading

LINGER_NONE = struct.pack("ii", 1, 0)  # close() sends a reset


def reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    if sock is not None:
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
        except OSError:
            pass
    writer.transport.abort()


class Proxy:
    def __init__(self, target_port: int):
        self.target_port = target_port
        self.port = 0
        self.loop = asyncio.new_event_loop()
        self.writers = set()
        self.open = None  # an event: clear means silence
        self.deaf = False
        self.halve_next = False
        self.delay_seconds = 0.0
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)

        async def begin():
            self.open = asyncio.Event()
            self.open.set()
            server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()

        self.loop.run_until_complete(begin())
        self.loop.run_forever()

    def _call(self, action) -> None:
        self.loop.call_soon_threadsafe(action)

    async def _serve(self, reader, writer) -> None:
        try:
            upstream = await asyncio.open_connection("127.0.0.1", self.target_port)
        except OSError:
            reset(writer)
            return
        self.writers |= {writer, upstream[1]}
        there = self._pump(reader, upstream[1], True, (writer, upstream[1]))
        back = self._pump(upstream[0], writer, False, (writer, upstream[1]))
        await asyncio.gather(there, back)
        self.writers -= {writer, upstream[1]}

    async def _pump(self, reader, writer, from_client: bool, both: tuple) -> None:
        try:
            while data := await reader.read(65536):
                if self.delay_seconds:
                    await asyncio.sleep(self.delay_seconds)
                await self.open.wait()
                if from_client and self.halve_next and len(data) > 1:
                    self.halve_next = False
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    self.open.clear()
                    await self.open.wait()
                    break
                if not from_client and self.deaf:
                    continue
                writer.write(data)
                await writer.drain()
        except (OSError, ConnectionError):
            pass
        for one in both:
            reset(one)

    def cut(self) -> None:
        def action():
            for writer in list(self.writers):
                reset(writer)
            self.deaf = False
            self.halve_next = False
            self.open.set()

        self._call(action)

    def silence(self) -> None:
        self._call(lambda: self.open.clear())

    def halve(self) -> None:
        self._call(lambda: setattr(self, "halve_next", True))

    def deafen(self) -> None:
        self._call(lambda: setattr(self, "deaf", True))

    def delay(self, seconds: float) -> None:
        self._call(lambda: setattr(self, "delay_seconds", seconds))

    def heal(self) -> None:
        """What was silent goes on, as after a short failure of the network."""

        def action():
            self.delay_seconds = 0.0
            self.deaf = False
            self.halve_next = False
            self.open.set()

        self._call(action)

    def aim(self, port: int) -> None:
        """New connections lead elsewhere: another server was promoted."""
        self.target_port = port
