"""A few hundred requests from our own OpenAPI document; `benchmarks/fuzz.py` sends 20,000."""

import pytest


@pytest.mark.slow
def test_no_request_is_the_servers_fault_and_no_refused_one_changes_anything(tmp_path):
    import fuzz  # with Schemathesis, which takes long to import

    with fuzz.serving(tmp_path) as server:
        figures = fuzz.fuzz(server, 300)
    assert figures["requests"] >= 300
    answers = {what.rsplit(" ", 1)[1] for what in figures["answers"]}
    assert {"200", "404"} <= answers
    assert {"400", "409", "422"} & answers, "nothing was refused for what it asked"
