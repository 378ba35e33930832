"""What the model of an audience at many hubs says (Benchmarks/hub/audience_model.py), with the costs of docs/benchmarks.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Benchmarks" / "hub"))

import audience_model


def test_n31_a_pause_for_100_000_at_ten_hubs_is_read_by_99_of_100_within_200_ms():
    written, median, most, _ = audience_model.figures(100_000, 10, cost=7.0, rounds=3)
    assert most <= 0.2 and median < most
    # That all hubs have written it within 50 ms takes more of them than ten.
    assert 0.05 < written < 0.15


def test_n31_all_hubs_have_written_a_pause_for_100_000_within_50_ms_where_they_are_32():
    written, _, most, _ = audience_model.figures(100_000, 32, cost=7.0, rounds=3)
    assert written <= 0.05 and most <= 0.2


def test_n31_what_a_delivery_costs_decides():
    cheap, dear = (audience_model.figures(20_000, 10, cost=cost, rounds=1) for cost in (3.1, 13.7))
    assert all(less < more for less, more in zip(cheap[:3], dear[:3]))


def test_n31_the_model_has_turns_as_the_hub_has_them():
    source = (ROOT / "Sources" / "UnisonoRuntime" / "Hub" / "Audiences.swift").read_text(encoding="utf-8")
    assert int(re.search(r"static let perTurn = (\d+)", source)[1]) == audience_model.PER_TURN
    assert int(re.search(r"static let pause = Nanoseconds\.microseconds\((\d+)\)", source)[1]) == round(audience_model.PAUSE * 1e6)
