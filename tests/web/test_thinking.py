"""Tests of the thread pool: tables take turns, quick work does not wait, and cancelled work stops."""

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest
from tests.web.helpers.polling import until

from pyramidion.bots.thread_pool import ThreadPools, WorkerPool


class Blocked:
    """Work that waits to be released; `begun` counts starts, `order` records them."""

    def __init__(self):
        self.go = threading.Event()
        self.order = []

    def __call__(self, name):
        def work(_):
            self.order.append(name)
            assert self.go.wait(20)
            return name

        return work


@asynccontextmanager
async def crew(threads):
    made = WorkerPool(threads, "test")
    try:
        yield made
    finally:
        made.close()


async def test_tables_take_turns_whatever_each_has_asked_for():
    blocked = Blocked()
    async with crew(1) as line:
        asked = [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("b", 2)]
        tasks = [asyncio.create_task(line.run(table, blocked((table, n)))) for table, n in asked]
        await until(lambda: blocked.order)
        assert [line.queue.position(table) for table in "abcd"] == [1, 2, 3, None]
        blocked.go.set()
        assert await asyncio.gather(*tasks) == asked
    assert blocked.order == [("a", 1), ("a", 2), ("b", 1), ("c", 1), ("a", 3), ("b", 2)]


async def test_no_more_is_done_at_once_than_there_are_threads_and_quick_work_does_not_wait():
    blocked, thinking = Blocked(), ThreadPools(2)
    tasks = [asyncio.create_task(thinking.deep.run(f"t{n}", blocked(n))) for n in range(5)]
    await until(lambda: len(blocked.order) == 2)
    # Both threads are taken, and yet:
    assert await thinking.quick.run("t9", lambda _: "at once") == "at once"
    assert len(blocked.order) == 2
    blocked.go.set()
    assert await asyncio.gather(*tasks) == [0, 1, 2, 3, 4]
    thinking.close()


async def test_patient_work_comes_last_and_leaves_a_thread_to_others():
    blocked, analyses = Blocked(), Blocked()
    async with crew(2) as line:
        analysing = [asyncio.create_task(line.run(f"p{n}", analyses(n), cost=1)) for n in range(3)]
        await until(lambda: analyses.order)
        bots = [asyncio.create_task(line.run(f"t{n}", blocked(n))) for n in range(3)]
        await until(lambda: blocked.order)
        assert (analyses.order, blocked.order) == ([0], [0])
        blocked.go.set()
        await asyncio.gather(*bots)
        assert analyses.order == [0]
        analyses.go.set()
        assert await asyncio.gather(*analysing) == [0, 1, 2]


async def test_what_nobody_wants_any_more_leaves_the_line_or_is_asked_to_stop():
    stopped, begun = threading.Event(), threading.Event()

    def think(stop):
        begun.set()
        assert stop.wait(20)
        stopped.set()

    async with crew(1) as line:
        running, waiting = (asyncio.create_task(line.run(table, think)) for table in "ab")
        await until(begun.is_set)
        waiting.cancel()
        await until(waiting.done)
        assert line.queue.position("b") is None
        running.cancel()
        await until(stopped.is_set)
        assert await line.run("c", lambda _: "next") == "next"


async def test_a_failure_is_told_to_whoever_asked():
    def fail(_):
        raise ZeroDivisionError

    async with crew(1) as line:
        with pytest.raises(ZeroDivisionError):
            await line.run("a", fail)
        assert await line.run("a", lambda _: 1) == 1


async def test_closing_stops_what_is_going_on():
    line, begun, stopped = WorkerPool(1, "test"), threading.Event(), threading.Event()

    def think(stop):
        begun.set()
        stop.wait()
        stopped.set()

    task = asyncio.create_task(line.run("a", think))
    await until(begun.is_set)
    line.close()
    await until(stopped.is_set)
    task.cancel()


async def test_work_of_lower_cost_comes_first_and_every_fourth_job_is_of_the_highest():
    blocked, line = Blocked(), WorkerPool(1, "test", costly_turn=4)
    try:
        tasks = [asyncio.create_task(line.run("first", blocked("first")))]
        await until(lambda: blocked.order)
        for name, cost in (("hard", 600), ("easy", 200), ("policy", 0)):
            tasks += [asyncio.create_task(line.run(f"{name} {n}", blocked(name), cost=cost)) for n in range(3)]
        await until(lambda: line.waiting == 9)
        blocked.go.set()
        await asyncio.gather(*tasks)
        policy, easy, hard = "policy", "easy", "hard"
        assert blocked.order[1:] == [policy, policy, policy, hard, easy, easy, easy, hard, hard]
    finally:
        line.close()
