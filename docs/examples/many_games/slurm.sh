#!/bin/bash
# Plays a scenario 10,000 times as an array of 16 tasks, each a shard:
#
#     sbatch slurm.sh
#     houserule simulate --merge raid/part-*.jsonl --out raid.jsonl
#
# A task that was stopped (a machine gone, time over, `scontrol requeue`) goes on
# where it was; `sbatch --array=3,7 slurm.sh` plays those two again and no other.
#SBATCH --job-name=raid
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail

# Not the count of the tasks in this array: there are as many shards even where
# only two of them are played again.
shards=16

mkdir -p raid
houserule simulate "${SCENARIO:-border-raid}" --games "${GAMES:-10000}" --mods "${MODS:-mods}" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$shards" \
    --out "raid/part-$(printf '%03d' "$SLURM_ARRAY_TASK_ID").jsonl" --resume
