"""Every stage fits on its screen: what it draws and says lies inside it, and it is no taller than that."""

import random

import pytest
from tests.every_game import limits
from tests.web.helpers.browsing import Person
from tests.web.helpers.one_screen import DRAWN

from pyramidion.engine import registry
from pyramidion.web.pages.animations import drawn, staged, touched
from pyramidion.web.pages.renderer import ENVIRONMENT

pytestmark = pytest.mark.browser
SIZES = ((390, 844), (360, 640), (1280, 720))
NAMES = [f"{name} Featherstonehaugh" for name in ["Wilhelmina", "Bartholomew", "Ada", "Clementine", "Daniel"]] + [
    "Armadillo",
    "Quentin",
    "Rosa",
    "Felix",
    "Hypatia",
]
SHOW = """async (lines) => {
    const { src } = document.querySelector("script[src$='/table.js']");
    const { prepare, raise } = await import(src.replace("table.js", "stage.js"));
    const { finish } = await import(src.replace("table.js", "timeline.js"));
    const part = (html) => document.createRange().createContextualFragment(html);
    finish();
    // While others act, nothing on the table needs to stay free.
    delete document.getElementById("fragment").dataset.mine;
    prepare(lines.map(({ text, drawn, touches, ...line }) => {
        const words = document.createElement("span");
        words.textContent = text;
        return { ...line, words, touches: touches.split(" "), picture: part(drawn) };
    }), 0);
    raise();
}"""
FAULTS = """() => {
    const stage = document.getElementById("stage");
    if (!stage.matches(":popover-open")) return ["is not shown"];
    for (const animation of stage.getAnimations({ subtree: true })) animation.finish();
    const box = stage.getBoundingClientRect(), faults = [];
    const on = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    if (!on) faults.push("off the screen");
    const parts = [...stage.querySelectorAll(".drawn *, :scope > p, :scope > p *")].filter((part) =>
        part.checkVisibility() && !part.closest("svg svg, svg :not(svg)") && !part.matches(".stone"));
    for (const part of parts) {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        if (left < box.left || right > box.right || top < box.top || bottom > box.bottom) {
            faults.push(`${part.outerHTML.slice(0, 80)}: ${[left, top, right, bottom].map(Math.round)} in ${[
                box.left, box.top, box.right, box.bottom].map(Math.round)}`);
        }
        if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) faults.push(`cut: ${part.textContent.trim()}`);
    }
    const picture = stage.querySelector(".drawn").getBoundingClientRect();
    const words = stage.querySelector("p").getBoundingClientRect();
    if (words.top < picture.bottom - 1) faults.push("words over the picture");
    const tops = parts.map((part) => part.getBoundingClientRect().top);
    const empty = box.height - (words.bottom - Math.min(...tops));
    if (empty > 0.25 * box.height + 40) faults.push(`${Math.round(empty)} of ${Math.round(box.height)} px are empty`);
    return faults;
}"""


def staged_events(game, viewer):
    """Return by stage and by kind of event what a viewer's page gets of the fullest one in a few random games."""
    fullest = {}
    names = NAMES[: game.usual_seats]
    for seed in range(4):
        match, chance = game.new(game.usual_seats, seed=seed, **limits(game, 12)), random.Random(seed)
        while not match.over:
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
            now = match.version(viewer)
            newest = [event for event in match.events(viewer, names=names) if event.position == now]
            shown = [(event, staged(event, game, viewer)) for event in newest]
            for stage in {which for _, which in shown if which}:
                events = [event for event, which in shown if which == stage]
                if len(events) > len(fullest.get(stage.event, ())):
                    fullest[stage.event] = [
                        {
                            "kind": event.name,
                            "stage": stage.event,
                            "rank": stage.rank,
                            "text": event.text,
                            "touches": touched(event, game, viewer),
                            "drawn": drawn(ENVIRONMENT, event, game, names, match.view(viewer)),
                        }
                        for event in events
                    ]
    return fullest


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_stages_fit_their_screens(server, browser, game_id):
    game = registry.load(game_id)
    shown = staged_events(game, 0)
    assert len(shown) >= 2, shown.keys()
    person, wrong = Person(browser, server.address, width=390, speed="normal", reduced_motion="reduce"), {}
    page = person.page
    person.start(game.name, ("me", *["open"] * (game.usual_seats - 1)))
    page.wait_for_function(DRAWN)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    # Whoever begins is drawn by lot; stages keep off what can be chosen, or are not shown.
    page.evaluate("() => delete document.getElementById('fragment').dataset.mine")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for kind, lines in shown.items():
            page.evaluate(SHOW, lines)
            if faults := page.evaluate(FAULTS):
                wrong[f"{kind} at {width}x{height}"] = faults
    assert not wrong, "\n".join(f"{where}: {faults}" for where, faults in wrong.items())
    assert person.problems == []
    person.context.close()
