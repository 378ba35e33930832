#!/usr/bin/env python3
"""Counts the stored properties of the rooms that another file may set: there are none.

    Tests/rooms/check.py             says which, and where; exit status 1 if there is one
    Tests/rooms/check.py --list      the types that are looked at, with the number of their stored properties

A room is a type whose state nobody else writes: each stored property is `let`, `private`, `private(set)`, `fileprivate` or
`fileprivate(set)`, and no other file has an extension of the type with stored state of its own (Swift does not allow it). What
a type is looked at for is its name here; a type that is not found is a mistake, too.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = """
Coordination Facts SessionPhase GroupClock Presence Occupancy Expiry HostSettings Partition AntiEntropy Hearing AnswerBudget PolicyIntake PolicyProposal Reconfirmation
OwnerTasks Succession OwnerWatch DoubtedTakeovers HeldCitations Requests Coalesced Suspensions Barrier StallHolds MissedStarts Persons LeavingWatch LocalPlayer OwnRegister Outbox
Notifications StateCause TimingNotifications ParticipantNotifications ActionNotices
MediaPlayer PlayerQueue MotionEcho OwnSuspensions RendererState PlayerNotifications PlayerVolume RendererPlan StartScheduler SeekRequest
GroupState DriftCorrection DriftController Sampling SurfaceState
SessionEngine Residence SessionHubs SessionClock Absences Relocation StatusReport Arrivals OtherItems IgnoredBy Splits HubDoubts MessageDelivery
HubServer ConnectionTable Admission EntryGate HubRooms HubRoom HubConnection Forwarding Endings Departures LivenessChecks HubProbes HubClock
Audiences Audience DoorNotices NoticePace OpenedRooms ReadingPace HubDrain OutboundQueue UnsealedQueue SealingBuffer HubPeering PendingLooks
HubSet HubSetOutbox PassCounts HubRuns RunClocks SetRoom RoomClaims RoomFeed FeedRing FeedIntake Opening ReplayWindow
SecureChannel RoomRecords RoomMembers Senders KeyRequests WelcomeSearch OrderedSealing StatementIntake PartAssembly PacedAnswers ChannelPolicy RecordBook KeyChain Speaking
Admission Announcements Freshness SenderState UnreadFrames UnreadableMembers Introductions
HubClient HubHandover HubSearch HubLinks HubOverlap HubLink HubPeeks PartitionProbe HubDirectory OtherMembers Refusals RoomChoice
""".split()
STORED = re.compile(r"^  ((?:(?:public|package|internal|fileprivate|private|static|lazy|weak|nonisolated)(?:\(set\))? )*)(let|var) (\w+)(.*)$")


def stored(lines, start):
    """(line number, modifiers, let or var, name) of each stored property of the type whose first line is `start`."""
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.startswith("}"):
            return
        match = STORED.match(line)
        if not match or "static" in match[1]:
            continue
        rest = match[4].split("//")[0].rstrip()
        observed = number + 1 < len(lines) and re.match(r"\s+(didSet|willSet)\b", lines[number + 1])
        if rest.endswith("{") and "=" not in rest and not observed or re.search(r"\{.*\}$", rest) and "=" not in rest.split("{")[0]:
            continue  # computed
        yield number + 1, match[1], match[2], match[3]


def main():
    found, open_ones = {}, []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        lines = path.read_text(encoding="utf-8").split("\n")
        for start, line in enumerate(lines):
            match = re.match(r"(?:public |package |final )*(?:struct|class) (\w+)", line)
            if not match or match[1] not in ROOMS:
                continue
            properties = list(stored(lines, start))
            found[match[1]] = len(properties)
            for number, modifiers, kind, name in properties:
                if kind == "var" and "private" not in modifiers:
                    open_ones.append(f"{path.relative_to(ROOT)}:{number}: {match[1]}.{name} can be set from other files")
    for room in ROOMS:
        if room not in found:
            open_ones.append(f"Tests/rooms/check.py: there is no type {room}")
    if "--list" in sys.argv:
        for room in ROOMS:
            print(f"{room}: {found.get(room, 0)}")
    for problem in open_ones:
        print(problem, file=sys.stderr)
    print(f"{len(found)} rooms, {sum(found.values())} stored properties, {len(open_ones)} of them open")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
