"""What the tables of a season ask the database for besides what every table does."""

import sqlalchemy as sa
from tests.web.helpers.notifications import open_site

from pyramidion.seasons.events import CastAdded, EpisodeOpened, SettingsChanged
from pyramidion.web.features.seasons.loaded import SeasonRequester


async def test_a_page_reads_the_season_by_one_query_and_actions_do_not(tmp_path):
    async with open_site(tmp_path) as site:
        seasons, hal = site.app.server.seasons, SeasonRequester("h1", True)
        settings = SettingsChanged(title="Red", talk="private", audience="live")
        loaded = await seasons.create([settings], "Hal", "hal")
        names = ("ana", "bo", "cy")
        await seasons.do(loaded.id, hal, [CastAdded(name) for name in names])
        loaded = await seasons.get(loaded.id)
        for nth, name in enumerate(names, 1):
            await seasons.join(loaded.id, seasons.links.code(loaded, f"c{nth}"), name)
        loaded = await seasons.step(loaded.id, hal, "open", EpisodeOpened("pyramid-shambo"))
        [table_id] = loaded.season.episodes[-1].tables
        table = await site.tables.get(table_id)
        asked = []
        engine = site.tables.store.engine
        sa.event.listen(engine, "before_cursor_execute", lambda *about: asked.append(about[2]))

        def of_season():
            found = [one for one in asked if "season_people" in one or "season_log" in one or "season_talk" in one]
            asked.clear()
            return found

        for who in ("ana", "hal", "stranger"):
            found = await seasons.season_of_table(table, who)
            assert (found.reads_conversations, found.episode) == (who != "stranger", 1)
            assert len(of_season()) == 1
        for _ in range(6):
            await site.act(table, table.match.acting[0])
            # A table that stands still is looked at from time to time; there is nobody left to be seated.
            assert not await seasons._resume_table(loaded.id, table_id)
        assert of_season() == []
