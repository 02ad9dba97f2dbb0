"""Plays a game of Houserule over JSON-RPC: one side by a bot, the other by the
simplest of players, who takes the first thing that is allowed.

    python3 client.py houserule drill/range --mods mods --mods docs/examples
"""
import json
import subprocess
import sys


class Houserule:
    """A `houserule rpc` that runs beside us: one request a line, one reply."""

    def __init__(self, program, options):
        self.process = subprocess.Popen([program, "rpc", *options], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0

    def call(self, method, **params):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.last:
                break
            self.notified(message["method"], message["params"])
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def notified(self, method, params):
        """What the game tells by itself: here only the battle report."""
        for event in params["news"]["events"] if method == "news" else []:
            print(*event["text"], sep="\n", end="\n" if event["text"] else "")


def first(domain):
    """The first value that may be given; nothing if the rules suggest none."""
    kind = domain["domain"]
    if kind == "choices":
        return domain["choices"][0]["value"]
    if kind == "several":
        return [choice["value"] for choice in domain["choices"][:domain["min"]]]
    if kind == "integer":
        return domain["min"]
    if kind == "place" and domain["candidates"]:
        return {"point": domain["candidates"][0]}
    if kind == "route" and domain["candidates"]:
        return [{"point": point} for point in domain["candidates"][0]]
    raise RuntimeError("the rules suggest nothing")


def action(game, side, legal, act, done):
    """The first action that is allowed and new in this phase, with its parameters."""
    for one in legal["actions"]:
        mark = one["id"] + str(one["actor"])
        params, actor = {}, one["actor"]
        if one["refused"] or mark in done:
            continue
        try:
            while following := game.call("next_param", side=side, action=one["id"], actor=actor, params=params):
                params[following["name"]] = first(following["domain"])
        except (RuntimeError, IndexError):
            continue
        done.add(mark)
        kind, name = ("act", "action") if act else ("react", "reaction")
        return {"input": kind, name: one["id"], "by": side, "actor": actor, "params": params}
    if not act:
        return {"input": "decline", "by": side}
    if legal["pass_refused"] is None:
        return {"input": "pass", "by": side}
    if legal["done_refused"] is None or not done:
        return {"input": "done", "by": side}
    done.clear()  # it is a phase of the same name, and not the same
    return action(game, side, legal, act, done)


def decide(game, side, done):
    prompt = game.call("prompt", viewer=side)
    if prompt["prompt"] == "answer":
        question = prompt["question"]
        domain = next(asked["domain"] for asked in question["asked"] if asked["side"] == side)
        return {"input": "answer", "by": side, "question": question["id"], "value": first(domain)}
    if prompt.get("phase") != done["phase"]:
        done.update(phase=prompt.get("phase"), actions=set())
    return action(game, side, game.call("legal", side=side), prompt["prompt"] == "act", done["actions"])


def main(program, scenario, *options):
    game = Houserule(program, options)
    game.call("start", scenario=scenario, others="greedy")
    mine = game.call("about", viewer="spectator")["sides"][0]["id"]
    game.call("set_bot", side=mine, bot=None)
    game.call("subscribe", viewer="spectator")
    done = {"phase": None, "actions": set()}
    while not (standing := game.call("bots"))["over"]:
        ask = game.call("prompt", viewer=mine)["ask"]
        game.call("submit", ask=ask, input=decide(game, mine, done))
    print("after", standing["decisions"], "decisions the game is over: state", game.call("hash"))


if __name__ == "__main__":
    main(*sys.argv[1:])
