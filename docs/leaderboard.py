# pyright: basic
"""The leaderboard page (docs/reference/leaderboard.md), made from the result files in benchmarks/results."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from pyramidion.engine.registry import load
from pyramidion.lab.evaluation import Evaluation, read_evaluation

RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"
INTRODUCTION = """\
# Leaderboard

Made from the result files in `benchmarks/results`; the [benchmark](../benchmark.md) explains the protocol, the
columns and how to add an agent. Win shares are in per cent with 95 % intervals, best against policies first. A line
marked *part* comes from a part of the protocol: fewer decks, opponents or judged decisions. An empty cell has not
been measured.
"""
MINIS = """\
## Sizes and solutions of the small siblings

`{command}`, {date}. Nodes are counted where the tree is small enough. Elsewhere the powers of ten are estimates from
random games (Knuth 1975): the median, in brackets the 5th and 95th percentiles of single games, and the mean, which
is unbiased but hangs on a few games. CFR+ is OpenSpiel's. The last columns show the NashConv of its average strategy,
which is 0 in an equilibrium, and what each seat gets by it.

| game | seats | options | nodes | information sets | NashConv after CFR+ iterations | payoffs |
| --- | --- | --- | --- | --- | --- | --- |"""
COLUMNS = ("agent", "random", "policy", "hard", "rating", "loss", "exploitability", "ms a decision", "games", "file")


def leaderboard() -> str:
    """Return the page as Markdown."""
    results = [(path.name, read_evaluation(path)) for path in sorted(RESULTS.glob("*.json")) if path != minis_file()]
    results.sort(key=lambda result: (load(result[1].protocol.game).base is not None, result[1].protocol.game))
    parts = [INTRODUCTION]
    for game_id, group in groupby(results, key=lambda result: result[1].protocol.game):
        of_game = list(group)
        parts.append(_section(game_id, of_game))
    if minis_file().exists():
        parts.append(_minis(json.loads(minis_file().read_text("utf-8"))))
    return "\n".join(parts)


def minis_file() -> Path:
    """Return the file with the sizes and solutions of the small siblings."""
    return RESULTS / "minis.json"


def _section(game_id: str, results: list[tuple[str, Evaluation]]) -> str:
    """Return the section of one game: a table of its agents, and the commands."""
    protocol = results[0][1].protocol
    rows = [(agent, name, result) for name, result in results for agent in result.agents]
    rows.sort(key=lambda row: -max((o.wins.share for o in row[0].opponents if o.opponent == "policy"), default=0))
    chance = next(o.chance for agent, _, _ in rows for o in agent.opponents)
    lines = [
        f"## {load(game_id).name}\n",
        f"{protocol.seats} seats, protocol {protocol.version}; {100 * chance:.1f} % by chance.\n",
        f"| {' | '.join(COLUMNS)} |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(f"| {' | '.join(_cells(*row))} |" for row in rows),
        "",
    ]
    for name, result in results:
        origin = result.provenance
        machine = origin["machine"]
        lines.append(
            f"- {name}: `{origin['command']}`, {origin['date']}, Pyramidion {origin['package']} at "
            f"{origin['commit'] or 'an unknown commit'}, rules version {origin['rules_version']}, "
            f"{machine['processor']}, Python {machine['python']}"
        )
    return "\n".join(lines) + "\n"


def _cells(agent: Any, name: str, result: Evaluation) -> list[str]:
    """Return the cells of one agent's line."""
    shares = {row.opponent: row for row in agent.opponents}
    cells = [agent.name]
    for opponent in ("random", "policy", "hard"):
        row = shares.get(opponent)
        if row is None:
            cells.append("")
            continue
        wins = row.wins
        text = f"{100 * wins.share:.1f} ({100 * wins.low:.1f} to {100 * wins.high:.1f})"
        cells.append(text + (f", {row.failures} failed" if row.failures else ""))
    loss, exploited = agent.loss, agent.exploitability
    cells += [
        f"{agent.rating:.1f} ± {agent.uncertainty:.1f}",
        f"{100 * loss.mean:.2f} ({100 * loss.low:.2f} to {100 * loss.high:.2f})" if loss else "",
        f"{max(0.0, exploited['exploitability']):.4f}" if exploited else "",
        f"{1000 * agent.seconds:.2f}",
        " + ".join(str(row.wins.games) for row in agent.opponents),
        name + ("" if result.complete else ", part"),
    ]
    return cells


def _minis(data: dict[str, Any]) -> str:
    """Return the section on sizes and solutions of the small siblings."""
    lines = [MINIS.format(command=data["command"], date=data["date"])]
    for game_id, mini in data["minis"].items():
        options = ", ".join(f"{name} {value}" for name, value in mini["options"].items())
        tree, size = mini.get("tree"), mini["estimate"]
        if tree:
            nodes, sets = f"{tree['nodes']:,}", f"{tree['information_sets']:,}"
            gains = ", ".join(f"{s['iterations']}: {max(0.0, s['nash_conv']):.4f}" for s in mini["cfr_plus"])
            values = ", ".join(f"{value:.3f}" for value in mini["cfr_plus"][-1]["values"])
        else:
            nodes = (
                f"too large: 10<sup>{size['median']:.0f}</sup> ({size['low']:.0f} to {size['high']:.0f}; "
                f"mean {size['mean']:.0f})"
            )
            sets = gains = values = ""
        lines.append(f"| `{game_id}` | {mini['seats']} | {options} | {nodes} | {sets} | {gains} | {values} |")
    return "\n".join(lines) + "\n"
