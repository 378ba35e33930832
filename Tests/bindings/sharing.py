"""What a group shares, by the lines that the samples of every language know: one script for all of them.

A sample here has a name, `type(line)` and `text`, what it has printed; it prints "playing at 0.000" or the like when the group's timing
changes, or has a `group_state`.
"""

import re
import time

import steps


def told(one, words):
    steps.until(lambda: words in one.text, f"{one.name} was told {words!r}: {one.text[-1500:]}")


def ask(one, line, holds, what):
    """A wish can be early, and a list not there yet: asked again until it is so."""
    asked = [0.0]

    def done():
        if not holds() and time.monotonic() - asked[0] > 2:
            one.type(line)
            asked[0] = time.monotonic()
        return holds()

    steps.until(done, what)


def lists(one, *lines):
    wanted = "".join(f"{line}\n" for line in lines)
    ask(one, "list", lambda: wanted in one.text.replace("* ", ""), f"{one.name} listed {lines}")


def timing(one):
    """The last state that was printed, or the one that it says elsewhere."""
    if hasattr(one, "group_state"):
        return one.group_state
    found = re.findall(r"^(playing|waiting|paused) at ", one.text, re.M | re.I)
    return found[-1].lower() if found else None


def is_now(state, *all_of_them):
    steps.until(lambda: all(timing(one) == state for one in all_of_them), f"all were {state}: {[one.text[-600:] for one in all_of_them]}")


def arrive(one, item):
    """The sample is where the playlist has taken the group."""
    told(one, f"The group is at {item}")


def share(ann, ben, folder, **wording):
    """Ann and Ben, two processes in one session, at one item and paused; at the end Ben has quit, and Ann is paused."""
    acquaint(ann, ben)
    talk(ann, ben)
    close_and_open(ann, ben)
    keep_a_playlist(ann, ben)
    compare_copies(ann, ben, folder)
    have_another_cut(ann, ben)
    schedule(ann, ben, **wording)
    attach(ann, ben, folder)
    wait_for_each_other(ann, ben)
    take_back_a_jump(ann, ben)
    leave(ann, ben)


def acquaint(ann, ben):
    """Each knows of the other."""
    for one, other in ((ann, ben), (ben, ann)):
        ask(one, "who", lambda: re.search(rf"^(\* )?{other.name}\b", one.text, re.M), f"{one.name} knew of {other.name}")


def talk(ann, ben):
    """Words and reactions; words are kept."""
    ask(ben, "say hello there", lambda: "Ben: hello there" in ann.text, "words came")
    ben.type("react clap")
    told(ann, "Ben: clap")
    ann.type("history")
    told(ann, "  Ben: hello there")
    assert "  Ben: clap" not in ann.text, "a reaction is not kept"


def close_and_open(ann, ben):
    """Who hosts closes the group, and nobody else does."""
    ben.type("close")
    told(ben, "close: ")
    ann.type("close")
    for one in (ann, ben):
        told(one, "The group is closed: nobody new is let in")
    ann.type("open")
    for one in (ann, ben):
        told(one, "The group is open again")


def keep_a_playlist(ann, ben, arrive=arrive):
    """A playlist, and where the group is in it."""
    ben.type("list")
    told(ben, "the playlist is empty")
    ann.type("add second")
    lists(ben, "  1 second")
    ben.type("add third")
    lists(ann, "  1 second", "  2 third")
    ben.type("move 2 1")
    lists(ann, "  1 third", "  2 second")
    ben.type("drop 7")
    told(ben, "drop: the playlist has nothing of this number")
    ann.type("select 1")
    arrive(ben, "third")
    arrive(ann, "third")
    ben.type("next")
    arrive(ann, "second")
    arrive(ben, "second")
    lists(ann, "  1 third", "> 2 second")
    ben.type("drop 1")
    lists(ann, "> 1 second")


def compare_copies(ann, ben, folder):
    """Whose copy differs is told to both."""
    copies = {ann: b"the film", ben: b"the director's cut of the film"}
    for one, content in copies.items():
        path = folder / f"{one.name}.film"
        path.write_bytes(content)
        one.type(f"copy {path}")
    for one in copies:
        steps.until(lambda: "has another file" in one.text, f"{one.name} was told what differs: {one.text}")


