"""F27, heard: two players over sound cards in files. Nothing here depends on how fast the machine is: the cards are computed
from the clock, so what they wrote can be compared to the sample whenever they got round to writing it."""

import array
import contextlib
import statistics
import subprocess
import wave

import pytest
from hosts_support import BUILD, environment, until

RATE = 48_000
SECOND = 1_000_000_000
#: What the two clocks of one machine may be apart by, as the session's probes see it while other tests run.
IN_STEP = 10_000_000


class Card:
    """A pcm_host in a process, and what it wrote."""

    def __init__(self, folder, name, *arguments, kind="pcm"):
        self.out, self.times = folder / f"{name}.{kind}", folder / f"{name}.times"
        command = [BUILD / "pcm_host", *arguments, "--name", name, "--out", self.out, "--times", self.times]
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True, bufsize=1
        )

    def type(self, line):
        self.process.stdin.write(line + "\n")

    def close(self):
        if self.process.poll() is None:
            self.type("quit")
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None

    def blocks(self):
        """Sample, host time, item time, speed of every whole line."""
        text = self.times.read_text() if self.times.exists() else ""
        lines = text[: text.rfind("\n") + 1].splitlines()
        return [(int(a), int(b), int(c), float(d)) for a, b, c, d in map(str.split, lines)]

    def played(self):
        return [block for block in self.blocks() if block[3] != 0]

    def position(self, host_time):
        """Where the item was at a host time; None: it did not play then."""
        _, heard, item, speed = [block for block in self.blocks() if block[1] <= host_time][-1]
        return None if speed == 0 else item + speed * (host_time - heard)

    def samples(self, host_time, count):
        """What was heard from a host time on."""
        sample, heard, _, _ = [block for block in self.blocks() if block[1] <= host_time][-1]
        first = sample + (host_time - heard) * RATE // SECOND
        data = array.array("h")
        with self.out.open("rb") as file:
            file.seek(2 * first)
            data.frombytes(file.read(2 * count))
        return data


@contextlib.contextmanager
def two_cards(folder, *habits):
    """Ann's and Ben's, which has these options."""
    if not (BUILD / "pcm_host").exists():
        pytest.skip("no sample host to test with; run `make` first")
    folder.mkdir(exist_ok=True)
    made = []
    try:
        made.append(Card(folder, "ann", "host", "--drift", "200"))
        invite = made[0].process.stdout.readline().split()[1]
        made.append(Card(folder, "ben", "join", invite, "--drift", "-200", *habits))
        yield made
    finally:
        codes = [card.close() for card in made]
    assert codes == [0, 0]


@pytest.fixture
def cards(tmp_path):
    with two_cards(tmp_path) as made:
        yield made


