"""A small disk of its own for the cluster, so that it can be full. Needs the right to mount."""

import os
import pathlib
import shutil
import subprocess
import time

import pg


class Disk:
    def __init__(self, path: pathlib.Path, megabytes: int):
        self.path = path
        path.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"chaos: --disk needs the right to mount: {done.stderr.strip()}")

    def fill(self, cluster, seconds: float) -> int:
        """No byte is left for so long, whatever the server removes meanwhile; returns the bytes."""
        ballast = self.path / "ballast"
        end = time.monotonic() + seconds
        with open(ballast, "ab", buffering=0) as file:
            while time.monotonic() < end:
                try:
                    file.write(b"x" * 65536)
                except OSError:
                    self._want_more(cluster)
        size = ballast.stat().st_size
        os.remove(ballast)
        cluster.revive()
        return size

    def _want_more(self, cluster) -> None:
        """The log of the server needs a new file now, and not only after 16 MB."""
        try:
            with cluster.connect() as connection:
                connection.rows("select pg_switch_wal()")
        except (pg.Lost, pg.Refused):
            pass
        time.sleep(0.1)

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)
