"""Plays many games of a scenario on a Ray cluster, and puts them together to the
file that one `houserule simulate` would have written.

    python3 ray_shards.py raid.jsonl --mods mods --shards 64 -- border-raid --games 10000

Each shard is a task. The mods are sent along; `houserule` must be on every machine.
What a machine had begun when it died is played again on another, and a run that
was stopped goes on with the shards that it has.
"""
import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ray


def simulate(program, *words):
    return subprocess.run([program, "simulate", *map(str, words)], capture_output=True, text=True)


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=True)  # six machines may die of a shard
def play(program, question, part, of):
    """The lines of one shard, or why it cannot be played."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "part.jsonl")
        here = ["--mods", ".", "--jobs", 1, "--shard", f"{part}/{of}", "--out", out]
        ran = simulate(program, *question, *here)
        if ran.returncode not in (0, 1, 2):
            raise RuntimeError(f"{program} was ended: {ran.returncode}")
        lines = out.read_bytes().splitlines(keepends=True) if out.exists() else []
        about = json.loads(lines[0]) if lines else {"games": of, "variants": [None]}
        games = range(part - 1, about["games"] * len(about["variants"]), of)
        # Games that broke off have lines too, though `houserule` ends with 1.
        return (b"".join(lines), "") if len(lines) == 1 + len(games) else (b"", ran.stderr.strip())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("out", type=Path, help="the file of all games")
    arguments.add_argument("--mods", default="mods", help="the folder of mods")
    arguments.add_argument("--shards", type=int, default=64, help="how many: several for each core")
    arguments.add_argument("--program", default="houserule", help="what machines call it")
    arguments.add_argument("question", nargs="+", help="what `houserule simulate` is asked")
    given = arguments.parse_args()
    asked = json.dumps([given.question, given.shards]).encode()
    folder = given.out.with_name(f"{given.out.name}.{hashlib.sha256(asked).hexdigest()[:8]}")
    folder.mkdir(parents=True, exist_ok=True)
    parts = {part: folder / f"part-{part}.jsonl" for part in range(1, given.shards + 1)}
    if given.out.exists():
        sys.exit(f"{given.out} is there already")
    ray.init(runtime_env={"working_dir": given.mods}, log_to_driver=False)
    left = [part for part, path in parts.items() if not path.exists()]
    played = {play.remote(given.program, given.question, part, given.shards): parts[part] for part in left}
    while played:
        [done], _ = ray.wait(list(played))
        path = played.pop(done)
        try:
            lines, wrong = ray.get(done)
        except ray.exceptions.RayError as error:
            wrong = error
        if wrong:
            sys.exit(f"{path.name}: {wrong}")
        # Whole or not at all, whatever happens in between.
        path.with_suffix(".begun").write_bytes(lines)
        path.with_suffix(".begun").rename(path)
        print(f"{given.shards - len(played)} of {given.shards} shards", flush=True)
    merged = simulate(given.program, "--merge", *parts.values(), "--out", given.out)
    if merged.returncode != 0:
        sys.exit(merged.stderr.strip())
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
