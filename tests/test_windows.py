"""The package runs without what Windows lacks: functions, constants and modules are removed in a process of its own.

Names that the standard library itself needs on this system stay.
"""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
WITHOUT = """
import asyncio, concurrent.futures.process, multiprocessing.spawn, os, runpy, shutil, signal, socket, subprocess, sys
import importlib, importlib.abc, json, pkgutil, tempfile, time

MODULES = {"crypt", "fcntl", "grp", "pty", "pwd", "resource", "spwd", "syslog", "termios", "tty", "uvloop"}
NAMES = {
    os: "chown fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority "
    "getresuid getsid getuid initgroups killpg lchown mkfifo mknod nice posix_fadvise pread preadv "
    "pwrite pwritev register_at_fork sched_getaffinity sched_setaffinity sched_yield sendfile setgid setpgid "
    "setpriority setsid setuid statvfs sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid "
    "O_DIRECTORY O_NOCTTY O_NONBLOCK O_SYNC O_DSYNC PRIO_PROCESS",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH "
    "alarm pause pthread_kill pthread_sigmask setitimer getitimer siginterrupt sigwait",
    socket: "MSG_DONTWAIT MSG_NOSIGNAL SO_REUSEPORT TCP_USER_TIMEOUT sethostname if_nametoindex",
    time: "tzset clock_gettime pthread_getcpuclockid",
}


class Lacking(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ModuleNotFoundError(f"Windows has no {name!r}.", name=name)


def load():
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        if ".migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


import pyramidion

load()  # with packages of others, which have builds of their own for Windows
for name in [name for name in sys.modules if name.partition(".")[0] == "pyramidion"]:
    del sys.modules[name]
for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for module, names in NAMES.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""

USING = """
import pyramidion
load()

import pathlib, threading, urllib.request
from pyramidion.web.application import create_app, uvicorn_server
from pyramidion.web.http.uvicorn_server import address_of, bind
from pyramidion.web.settings import Settings

sock = bind("127.0.0.1", 0)
with tempfile.TemporaryDirectory() as folder:
    app = create_app(Settings(data_dir=folder, warm=False))
    server = uvicorn_server(app, address_of(sock, "127.0.0.1"))

    def ask():
        try:
            for path in ("ready", "", "games/pyramis"):
                with urllib.request.urlopen(server.address + path) as answer:
                    print(answer.status)
        finally:
            server.should_exit = True

    server.announce = threading.Thread(target=ask).start
    asyncio.run(server.serve([sock]))

from pyramidion import bots
from pyramidion.lab import bench

game = pyramidion.load("pyramis")
match = game.new(seats=2, seed=1)
seat = match.acting[0]
match.play(seat, bots.load("policy", game, seed=1).move(match, seat))
print(match.ply)
from pyramidion.cli import main
main(["rules", "pyramis"])
"""

WORKING = """
from pyramidion.lab.worker import main
main()
"""


def run(program, **more):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", WITHOUT + program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUTF8": "1"},
        **more,
    )


def test_the_package_is_imported_serves_and_plays_without_what_windows_lacks():
    """All in one process, since importing everything twice takes longest."""
    out, err = run(USING).communicate(timeout=250)
    assert out.startswith("200\n200\n200\n1\n"), err
    assert "Traceback" not in err, err


def test_the_labs_worker_runs_without_what_windows_lacks():
    order = {"game": "pyramid-shambo", "seats": 2, "games": 4, "seconds": 60, "seed": 1, "edits": {}, "options": {}}
    with run(WORKING) as worker:
        worker.stdin.write(json.dumps(order) + "\n")
        worker.stdin.flush()
        lines = [json.loads(line) for line in worker.stdout]
        assert lines, worker.stderr.read()
        assert lines[-1].get("over"), lines[-1]
