"""Tests of the type check of changed files."""

import subprocess

from tools.changed_types import ROOT, changed, checked


def git(folder, *command):
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *command], cwd=folder, check=True, capture_output=True)


def test_changed_is_what_differs_from_the_main_branch_committed_or_not(tmp_path):
    for name in ("same.py", "edited.py", "committed.py", "gone.py"):
        (tmp_path / name).write_text("1\n")
    git(tmp_path, "init", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    git(tmp_path, "checkout", "-b", "feature")
    (tmp_path / "committed.py").write_text("2\n")
    git(tmp_path, "commit", "-am", "second")
    (tmp_path / "edited.py").write_text("2\n")
    (tmp_path / "new.py").write_text("2\n")
    (tmp_path / "gone.py").unlink()
    assert {path.name for path in changed(tmp_path)} == {"edited.py", "committed.py", "gone.py", "new.py"}


def test_checked_are_the_files_of_the_list_and_no_compiled_bodies():
    found = {path.relative_to(ROOT / "src" / "pyramidion").as_posix() for path in checked() if "src" in path.parts}
    assert {"translation.py", "engine/rule.py", "games/pyramis/layout.py", "web/play/table_pages.py"} <= found
    assert not found & {"games/pyramis/rules.py", "games/pyramis/mind.py", "bots/tree.py", "engine/random.py"}
