#!/usr/bin/env python3
"""Runs Pawl under faults and checks that nothing is lost, nothing happens twice, nothing is stuck.

    tests/chaos/chaos.py --binary build/release/pawl [--minutes 5] [--seed 1] [--keep]

Four processes, three tenants (one hostile), a Postgres whose flushes are slow, an outside sink.
The seed decides which faults come and what callers do; threads and disks still have their own time,
so the same seed is the same kind of trouble and not the same run. Exit code 1: a rule was broken.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile
import time

import checker
import faults as faults_module
import report
from bulk import Bulk
from faults import Faults
from hostile import Hostile
from standby import NOT_PROMISED, Standby
from traffic import Traffic
from world import World

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(SOURCE / "build/release/pawl"))
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=None, help="drawn when it is left out")
    parser.add_argument("--threads", type=int, default=6, help="callers")
    parser.add_argument("--between", type=float, default=2.5, help="seconds between faults, about")
    parser.add_argument("--only", default="", help="only these faults: crash,kill")
    parser.add_argument("--settle", type=float, default=120, help="seconds until all must be over")
    parser.add_argument("--runs", type=int, default=0, help="so many more runs of one effect each")
    parser.add_argument("--standby", action="store_true", help="with a standby that is promoted")
    parser.add_argument("--disk", type=int, default=0, help="MB of a disk that is full at times")
    parser.add_argument("--peaceful", action="store_true", help="without the hostile tenant")
    parser.add_argument("--keep", action="store_true", help="leave logs and data in any case")
    options = parser.parse_args()
    if options.minutes <= 0 or options.threads < 1 or options.between <= 0:
        parser.error("--minutes, --threads and --between must be positive")
    if options.seed is None:
        options.seed = random.randrange(1_000_000)
    return options


def disturb(world: World, faults: Faults, options: argparse.Namespace, bulk: Bulk) -> None:
    """Until the time is over and all runs are started; then everything is healed."""
    end = time.monotonic() + options.minutes * 60
    following = time.monotonic() + 2
    while time.monotonic() < end or not bulk.over():
        faults.tick()
        world.keep()
        if time.monotonic() >= following:
            faults.one()
            following = time.monotonic() + faults.rng.uniform(0.2, 2 * options.between)
        time.sleep(0.05)
    faults.heal_all()
    world.keep()


def faults_of(world: World, options: argparse.Namespace) -> Faults:
    faults = Faults(world, options.seed)
    if options.standby:
        faults.kinds |= faults_module.WITH_STANDBY
    if options.disk:
        faults.kinds |= faults_module.WITH_DISK
    if options.only:
        faults.keep_only(options.only.split(","))
    return faults


def run(world: World, options: argparse.Namespace) -> int:
    faults = faults_of(world, options)
    world.create()
    world.start()
    standby = faults.standby = Standby(world) if options.standby else None
    traffic = Traffic(world, options.seed, options.threads, 0.2)
    hostile = None if options.peaceful else Hostile(world, options.seed)
    traffic.begin()
    if hostile:
        hostile.begin()
    bulk = Bulk(world, options.seed, options.runs)
    bulk.begin()
    disturb(world, faults, options, bulk)
    calm = time.monotonic()
    if not traffic.finish(200):
        text = "callers still wait for answers 200 s after the last fault"
        world.journal.note("contradiction", text=text)
    if hostile:
        hostile.finish(20)
    if standby:
        standby.stop()
    settled = world.settle(options.settle)
    print(f"{time.monotonic() - calm:.1f} s to settle" + ("" if settled else ": not all is over"))
    with world.cluster.connect() as connection:
        found = checker.check(connection, world.journal.all(), world.sink.log())
        if standby:
            print(f"waits for the standby that were cut short: {standby.terminated}")
            found = [one for one in found if one.rule not in NOT_PROMISED]
        report.show(
            world.journal.all(), world.sink.log(), found, connection, world.home / "violations.txt"
        )
    return 1 if found else 0


def tidy_up(home: pathlib.Path, code: int) -> None:
    """Logs stay where something is wrong; a database of hundreds of megabytes only with --keep."""
    if code == 0:
        shutil.rmtree(home, ignore_errors=True)
    for data in home.glob("*/data"):
        shutil.rmtree(data, ignore_errors=True)


def main() -> int:
    options = arguments()
    if not pathlib.Path(options.binary).exists():
        print(f"chaos: there is no {options.binary}; run: make build", file=sys.stderr)
        return 2
    home = pathlib.Path(tempfile.mkdtemp(prefix="pawl-chaos.", dir="/tmp"))
    home.chmod(0o755)
    print(f"chaos: seed {options.seed}, {options.minutes:g} minutes, logs in {home}", flush=True)
    world = World(home, options.binary, disk_megabytes=options.disk)
    code = 1
    try:
        code = run(world, options)
    finally:
        world.close()
        if not options.keep:
            tidy_up(home, code)
    if code == 0:
        print("chaos: nothing lost, nothing twice, nothing stuck")
    else:
        given = any(arg.startswith("--seed") for arg in sys.argv)
        seed = "" if given else f" --seed {options.seed}"
        print(f"chaos: BROKEN; again: {' '.join(sys.argv)}{seed}")
    return code


if __name__ == "__main__":
    sys.exit(main())
