"""The form for the result of a match that hosts enter: whom it offers, what it proposes, and which ties it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pyramidion.seasons.episode import EpisodePart, SeasonTable
from pyramidion.seasons.own_match import OwnMatch, Tie
from pyramidion.seasons.season import LARGEST, Season
from pyramidion.seasons.sentences import listed_names
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class Place:
    """Whom the form offers for a place in the result, such as that of the elimination candidate, and whom it proposes.

    People are ids of contestants. `others` can be chosen, too, although a tie is between those who are offered.
    """

    offered: Sequence[str]
    proposed: Sequence[str]
    others: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TableStandings:
    """How a table of the match ended: its id, and (place, contestant's id, points or None) from the first to last."""

    table: str
    rows: Sequence[tuple[int, str, int | None]]


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The places in the result of a match: who loses, who wins, and the winner; with sentences about their ties.

    `standings` are those of the tables at which the match was played.
    """

    loses: Place
    wins: Place
    winner: Place
    ties: Sequence[str]
    standings: Sequence[TableStandings] = ()


Outcomes = tuple[Sequence[str] | Tie, Sequence[str] | Tie, Sequence[str] | Tie]
"""Who loses, who wins and who is the winner, as far as a match says; a tie where hosts have to choose."""


def result_form(season: Season, part: EpisodePart) -> ResultForm:
    """Return the form for the result of the main match or the death match of the open episode.

    Where a tie has to be decided, those who are tied come first, and are proposed as the format's rule for ties says.
    """
    episode = season.opened()
    mine = [match for match in season.own_matches.values() if (match.episode, match.part) == (episode.number, part)]
    over = mine if mine and mine[-1].over else []
    outcomes = _of_own_matches(over) if over else _of_tables(season, part)
    lot = over[-1].lot if over else ()
    everybody = season.remaining if part == "main" else [who for who in (episode.candidate, episode.opponent) if who]

    def place(outcome: Sequence[str] | Tie) -> Place:
        """Return the contestants that a field offers, and those that it preselects."""
        if not isinstance(outcome, Tie):
            return Place(everybody, outcome)
        tied = (*outcome.sure, *outcome.who)
        others = [who for who in everybody if who not in tied]
        return Place(tied, (*outcome.sure, *_by_rule(season, outcome, lot)), others)

    loses, wins, winner = outcomes
    asked = episode.format
    needed = [loses] if part == "duel" or asked.candidates_by == "result" else []
    needed += [wins] if part == "main" else []
    needed += [winner] if part == "main" and "winner" in (asked.candidates_by, asked.opponent_by) else []
    sentences = [sentence for tie in needed if isinstance(tie, Tie) for sentence in _sentences(season, tie, lot)]
    standings = [_standings(table) for table in episode.at(part) if table.winners is not None]
    return ResultForm(place(loses), place(wins), place(winner), list(dict.fromkeys(sentences)), standings)


def _standings(table: SeasonTable) -> TableStandings:
    """Return how a table that is over ended."""
    scored = _scored(table)
    values = table.points if scored else [int(who in (table.winners or ())) for who in table.cast]
    rows = [
        (1 + sum(other > value for other in values), who, value if scored else None)
        for who, value in zip(table.cast, values, strict=False)
    ]
    return TableStandings(table.table, sorted(rows, key=lambda row: row[0]))


def _scored(table: SeasonTable) -> bool:
    """Return whether a table has points for everybody; negative ones mean that somebody has been left unscored."""
    return bool(table.points) and min(table.points) >= 0


def _of_own_matches(matches: Sequence[OwnMatch]) -> Outcomes:
    """Return who lost, who won, and the winner, each by the latest match that says it: a vote may follow another."""
    outcomes: Outcomes = (), (), ()
    for match in matches:
        loses, wins, winner = _of_own_match(match)
        outcomes = loses or outcomes[0], wins or outcomes[1], winner or outcomes[2]
    return outcomes


def _of_own_match(match: OwnMatch) -> Outcomes:
    """Return who lost, who won, and the winner, by the scores of a match that the host has declared."""
    ties = {tie.outcome: tie for tie in match.ties}
    winner = [match.winner] if match.winner is not None else []
    loses = ties.get("loses", match.losers or [])
    if match.part == "duel" and not loses:
        open_tie = next(iter(match.ties), None)
        others = [who for who in match.scored if winner and who not in winner]
        loses = Tie("loses", open_tie.who, (), 1) if open_tie is not None else others
    return loses, ties.get("wins", match.winners or []), ties.get("winner", winner)


def _of_tables(season: Season, part: EpisodePart) -> Outcomes:
    """Return who lost, who won, and the winner, by the results of the tables that a part was played at."""
    episode = season.opened()
    played = [table for table in episode.at(part) if table.winners is not None]
    if part == "duel":
        return Tie("loses", played[0].cast, (), 1) if played else (), (), ()
    won = tuple(who for table in played for who in table.winners or ())
    points = played[0].points if len(played) == 1 and _scored(played[0]) else ()
    last = [played[0].cast[points.index(min(points))]] if points else []
    by_result = episode.format.candidates_by == "result" and episode.format.candidates
    wins = _token_winners(played, episode.format.tokens, last if by_result else ())
    if episode.winner is None and len(won) > 1:
        return last, wins if wins is not None else won, Tie("winner", won, (), 1)
    return last, wins if wins is not None else won, [episode.winner] if episode.winner is not None else won


def _token_winners(
    played: Sequence[SeasonTable], tokens: int | None, candidates: Collection[str]
) -> Sequence[str] | Tie | None:
    """Return who wins a token of life each where a format gives out so many: the same number at each table.

    None where the points do not say it.
    """
    if tokens is None or not played or tokens % len(played) or not all(map(_scored, played)):
        return None
    sure, ties, room = list[str](), list[Tie](), tokens // len(played)
    for table in played:
        points = {who: value for who, value in zip(table.cast, table.points, strict=True) if who not in candidates}
        cut = sorted(points.values(), reverse=True)[:room][-1] if points and room else LARGEST
        above = [who for who, value in points.items() if value > cut]
        level = [who for who, value in points.items() if value == cut]
        if len(above) + len(level) > room:
            ties.append(Tie("wins", tuple(level), (), room - len(above)))
            sure += above
        else:
            sure += above + level
    return replace(ties[0], sure=tuple(sure)) if len(ties) == 1 else sure


def _by_rule(season: Season, tie: Tie, lot: Sequence[str]) -> list[str]:
    """Return whom the format's rule chooses among the tied; nobody if the hosts decide."""
    priority = {who: season.ledger.balance(who, "priority") for who in tie.who}
    return tie.chosen(season.opened().format.tie, lot, priority) or []


def tie_sentence(season: Season, tie: Tie) -> str:
    """Return the sentence that says who is tied."""
    return _("A tie between {names}.").format(names=listed_names(tie.who, season.name))


def _sentences(season: Season, tie: Tie, lot: Sequence[str]) -> list[str]:
    """Return the sentences that say who is tied, and whom the format's rule chooses, or that priority does not."""
    chosen = _by_rule(season, tie, lot)
    sentences = [tie_sentence(season, tie)]
    if chosen:
        words = _("The rule for ties chooses {names}.")
        sentences.append(words.format(names=listed_names(chosen, season.name)))
    elif season.opened().format.tie == "priority":
        sentences.append(_("Priority does not decide it, so you do."))
    return sentences
