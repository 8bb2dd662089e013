"""A synchronous standby that is held up, and promoted when the first server dies.

While the standby is held up, commits wait for it. Backends that wait are terminated: what they
committed is on the first server only, and their callers ask again. An answer that they then get
must be as good as any other: after the promotion nothing acknowledged may be missing.
"""

import time

from cluster import Cluster

SYNC_SECONDS_MAX = 60
# Rules that speak of what happened outside because of commits that no caller had an answer to. They
# were visible on the first server after their backend was terminated, and are not on the second.
NOT_PROMISED = (
    "effect_unknown", "effect_keys", "letter_twice", "hook_of_nothing", "hook_id", "hook_order",
)
WAITING = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"


class Standby:
    def __init__(self, world):
        self.world = world
        self.count = 0
        self.cluster = None
        self.terminated = 0
        self.attach()

    def attach(self) -> None:
        """Makes a standby of the present server, which from then on waits for it."""
        first = self.world.cluster
        self.count += 1
        made = Cluster(self.world.home / f"standby-{self.count}")
        options = ["-h", str(first.home), "-p", str(first.port), "-U", "postgres"]
        options += ["-X", "stream", "-c", "fast", "--no-sync", "-R"]
        made.tool("pg_basebackup", "-D", str(made.data), *options)
        made.start()
        self.cluster = made
        with first.connect() as connection:
            connection.rows("alter system set synchronous_standby_names = '*'")
            connection.rows("select pg_reload_conf()")
            deadline = time.monotonic() + SYNC_SECONDS_MAX
            text = "select count(*) from pg_stat_replication where sync_state = 'sync'"
            while connection.value(text) == "0":
                if time.monotonic() > deadline:
                    raise SystemExit("chaos: the standby does not become synchronous")
                time.sleep(0.02)

    def hold_up(self, seconds: float) -> None:
        """Nothing reaches the standby for a while; backends that wait for it are terminated."""
        self.cluster.freeze()
        end = time.monotonic() + seconds
        with self.world.cluster.connect() as connection:
            while time.monotonic() < end:
                self.terminated += len(connection.rows(WAITING))
                time.sleep(0.3)

    def take_over(self) -> None:
        """The first server dies, the standby becomes the server, and gets a standby of its own."""
        self.world.cluster.crash()
        # What was on its way to a standby that was held up must not arrive after all.
        self.cluster.crash()
        self.cluster.start()
        self.cluster.tool("pg_ctl", "promote", "-w", "-D", str(self.cluster.data))
        self.world.move_to(self.cluster)
        self.attach()

    def stop(self) -> None:
        """Before the check: no commit has to wait any more."""
        self.cluster.thaw()
        with self.world.cluster.connect() as connection:
            connection.rows("alter system reset synchronous_standby_names")
            connection.rows("select pg_reload_conf()")
        self.cluster.stop()
