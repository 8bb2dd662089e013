"""A small disk of its own for the cluster, so that it can be full. Needs the right to mount."""

import os
import pathlib
import shutil
import subprocess
import time


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
                    time.sleep(0.02)
        size = ballast.stat().st_size
        os.remove(ballast)
        cluster.revive()
        return size

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)