def have_another_cut(ann, ben):
    """Whose cut is another says by how much."""
    ben.type("cut 5")
    ask(ann, "who", lambda: "Ben, cut 5.0 s" in ann.text, "Ben has another cut")
    ben.type("cut 0")
    asked = len(ann.text)
    ask(ann, "who", lambda: re.search(r"^(\* )?Ben$", ann.text[asked:], re.M), "Ben has the same cut again")


def schedule(ann, ben, item="second", times="+ and seconds", last=None):
    """A start at a time, with a countdown for both; `times` and `last` are what the sample says of times, and a second before."""
    ben.type("countdown")
    told(ben, "nothing is scheduled")
    ben.type("at noon")
    told(ben, f"at: give {times}, or off")
    ann.type("at +60")
    told(ben, f"{item} begins in 60 s")
    ben.type("countdown")
    told(ben, f"s until {item} begins")
    ben.type("at off")
    told(ann, f"The start of {item} was called off")
    ann.type("at +3")
    told(ben, last or f"{item} begins in 1 s")
    is_now("playing", ann, ben)
    ben.type("pause")
    is_now("paused", ann, ben)


def attach(ann, ben, folder):
    """A file from one to the other."""
    words, loaded = folder / "words.txt", folder / "loaded.txt"
    words.write_bytes(b"a line for the film\n" * 20000)
    ann.type(f"attach {words}")
    told(ben, "Offered: words.txt, 0.4 MB")
    ben.type("load 2 nowhere")
    told(ben, "load: ")
    ben.type(f"load 1 {loaded}")
    told(ben, "Loaded: words.txt")
    assert loaded.read_bytes() == words.read_bytes()
    ask(ben, "attachments", lambda: "1 words.txt, 0.4 MB, here" in ben.text, "it is listed as here")


def wait_for_each_other(ann, ben):
    """A start waits for persons, or goes on without them."""
    ann.type("start-policy sometimes")
    told(ann, "start-policy: none, first or every")
    ann.type("start-policy every 60")
    ben.type("unready")
    ask(ann, "who", lambda: "Ben, not ready" in ann.text, "Ben was not ready")
    ask(ann, "play", lambda: timing(ann) == timing(ben) == "waiting", "a start waited for Ben")
    ben.type("ready")
    is_now("playing", ann, ben)
    ask(ann, "who", lambda: "Ben, ready" in ann.text, "Ben was ready")
    ann.type("pause")
    is_now("paused", ann, ben)
    ben.type("unready")
    ask(ann, "play", lambda: timing(ann) == timing(ben) == "waiting", "it waited for Ben once more")
    ann.type("go Nobody")
    told(ann, "nobody here is called Nobody")
    ann.type("go Ben")
    is_now("playing", ann, ben)


def take_back_a_jump(ann, ben, seconds=600):
    """Somebody else's jump is taken back."""
    ann.type(f"seek {seconds}")
    told(ben, f"Ann sought to {seconds // 60}:0")
    ben.type("undo")
    told(ann, "Ben sought to 0:")
    is_now("playing", ann, ben)


def leave(ann, ben):
    """Somebody's leaving pauses."""
    ann.type("start-policy none pause")
    ann.type("dance")
    told(ann, "dance: not a command")  # lines are done in their order
    ben.type("quit")
    is_now("paused", ann)


def be_one_person(ann, desk, phone):
    """Ben's two devices, which have one secret, are one for Ann, and what either says of being ready holds for both."""
    ask(ann, "who", lambda: "Ben (desk, phone)\n" in ann.text, "Ben was one person with two devices")
    phone.type("ready")
    ask(ann, "who", lambda: "Ben (desk, phone), ready\n" in ann.text, "one of them said that Ben is ready")
    desk.type("unready")
    ask(ann, "who", lambda: "Ben (desk, phone), not ready\n" in ann.text, "the other one that he is not")
