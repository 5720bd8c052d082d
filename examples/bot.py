"""A bot for an Alinea server: accepts every challenge and plays legal moves at random.

    python3 bot.py https://alinea.example TOKEN

Your account page makes the token. Put your own ideas into `choose`. Needs nothing but Python 3.9.
"""

import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request


def choose(snapshot):
    """A move, given the table: `snapshot["view"]` is the board, `snapshot["legal"]` has the legal moves."""
    return random.choice(snapshot["legal"])["move"]


class Server:
    def __init__(self, url, token):
        self.url, self.headers = url.rstrip("/"), {"authorization": f"Bearer {token}"}

    def open(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "content-type": "application/json"}
        return urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers))

    def ask(self, path, body=None):
        with self.open(path, body) as answer:
            return json.load(answer)

    def lines(self, path):
        """The objects of a stream, as they arrive; empty lines keep it alive."""
        with self.open(path) as stream:
            for line in stream:
                if line.strip():
                    yield json.loads(line)


def play(server, table):
    """Plays one game to its end. Every line of the stream may mean that it is our turn."""
    path = f"/api/tables/{table}"
    for _ in server.lines(f"{path}/events"):
        snapshot = server.ask(path)
        if snapshot["status"] == "ended":
            return print(table, "ended:", snapshot["result"])
        if snapshot["status"] == "playing" and snapshot["view"]["turn"] in snapshot["you"]:
            ply, move = len(snapshot["moves"]) + 1, choose(snapshot)
            try:
                server.ask(f"{path}/make-move", {"ply": ply, "move": move})
            except urllib.error.HTTPError as error:
                print(table, move, error.read().decode())  # the game has changed meanwhile


def main(url, token):
    server, playing = Server(url, token), set()
    while True:
        try:
            for event in server.lines("/api/bot/events"):
                table = event["table"]["table"]
                if event["kind"] == "challenge":
                    server.ask(f"/api/tables/{table}/sit", {})
                elif event["kind"] == "game-start" and table not in playing:
                    playing.add(table)
                    threading.Thread(target=play, args=(server, table), daemon=True).start()
        except OSError as error:
            print("trying again:", error)
        time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 bot.py SERVER TOKEN")
    main(*sys.argv[1:])
