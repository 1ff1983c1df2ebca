"""A process that plays at many tables as fast as it can, and logs every acknowledged action.

    python tests/faults/load.py NOTES

Each line on standard input is a port; the process plays there until the server is gone, and then prints `gone`. NOTES
receives a line of JSON for each table and each acknowledged action.
"""

import http.client
import json
import sys
import threading

TABLES = 6


class Table(threading.Thread):
    """One table with all its seats."""

    def __init__(self, port, notes, known):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.notes, self.known = notes, known

    def call(self, method, path, data=None, seat=None):
        headers = {"Content-Type": "application/json"}
        if seat is not None:
            headers["Authorization"] = f"Bearer {self.known['tokens'][str(seat)]}"
        self.connection.request(method, path, json.dumps(data) if data else None, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def note(self, **what):
        self.notes.write(json.dumps(what) + "\n")
        self.notes.flush()

    def run(self):
        try:
            while True:
                if not self.known or self.act():
                    self.start_table()
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server has been killed, perhaps in the middle of a response

    def start_table(self):
        order = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3, "options": {"round_limit": 200}}
        status, started = self.call("POST", "/api/tables", order)
        assert status == 201, started
        self.known.update(id=started["id"], tokens=started["tokens"])
        self.note(table=started["id"])

    def act(self):
        """Play an action; return whether the game is over."""
        url = f"/api/tables/{self.known['id']}"
        status, about = self.call("GET", url)
        if status != 200:
            self.note(table=self.known["id"], fault=about)
        elif about["over"]:
            return True
        else:
            [seat] = about["acting"]
            _, legal = self.call("GET", f"{url}/legal", seat=seat)
            action = legal["legal"][0]["text"]
            order = {"action": action, "version": legal["version"]}
            status, answer = self.call("POST", f"{url}/actions", order, seat)
            if status == 200:
                self.note(table=self.known["id"], ply=answer["version"] - 1, seat=seat, action=action)
            else:
                self.note(table=self.known["id"], fault=answer)
        return False


def main():
    known = [{} for _ in range(TABLES)]
    with open(sys.argv[1], "a", encoding="utf-8") as notes:
        for line in sys.stdin:
            threads = [Table(int(line), notes, one) for one in known]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print("gone", flush=True)


if __name__ == "__main__":
    main()
