"""The server: every service, made in one place, started and closed in one order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import get_type_hints

from pyramidion.bots import ALL_LEVELS
from pyramidion.bots.thread_pool import SearchCompiler, ThreadPools
from pyramidion.web import contracts
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Writer
from pyramidion.web.features.accounts.bot_accounts import BotAccounts
from pyramidion.web.features.accounts.known_browsers import KnownBrowsers
from pyramidion.web.features.accounts.passkeys import Passkeys
from pyramidion.web.features.accounts.password_resets import PasswordResets
from pyramidion.web.features.accounts.service import Accounts
from pyramidion.web.features.analysis.service import Analyses
from pyramidion.web.features.bots.runner import Runner
from pyramidion.web.features.chat.service import Chats
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.features.companions.service import Companions
from pyramidion.web.features.hints.coach import Coach
from pyramidion.web.features.hints.service import Hints
from pyramidion.web.features.lab.service import Lab
from pyramidion.web.features.lessons.service import Lessons, scripted
from pyramidion.web.features.lobby.own_games import YourGames
from pyramidion.web.features.notifications.competition_webhooks import CompetitionWebhooks
from pyramidion.web.features.notifications.contacts import Contacts
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.features.notifications.transports.mail import Mailer
from pyramidion.web.features.notifications.transports.push import Push
from pyramidion.web.features.notifications.transports.webhooks import Webhooks
from pyramidion.web.features.premoves.service import Premoves
from pyramidion.web.features.profiles.results import Results
from pyramidion.web.features.profiles.service import Profiles
from pyramidion.web.features.ratings.service import Ratings
from pyramidion.web.features.rematch.service import Rematches
from pyramidion.web.features.reports.service import Reports
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.features.waiting_room.expiry import Cleaning
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.operations.metrics import Metrics
from pyramidion.web.operations.warm_up import WarmUp
from pyramidion.web.pages.assets import assets
from pyramidion.web.play.streams import Streams
from pyramidion.web.settings import Settings
from pyramidion.web.table.bots import Budget
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Makes, starts and closes all services of a server, and holds them by name and, for handlers, by type."""

    settings: Settings
    store: Store
    writer: Writer
    tables: Tables
    # Requests
    visitors: Visitors
    limits: RateLimits
    streams: Streams
    metrics: Metrics
    warm_up: WarmUp
    # At the tables
    thinking: ThreadPools
    searches: SearchCompiler
    runner: Runner
    hints: Hints
    coach: Coach
    analyses: Analyses
    premoves: Premoves
    rooms: Rooms
    rematches: Rematches
    lessons: Lessons
    chats: Chats
    cleaning: Cleaning
    # People
    accounts: Accounts
    bot_accounts: BotAccounts
    passkeys: Passkeys
    password_resets: PasswordResets
    known_browsers: KnownBrowsers
    companions: Companions
    reports: Reports
    ratings: Ratings
    results: Results
    profiles: Profiles
    your_games: YourGames
    contacts: Contacts
    push: Push
    notifications: Notifications
    # What people found and host
    clubs: Clubs
    channels: CompetitionWebhooks
    seasons: Seasons
    tournaments: Tournaments
    lab: Lab | None

    @staticmethod
    def open(settings: Settings, *, now: Callable[[], int] = now) -> Server:
        """Open the database and make every service. Raises StoreError or ValueError for one that cannot be used."""
        store = Store(settings.database())
        store.open()
        try:
            return _make(settings, store, now)
        except BaseException:
            store.close()
            raise

    async def start(self) -> None:
        """Start what works in the background; premoves and deadlines stored before a restart are resumed."""
        self.writer.start()
        self.streams.start()
        self.tables.listener.start()
        await self.tables.start()
        self.premoves.start()
        self.notifications.start()
        self.cleaning.start()
        self.seasons.start()
        self.tournaments.start()
        if self.lab is not None:
            self.lab.start()
        if self.settings.warm:
            self.warm_up.start()

    async def close(self) -> None:
        """Stop everything in the opposite order, the database last."""
        self.streams.close()
        if self.lab is not None:
            await self.lab.close()
        await self.tournaments.close()
        await self.seasons.close()
        await self.cleaning.close()
        await self.notifications.close()
        await self.runner.close()
        await self.coach.close()
        await self.premoves.close()
        await self.analyses.close()
        await self.results.close()
        await self.ratings.close()
        self.thinking.close()
        await self.tables.close()
        await self.writer.stop()
        self.store.close()

    def by_type(self) -> dict[type, object]:
        """Return every service by its class, and by the contracts that it keeps."""
        services: list[object] = [getattr(self, field.name) for field in fields(self)]
        offered = _Offered(
            accounts=self.accounts,
            api_tokens=self.bot_accounts,
            bot_owners=self.bot_accounts,
            ratings=self.ratings,
            blocks=self.companions,
            reachability=self.notifications,
            push_devices=self.push,
            club_homes=self.clubs,
            webhooks=self.channels,
            season_pages=self.seasons,
            tournament_titles=self.tournaments,
            seat_invitations=self.companions,
            table_finder=self.rooms,
            waiting_rooms=self.rooms,
        )
        by_contract: dict[type, object] = {
            contract: getattr(offered, name) for name, contract in get_type_hints(_Offered).items()
        }
        return {type(service): service for service in services if service is not None} | by_contract


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offered:
    """The services that features offer one another; the type checker compares each with its contract."""

    accounts: contracts.AccountLookup
    api_tokens: contracts.ApiTokens
    bot_owners: contracts.BotOwners
    ratings: contracts.PersonRatings
    blocks: contracts.Blocks
    reachability: contracts.Reachability
    push_devices: contracts.PushDevices
    club_homes: contracts.ClubHomes
    webhooks: contracts.CompetitionWebhooks
    season_pages: contracts.SeasonPages
    tournament_titles: contracts.TournamentTitles
    seat_invitations: contracts.SeatInvitations
    table_finder: contracts.TableFinder
    waiting_rooms: contracts.WaitingRooms


