# pyright: basic
"""The leaderboard page (docs/reference/leaderboard.md), made from the result files in benchmarks/results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from pyramidion.engine.registry import load
from pyramidion.lab.evaluation import Evaluation, Protocol, protocol_of, read_evaluation
from pyramidion.lab.evaluation.games import PlayedGame
from pyramidion.lab.evaluation.result import AgainstOpponent, AgentResult, against

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
INTRODUCTION = """\
# Leaderboard

Made from the result files in `benchmarks/results`; the [benchmark](../benchmark.md) explains the protocol and the
columns.

- **Wins** are in per cent, with their 95 % interval and the number of games, best against policies first. All agents
  play the same decks, so shares against one opponent can be compared. If the intervals of two agents overlap, their
  order may be chance.
- **Whole and part**: *whole* has played all of the protocol. *Part* means fewer decks, fewer opponents or fewer judged
  decisions. Its shares are right, and its intervals wider.
- **Ratings** depend on the opponents and the number of games, so only agents that have played the whole protocol have
  one here. All ratings of a table are by the same games.
- A line takes the games of one agent from all of its result files, which stand below its name. *Commands* below a table
  unfolds how each file was made. An empty cell has not been measured.
- **ms a decision** is processor time on busy machines, with the compiling of a bot's search where it was not cached.
{unverified}
## Add your agent

```
pyramidion evaluate pyramis --agent NAME=my_agent:make --json benchmarks/results/pyramis-NAME.json
pyramidion evaluate --verify benchmarks/results/pyramis-NAME.json
make docs  # writes this page; then open a pull request with both files
```

