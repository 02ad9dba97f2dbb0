"""A Ray cluster of two machines on this one; of the first a worker is killed in
mid-run, then the second machine goes. What the driver of the book puts together
is, byte by byte, what one run writes.

    python3 ray_cluster.py houserule mods noon 60000 6
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

from ray.cluster_utils import Cluster  # noqa: E402

DRIVER = Path(__file__).parents[3] / "docs/examples/many_games/ray_shards.py"


def workers(machine):
    """The processes of a machine that play a shard: `ray::play`."""
    raylets = [str(process.pid) for sort, process in machine.live_processes() if sort == "raylet"]
    asked = ["pgrep", "-f", "^ray::play", "-P", ",".join(raylets)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


def wait_for(what, seconds=120):
    for _ in range(seconds * 10):
        if value := what():
            return value
        time.sleep(0.1)
    sys.exit(f"waited {seconds} seconds in vain")


def main(program, mods, scenario, games, shards):
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    first = cluster.add_node(num_cpus=1)
    second = cluster.add_node(num_cpus=1)
    with tempfile.TemporaryDirectory() as folder:
        one, all_of_them = Path(folder, "one.jsonl"), Path(folder, "all.jsonl")
        question = [scenario, "--games", games]
        driver = [sys.executable, DRIVER, all_of_them, "--mods", mods, "--shards", shards, "--program", program]
        environment = {**os.environ, "RAY_ADDRESS": cluster.address}
        run = subprocess.Popen([*driver, "--", *question], stdout=subprocess.PIPE, text=True, env=environment)
        print(run.stdout.readline(), end="")
        os.kill(wait_for(lambda: workers(first))[0], signal.SIGKILL)
        print("a worker is killed")
        print(run.stdout.readline(), end="")
        cluster.remove_node(second, allow_graceful=False)
        print("a machine is gone")
        for line in run.stdout:
            print(line, end="", flush=True)
        if run.wait() != 0:
            sys.exit("the driver failed")
        single = [program, "simulate", *question, "--mods", mods, "--out", one]
        subprocess.run(single, check=True, stdout=subprocess.DEVNULL)
        is_same = one.read_bytes() == all_of_them.read_bytes()
        left = [path.name for path in Path(folder).iterdir()]
    cluster.shutdown()
    if not is_same or len(left) != 2:
        sys.exit(f"other bytes than one run has, or files are left: {left}")
    print("the same bytes as one run")


if __name__ == "__main__":
    main(*sys.argv[1:])