def _make(settings: Settings, store: Store, now: Callable[[], int]) -> Server:
    """Make all services over an open database, and let them hear what happens at tables."""
    key, secure = settings.key(store), settings.secure_cookies
    writer = Writer(store)
    tables = Tables(store, writer, keep=settings.tables_in_memory, lease=settings.lease, now=now)
    streams = Streams(settings.heartbeat)
    thinking, searches = ThreadPools(settings.bot_threads), SearchCompiler()
    budget = Budget(settings.bot_seconds, settings.bot_iterations)
    runner = Runner(pause=settings.bot_pause, thinking=thinking, searches=searches, budget=budget, claims=tables.claims)
    hints = Hints(thinking, searches, budget)
    coach = Coach(hints, thinking, searches, budget)
    analyses = Analyses(store, writer, thinking, searches, settings.analysis_iterations)
    pause = settings.premove_pause, max(settings.premove_pause, settings.premove_pause_longest)
    premoves = Premoves(tables, tables.claims, pause)
    rooms = Rooms(tables)
    rematches = Rematches(tables, rooms)
    companions = Companions(tables, writer, rooms)
    ratings = Ratings(tables)
    results = Results(tables, writer)
    lessons = Lessons(tables)
    your_games = YourGames(tables)

    def prepare_search(table: Table) -> None:
        """Compile a new table's search in the background if one of its bots will need it."""
        if any(seat.bot in ALL_LEVELS for seat in table.seats):
            searches.prepare(table.game)

    runner.scripted = scripted
    tables.events.created.append(prepare_search)
    tables.events.moved.append(runner.look)
    tables.events.moved.append(coach.look)
    contacts = Contacts(store, writer, key)
    webhooks = Webhooks(insecure=settings.webhooks_http, ports=settings.webhook_ports())
    push = Push(settings, store, writer)
    icon = lambda: f"{assets().base}/icon-192.png"  # noqa: E731
    notifications = Notifications(settings, store, writer, tables, contacts, Mailer(settings), webhooks, push, icon)
    accounts = Accounts(store, writer, tables.heard, tables.events)
    channels = CompetitionWebhooks(contacts, webhooks)
    clubs = Clubs(tables, channels, key)
    seasons = Seasons(tables, rooms, clubs, channels, key)
    tournaments = Tournaments(tables, rooms, clubs, ratings, channels)
    clubs.cards.update(season=seasons.card, tournament=tournaments.card)
    return Server(
        settings=settings,
        store=store,
        writer=writer,
        tables=tables,
        visitors=Visitors(key, secure=secure),
        limits=RateLimits(settings),
        streams=streams,
        metrics=Metrics(tables, lambda: streams.count, writer, thinking),
        warm_up=WarmUp(),
        thinking=thinking,
        searches=searches,
        runner=runner,
        hints=hints,
        coach=coach,
        analyses=analyses,
        premoves=premoves,
        rooms=rooms,
        rematches=rematches,
        lessons=lessons,
        chats=Chats(store, writer, tables, notifications.wrote),
        cleaning=Cleaning(tables, settings.room_days),
        accounts=accounts,
        bot_accounts=BotAccounts(store, writer, tables.heard, tables.events),
        passkeys=Passkeys(key, accounts),
        password_resets=PasswordResets(key, accounts),
        known_browsers=KnownBrowsers(key, secure=secure),
        companions=companions,
        reports=Reports(store, writer),
        ratings=ratings,
        results=results,
        profiles=Profiles(tables, results, ratings, companions),
        your_games=your_games,
        contacts=contacts,
        push=push,
        notifications=notifications,
        clubs=clubs,
        channels=channels,
        seasons=seasons,
        tournaments=tournaments,
        lab=Lab(settings.lab_workers, settings.lab_seconds, settings.lab_games) if settings.lab else None,
    )