The [benchmark](../benchmark.md#adding-a-line-to-the-leaderboard) says more, and how long it takes.

## Cite

```bibtex
{citation}
```

Name the protocol and the version of the rules, too, which stand above each table, as in: "Pyramis, rules version 1,
protocol v1 of Pyramidion {version}".
"""
UNVERIFIED = "not verified"
UNVERIFIED_LOSSES = f"""\
- **Losses marked *{UNVERIFIED}*** were measured before result files held the judged decisions, so `--verify` cannot
  check them.
"""
CITATION = """\
@software{{pyramidion,
  title   = {{{title}}},
  author  = {{{{{author}}}}},
  version = {{{version}}},
  note    = {{Benchmark protocol v1}}
}}"""
MINIS = """\
## Sizes and solutions of the small siblings

`{command}`, {date}. Nodes are counted where the tree is small enough. Elsewhere the powers of ten are estimates from
random games (Knuth 1975): the median, in brackets the 5th and 95th percentiles of single games, and the mean, which
is unbiased but hangs on a few games. CFR+ is OpenSpiel's. The last columns show the NashConv of its average strategy,
which is 0 in an equilibrium, and what each seat gets by it.

| game | seats | options | nodes | information sets | NashConv after CFR+ iterations | payoffs |
| --- | --- | --- | --- | --- | --- | --- |"""


@dataclass(frozen=True)
class Source:
    """What one result file says of an agent."""

    file: str
    evaluation: Evaluation
    agent: AgentResult


def leaderboard() -> str:
    """Return the page as Markdown."""
    results = [(path.name, read_evaluation(path)) for path in sorted(RESULTS.glob("*.json")) if path != minis_file()]
    sources = [Source(name, result, agent) for name, result in results for agent in result.agents]
    sources.sort(key=lambda source: (load(source.evaluation.protocol.game).base is not None, *_setting(source)))
    citation = read_citation()
    unverified = UNVERIFIED_LOSSES * any(source.agent.loss and not source.agent.judged for source in sources)
    parts = [INTRODUCTION.format(citation=CITATION.format(**citation), unverified=unverified, **citation)]
    for game_id, of_game in groupby(sources, key=lambda source: source.evaluation.protocol.game):
        parts.append(f"## {load(game_id).name}\n")
        parts += [_table(list(group)) for _, group in groupby(of_game, key=_setting)]
    if minis_file().exists():
        parts.append(_minis(json.loads(minis_file().read_text("utf-8"))))
    return "\n".join(parts)


def read_citation() -> dict[str, str]:
    """Return title, author and version from CITATION.cff."""
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    fields = {"title": "title", "author": "  - name", "version": "version"}
    patterns = {name: rf'^{start}: "?(.+?)"?$' for name, start in fields.items()}
    return {name: re.findall(pattern, text, re.MULTILINE)[0] for name, pattern in patterns.items()}


def minis_file() -> Path:
    """Return the file with the sizes and solutions of the small siblings."""
    return RESULTS / "minis.json"


def _setting(source: Source) -> tuple[str, ...]:
    """Return what has to be equal for figures to stand in one table."""
    protocol, rules = source.evaluation.protocol, source.evaluation.provenance["rules_version"]
    options = json.dumps(dict(protocol.options), sort_keys=True)
    setting = (protocol.version, protocol.seats, rules, options, protocol.budget, protocol.seed)
    return protocol.game, *map(str, setting)


def _table(sources: list[Source]) -> str:
    """Return the table of agents that were measured in the same setting."""
    evaluation = sources[0].evaluation
    protocol, rules = evaluation.protocol, evaluation.provenance["rules_version"]
    agents = dict[tuple[str, str], list[Source]]()
    for source in sources:
        agents.setdefault((source.agent.name, source.agent.what), []).append(source)
    rows = [_cells(protocol, of_agent) for of_agent in agents.values()]
    rows.sort(key=lambda row: -float(row["against policy"].partition("<")[0] or -1))
    columns = [column for column in rows[0] if any(row[column] for row in rows)]
    setting = "".join(f", {name} {value}" for name, value in protocol.options.items())
    if protocol.budget != protocol_of(protocol.game, protocol.version).budget:
        setting += f", a budget of {protocol.budget} for Expert and Master"
    chances = {round(100 * row.chance) for source in sources for row in source.agent.opponents}
    chance = " to ".join(f"{value}" for value in sorted({min(chances), max(chances)}))
    heading = f"{protocol.seats} seats, protocol {protocol.version}, rules version {rules}{setting}"
    return "\n".join(
        (
            f"{heading}; {chance} % by chance.",
            "",
            f"| {' | '.join(columns)} |",
            f"|{' --- |' * len(columns)}",
            *(f"| {' | '.join(row[column] for column in columns)} |" for row in rows),
            "",
            _commands(sources),
            "",
        )
    )


def _cells(protocol: Protocol, sources: list[Source]) -> dict[str, str]:
    """Return the cells of one agent's line by their columns."""
    # Where two files have the same game, that of the whole protocol counts.
    sources = sorted(sources, key=lambda source: source.evaluation.complete)
    games = {(row.opponent, row.deck, row.seat): row for source in sources for row in source.agent.games}
    whole = sources[-1].agent if sources[-1].evaluation.complete else None
    losses = [
        (bool(source.agent.judged), loss.decisions, source.agent) for source in sources if (loss := source.agent.loss)
    ]
    judged = max(losses, key=lambda entry: entry[:2], default=(False, 0, None))[2]
    exploited = next((source.agent.exploitability for source in sources if source.agent.exploitability), None)
    seconds = sum(row.seconds for row in games.values()) / max(1, sum(row.decisions for row in games.values()))
    files = ", ".join(f"[{_name(source)}](../../benchmarks/results/{source.file})" for source in sources)
    shares = {name: _share(protocol, name, games.values()) for name in ("random", "policy", "hard")}
    return {
        "agent": f"{sources[0].agent.name}<br><small>{'whole' if whole else 'part'}: {files}</small>",
        **{f"against {name}": _wins(share) if share else "" for name, share in shares.items()},
        "rating": f"{whole.rating:.1f}<br><small>± {whole.uncertainty:.1f}</small>" if whole else "",
        "loss": _loss(judged) if judged else "",
        "exploitability": f"{max(0.0, exploited['exploitability']):.4f}" if exploited else "",
        "ms a decision": f"{1000 * seconds:.2f}",
    }


def _share(protocol: Protocol, opponent: str, games: Iterable[PlayedGame]) -> AgainstOpponent | None:
    """Return what an agent achieved against one opponent in all of its games; None without a game."""
    rows: Sequence[PlayedGame] = [row for row in games if row.opponent == opponent]
    return against(load(protocol.game), protocol, opponent, rows) if rows else None


def _wins(row: AgainstOpponent) -> str:
    """Return a share of wins with its interval and the number of games."""
    failed = f", {row.failures} failed" * bool(row.failures)
    return _figure(row.wins.share, row.wins.low, row.wins.high, f"{row.wins.games} games{failed}", 1)


def _loss(agent: AgentResult) -> str:
    """Return a loss with its interval and the number of decisions, marked if the file does not hold them."""
    loss: Any = agent.loss
    unverified = f"<br>{UNVERIFIED}" * (not agent.judged)
    return _figure(loss.mean, loss.low, loss.high, f"{loss.decisions} decisions{unverified}", 2)


def _figure(value: float, low: float, high: float, count: str, digits: int) -> str:
    """Return a figure in per cent, and below it its interval and what it was counted from."""
    figures = [f"{100 * figure:.{digits}f}" for figure in (value, low, high)]
    return f"{figures[0]}<br><small>({figures[1]} to {figures[2]})<br>{count}</small>"


def _name(source: Source) -> str:
    """Return the name of a result file without that of the game."""
    return source.file.removesuffix(".json").removeprefix(f"{source.evaluation.protocol.game}-")


def _commands(sources: list[Source]) -> str:
    """Return the commands of the result files, to unfold."""
    lines: dict[str, str] = {}
    for source in sources:
        origin = source.evaluation.provenance
        machine = origin["machine"]
        lines[source.file] = (
            f"<li>{_name(source)}: <code>{escape(origin['command'])}</code><br>{origin['date']}, Pyramidion "
            f"{origin['package']} at {origin['commit'] or 'an unknown commit'}, {machine['processor']}, "
            f"Python {machine['python']}</li>"
        )
    return "\n".join(("<details><summary>Commands</summary><ul>", *lines.values(), "</ul></details>"))


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
