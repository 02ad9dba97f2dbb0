"""What pandas makes of a file of games: who wins how, and what is done how often
in the games that each side wins.

    python3 read_pandas.py raid.jsonl
"""
import json
import sys

import pandas as pd

with open(sys.argv[1], encoding="utf-8") as file:
    about = json.loads(next(file))
    games = pd.json_normalize([json.loads(line) for line in file])
games["winner"] = games["winner"].fillna("nobody")
print(f"{about['scenario']}: {len(games)} games by {about['variants'][0]['selector']}")
print(games.groupby(["winner", "reason"])["decisions"].agg(["size", "mean"]).round(1))
actions = games.filter(like="actions.").fillna(0).rename(columns=lambda name: name.removeprefix("actions."))
print(actions.groupby(games["winner"]).mean().round(1).T.to_string())
