"""Helpers of the tests in `browser/test_whole_games.py`, which other tests use, too."""

from tests.web.helpers.browsing import COMMIT

# Short games, where an option makes them so.
GAMES = {
    "ponzi-scheme": (3, {"round_limit": 3}),
    "pyramis": (2, {}),
    "pyramid-scheme": (2, {}),
    "pyramid-shambo": (3, {"turn_limit": 4}),
    "upside-down": (10, {}),
    "downside-up": (10, {}),
}
# What can be chosen of the others' things lies on top, whole, unless the board shows the same again.
HIDDEN = """() => [...document.querySelectorAll("#others .can")].filter((one) => {
    const again = document.querySelector(`#board .can[data-path="${CSS.escape(one.dataset.path)}"]`);
    if (again?.checkVisibility()) return false;
    const { left, top, width, height } = one.getBoundingClientRect();
    return ![top + 3, top + height / 2, top + height - 3].every((y) =>
        one.contains(document.elementFromPoint(left + width / 2, y)));
}).map((one) => one.outerHTML.slice(0, 120))"""

# Every action that pieces, buttons, choices and numbers offer; numbers are set at their lowest.
OFFERED = """() => {
    const seen = (which) => [...document.querySelectorAll(which)].filter((one) => one.checkVisibility());
    return [
        ...seen("#fragment button.can").map((one) => [".can", one.dataset.path]),
        ...seen("#actions :is(.quick [data-steps], .pick:enabled, [data-saves])")
            .map((one) => ["[data-steps]", one.value]),
        ...seen("#actions [name=family]:enabled").map((one) => ["[name=family]", one.value]),
    ];
}"""


PRESS = """([kind, name]) => {
    const all = [...document.querySelectorAll(`#fragment ${kind}`)].filter((one) => one.checkVisibility());
    return all.find((one) => (kind === ".can" ? one.dataset.path : one.value) === name);
}"""


CAME = """([version, picked, armed]) => {
    const fragment = document.getElementById("fragment"), refused = document.getElementById("refused");
    const commit = document.getElementById("commit"), held = document.querySelectorAll(".held").length;
    return fragment.matches(".over") || Number(fragment.dataset.version) > version || held !== picked
        || (!armed && commit && !commit.hidden) || (refused && !refused.hidden)
        || document.getElementById("sure").open;
}"""


def one_step(person, chance):
    """Press something that is offered, as a person would, and commit what it makes ready."""
    page, before = person.page, person.version
    if page.locator("#commit:not([hidden])").count():
        page.evaluate(COMMIT, before)  # unless the second click has sent it meanwhile
        return person.moved(before)
    if page.locator("#sure[open]").count():
        return person.moved(before)
    offered = page.evaluate(OFFERED)
    if not offered:
        return None  # what was pressed before has come meanwhile, and it is somebody else's turn
    picked = page.locator(".held").count()
    found = page.evaluate_handle(PRESS, chance.choice(offered)).as_element()
    if found is None:
        return None
    if not person.phone:
        found.hover()
    person.touch(found)
    return page.wait_for_function(CAME, arg=[before, picked])