def test_f27_what_two_cards_play_is_the_same_sound_at_the_same_time(cards):
    ann, ben = cards
    # Both are there: a play that only one of them hears of would start alone.
    ben.type("seek 20")
    until(lambda: ann.blocks() and ann.blocks()[-1][2] == 20 * SECOND, "the group was at 20 s")
    ann.type("play")

    def both_played(seconds):
        return all(len(card.played()) > seconds * RATE // 480 for card in cards)

    until(lambda: both_played(6), "both played for six seconds", limit=120)
    ann.type("stats")

    def window():
        """Thirty instants of the last three seconds."""
        end = min(card.blocks()[-1][1] for card in cards) - SECOND // 2
        return [end - index * SECOND // 10 for index in range(30)]

    def play_on_end():
        return all(card.position(instant) is not None for card in cards for instant in window())

    # On a busy machine a sound card may run dry in between.
    until(play_on_end, "both played for three seconds on end", limit=120)
    instants = window()
    end = instants[0]
    skews = [abs(ann.position(instant) - ben.position(instant)) for instant in instants]
    assert sorted(skews)[28] < IN_STEP, "the positions that they wrote were apart"
    # The sound itself: noise is like itself at one lag alone.
    count, reach = 1_200, IN_STEP * RATE // SECOND
    one = ann.samples(end - SECOND // 2, count)
    other = ben.samples(end - SECOND // 2 - reach * SECOND // RATE, count + 2 * reach)
    assert any(one) and any(other)

    def likeness(lag):
        return sum(a * b for a, b in zip(one[:count], other[lag : lag + count]))

    best = max(range(2 * reach), key=likeness)
    assert likeness(best) > 0.1 * sum(a * a for a in one), "the sounds are alike at no lag within 10 ms"
    ben.type("pause")
    until(lambda: all(card.blocks()[-1][3] == 0 for card in cards), "both paused")


LATENCIES = [40, 150, 300]
#: After the first, from which what a start costs is learnt.
STARTS = 5
#: A busy machine comes to a card when it can: others try it again, from their first start on.
TRIES = 3


def starts(card):
    """Where the item would have been at host time 0, by the first block of each stretch of play."""
    blocks = card.blocks()
    return [item - heard for (*_, before), (_, heard, item, speed) in zip(blocks, blocks[1:]) if before == 0 != speed]


def misses(ann, ben):
    """By how much Ben's sound was ahead of Ann's when it began, ns: the first start of these two, and those after it."""
    both, missed = (ann, ben), []
    for number in range(1 + STARTS):
        place = 20 * SECOND * (number + 1)
        ben.type(f"seek {place // SECOND}")
        until(lambda: all(card.blocks() and card.blocks()[-1][2:] == (place, 0) for card in both), f"all stood at {place}")
        before = [len(starts(card)) for card in both]
        ann.type("play")

        def in_step():
            if any(card.blocks()[-1][3] == 0 for card in both):
                return False
            end = min(card.blocks()[-1][1] for card in both)
            here, there = (card.position(end) for card in both)
            return None not in (here, there) and abs(here - there) < IN_STEP

        until(lambda: in_step() and all(len(card.blocks()) > 0 for card in both), "both played in step", limit=120)
        lines = [starts(card)[count] for card, count in zip(both, before)]
        missed.append(lines[1] - lines[0])
        ann.type("pause")
        until(lambda: all(card.blocks()[-1][3] == 0 for card in both), "both paused")
    print("ahead of the other when it began, ms:", [round(miss / 1e6, 1) for miss in missed])
    return missed


@pytest.mark.parametrize("late", LATENCIES, ids=lambda late: f"{late} ms")
def test_f27_a_card_that_begins_late_begins_with_the_others_from_the_second_start_on(tmp_path, late):
    for number in range(TRIES):
        with two_cards(tmp_path / str(number), "--late", late) as (ann, ben):
            first, *others = misses(ann, ben)
        assert first < -late * SECOND // 1000 / 2, "nobody knew before the first start"
        if abs(others[0]) < IN_STEP and abs(statistics.median(others)) < IN_STEP:
            return
    assert abs(others[0]) < IN_STEP, "the second start was late"
    assert abs(statistics.median(others)) < IN_STEP


def test_f70_a_sound_file_comes_out_as_it_went_in(tmp_path):
    if not (BUILD / "pcm_host").exists():
        pytest.skip("no sample host to test with; run `make` first")
    given = tmp_path / "given.wav"
    ramp = array.array("h", [(sample * 37) % 20_000 + 1 for sample in range(RATE)])
    with wave.open(str(given), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(ramp.tobytes())
    card = Card(tmp_path, "ann", "host", "--wav", given, kind="wav")
    until(lambda: card.blocks(), "the card ran")
    card.type("play")
    until(lambda: card.played() and card.blocks()[-1][3] == 0, "a second of sound was over", limit=120)
    assert card.close() == 0
    with wave.open(str(card.out)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        heard = array.array("h", file.readframes(file.getnframes()))
    assert card.out.stat().st_size == 44 + 2 * len(heard)
    loud = [sample for sample in heard if sample != 0]
    # Nobody waits for who is alone, so the first moment may be gone. A start between two samples may take the one or the
    # other: they are 37 apart.
    begun = ramp.index(loud[0])
    assert begun < RATE // 10 and len(loud) == pytest.approx(RATE - begun, abs=2)
    assert sum(abs(one - other) <= 37 for one, other in zip(loud, ramp[begun:])) > 0.99 * len(loud)
