"""A bot that plays any seat to the end of the game: it explores whenever that is possible, else does anything that is legal.

    python examples/bot.py http://127.0.0.1:8000 GAME TOKEN

It needs no rules, for the service lists what is legal. Needs `httpx` and nothing else.
"""

import random
import secrets
import sys
import time

import httpx


def play(api: httpx.Client) -> str:
    """Answer whatever is asked until the game is over; returns how it ended."""
    while (game := asked(api, "GET", ""))["status"] not in ("finished", "abandoned"):
        decisions = asked(api, "GET", "/decisions")
        waiting = [decision for decision in decisions["yours"] if decision["kind"] != "reveal"]
        if not waiting:
            time.sleep(0.2)  # it is somebody else's turn, or the game has not begun
            continue
        # Only at the version that was looked at: a command for another one is refused (412), and nothing has happened.
        asked(api, "POST", "/commands", choose(waiting[0]), f'"{decisions["version"]}"')
    return game["because"]


def choose(decision: dict) -> dict:
    commands = [listed["command"] for listed in decision["commands"]]
    exploring = [command for command in commands if command["type"] == "explore"]
    return random.choice(exploring or commands)


def asked(api: httpx.Client, method: str, what: str, command: dict | None = None, version: str = "*") -> dict:
    """What the service answers; it is asked again, with the same key, while it can't be reached or has too much to do."""
    headers = {"If-Match": version, "Idempotency-Key": secrets.token_hex(16)} if command else {}
    while True:
        try:
            answer = api.request(method, what, json=command, headers=headers)
        except httpx.TransportError as error:
            print(f"{api.base_url}: {error}; trying again", file=sys.stderr)
            time.sleep(1)  # what was posted is done once, however often it is sent
            continue
        if answer.status_code in (429, 503):
            time.sleep(int(answer.headers["Retry-After"]))
        elif answer.status_code in (409, 412):
            return answer.json()  # somebody else was faster: look again
        else:
            return answer.raise_for_status().json()


if __name__ == "__main__":
    url, name, token = sys.argv[1:]
    with httpx.Client(base_url=f"{url}/v1/games/{name}", headers={"Authorization": f"Bearer {token}"}) as client:
        print(play(client))
