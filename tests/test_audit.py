"""Tests of the dependency audit, which must not report success for packages it could not look up."""

from tools.audit import main, verdict

SOUND = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}, {"id": "X-2", "fix_versions": []}]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


def test_a_known_vulnerability_fails_and_is_named():
    status, lines = verdict({"dependencies": [SOUND, BAD]})
    assert status == 1
    assert lines == [
        "b 2: X-1, mended in 3.",
        "b 2: X-2, mended in no version yet.",
        "2 known vulnerabilities in the 2 of 2 dependencies that were looked up.",
    ]


def test_what_was_looked_up_and_is_sound_passes():
    assert verdict({"dependencies": [SOUND]}) == (
        0,
        ["No known vulnerability in the 1 of 1 dependencies that were looked up."],
    )


def test_what_could_not_be_looked_up_is_said(capsys):
    for report in (None, {"dependencies": [UNKNOWN, UNKNOWN]}):
        assert main(lambda report=report: report) == 0
        said = capsys.readouterr().out
        assert said.startswith("NOT LOOKED UP: the database of known vulnerabilities is out of reach; nothing is known")
        assert "No known vulnerability" not in said
    _, lines = verdict({"dependencies": [SOUND, UNKNOWN]})
    assert lines == ["NOT LOOKED UP: c.", "No known vulnerability in the 1 of 2 dependencies that were looked up."]
