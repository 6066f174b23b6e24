"""What an audit took, for each candidate as well."""

from dataclasses import replace

from support.pools import candidate, judged, pool

from venire.report.cost import cost


def test_the_cost_of_a_candidate_is_the_wall_time_shared() -> None:
    assert cost(pool(candidate(), candidate(first=40))).endswith(" · 3 min 20 s · 1 min 40 s a candidate")
    assert cost(replace(judged(), ms=0)).endswith(" · 0.0 s")
