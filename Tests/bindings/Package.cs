// F74: the C# classes themselves, with two participants in one process. Fails with a sentence.
using System;
using System.Linq;
using System.Text;
using Unisono;

static class Package
{
    static Context a, b;

    static void Expect(bool holds, string what) { if (!holds) throw new Exception("expected: " + what); }

    static void Turn(Func<bool> holds, string what)
    {
        long limit = UnisonoTime.Host + 30 * UnisonoTime.Second;
        while (!holds())
        {
            Expect(UnisonoTime.Host < limit, what + ", within 30 s");
            a.Poll(2000000);
            b.Poll(2000000);
        }
    }

    static void Fails(Status status, Action call)
    {
        try { call(); }
        catch (UnisonoException fault)
        {
            Expect(fault.Status == status && fault.Message.Length > 10, status + ", not " + fault.Status + ": " + fault.Message);
            return;
        }
        Expect(false, "a failure with " + status);
    }

    static void Main()
    {
        a = new Context(new ContextOptions { DeviceName = "desk", Person = Enumerable.Repeat((byte)7, 16).ToArray() });
        b = new Context(new ContextOptions { DeviceName = "Sofa für zwei" });
        Session host = Session.Host(a, new SessionOptions { DisplayName = "Ann", Listen = "127.0.0.1:0", ControlPolicy = ControlPolicy.HostsOnly });
        Session guest = Session.Open(b, host.Invite, new SessionOptions { DisplayName = "Bén" });
        Coordinator one = new Coordinator(a), two = new Coordinator(b);
        Command played = null;
        TimingChange timing = new TimingChange();
        Message message = new Message();
        Activity activity = null;
        string notice = null, refused = null, reason = null;
        SessionStateChange state = new SessionStateChange();
        Participant[] seen = new Participant[0];
        one.Commanded += command => command.Complete();
        two.Commanded += command => { if (command.Kind == CommandKind.Play) played = command; command.Complete(); };
        two.TimingChanged += change => timing = change;
        guest.MessageReceived += received => message = received;
        guest.ActivityChanged += change => activity = change;
        guest.Noticed += told => notice = told.Sentence;
        guest.StateChanged += change => state = change;
        one.ParticipantsChanged += change => seen = change.Joined.Concat(change.Updated).ToArray();
        one.CoordinateWith(host);
        two.CoordinateWith(guest);
        host.Join();
        guest.Join();
        one.TransitionTo("film", 5 * UnisonoTime.Second);
        two.TransitionTo("film");
        Turn(() => guest.State == SessionState.Joined && host.Participants.Any(who => who.DisplayName == "Bén"), "both are in, with their names");
        Participant ben = host.Participants.Single(who => who.DisplayName == "Bén");
        Expect(ben.DeviceName == "Sofa für zwei" && ben.Role == Role.Member && !ben.IsLocal, "who is there, in UTF-8");
        Expect(ben.Id == guest.LocalParticipant && ben.Id.ToString().Length == 32 && !ben.Id.IsNobody, "the own identifier");
        Turn(() => timing.State == TimingState.Paused && timing.ItemTime == 5 * UnisonoTime.Second && timing.Item == "film", "the item's time came along");
        Turn(() => guest.Statistics.clock_state == ClockState.Synchronized, "one clock");

        Status denied = Status.OK; // at once, or later
        two.Refused += (call, status, why) => denied = status;
        try { two.Play(); }
        catch (UnisonoException fault) { denied = fault.Status; }
        Turn(() => denied == Status.EDENIED, "it may not");
        Fails(Status.EDENIED, () => guest.SetControlPolicy(ControlPolicy.Everyone));
        host.SetControlPolicy(ControlPolicy.Everyone);
        Turn(() =>
        {
            if (denied == Status.EDENIED) // until it is heard that everybody may
            {
                denied = Status.OK;
                try { two.Play(); }
                catch (UnisonoException fault) { denied = fault.Status; }
            }
            return played != null && timing.State == TimingState.Playing;
        }, "everybody may, and both play");
        Expect(played.Rate == 1 && played.Item == "film" && played.IsLocal && played.HostTime.HasValue && !played.DueHostTime.HasValue, "a command's fields");
        long now = UnisonoTime.Host, mine = 0, yours = 0, there = 0, here = 0;
        Turn(() => one.TryGetExpectedItemTime(now, out mine) && two.TryGetExpectedItemTime(now, out yours), "a position");
        Expect(Math.Abs(mine - yours) < 5000000, "both are at one position");
        Expect(host.TryGetSessionTime(now, out here) && guest.TryGetSessionTime(now, out there) && Math.Abs(here - there) < 5000000, "and at one time");
        Timing line;
        Expect(two.TryGetTiming(out line) && line.State == TimingState.Playing && line.Rate == 1, "the line");
        two.Report(1, yours, now);
        Turn(() => seen.Any(who => who.DisplayName == "Bén" && who.ItemTime.HasValue), "the others see where it is");
        host.Send(new byte[] { 1, 0, 2 }, Delivery.Reliable, guest.LocalParticipant);
        Turn(() => message.Data != null, "a message comes");
        Expect(message.Data.SequenceEqual(new byte[] { 1, 0, 2 }) && message.Sender == host.LocalParticipant, "with its bytes and its sender");
        host.Send(new byte[0], Delivery.Reliable);
        Turn(() => message.Data.Length == 0, "an empty one, too");
        host.Activate(new Activity { Identifier = "org.example.game", Type = ActivityType.PlayTogether, Title = "Game", Payload = Encoding.UTF8.GetBytes("one") });
        Turn(() => activity != null && activity.Title == "Game" && activity.Payload.Length == 3, "an activity");
        one.Pause();
        Turn(() => timing.State == TimingState.Paused && notice == "Ann paused", "a pause, and that it is told");
        two.SuspensionsChanged += reasons => reason = reasons.FirstOrDefault();
        using (Suspension rest = two.BeginSuspension("tea"))
        {
            Turn(() => reason == "tea" && seen.Any(who => who.SuspensionReasons.Contains("tea")), "a suspension, that the others see");
            rest.End();
            Fails(Status.ESTATE, () => rest.End());
        }

        // What the group shares: an entry with all of its fields, bytes that are offered, a policy.
        Copy copy = new Copy { Duration = UnisonoTime.Second, FileSize = 700, Hash = Enumerable.Repeat((byte)9, 32).ToArray() };
        EntryId second = host.Shared.AddEntry(new PlaylistEntry {
            Item = "second", Title = "A film", Copy = copy, Addresses = new[] { "https://example.org/a", "https://example.org/b" } });
        EntryId first = host.Shared.AddEntry(new PlaylistEntry { Item = "first" }, second);
        Turn(() => guest.Shared.Playlist.Entries.Length == 2, "the playlist is everybody's");
        PlaylistEntry[] entries = guest.Shared.Playlist.Entries;
        Expect(entries[0].Id == first && entries[1].Id == second && entries[0].Copy == null && entries[0].Title == null, "in its order");
        Expect(entries[1].Title == "A film" && entries[1].Addresses[1] == "https://example.org/b", "with title and addresses");
        Expect(entries[1].Copy.FileSize == 700 && entries[1].Copy.Hash.SequenceEqual(copy.Hash), "and its copy");
        Expect(guest.Shared.Playlist.Current.IsNone, "nowhere yet");
        PlaylistChange changed = new PlaylistChange();
        guest.Shared.PlaylistChanged += change => { if (change.CurrentChanged) changed = change; };
        host.Shared.NextEntry();
        Turn(() => changed.Item == "first" && changed.Current == first && changed.Originator == host.LocalParticipant, "the group is at the first");
        guest.Shared.NextEntry(first);
        Turn(() => changed.Item == "second", "and at the second");
        AttachmentEvent offer = new AttachmentEvent();
        host.Shared.AttachmentChanged += change => offer = change;
        ulong request = host.Shared.AttachBytes(new byte[] { 1, 2, 3 }, "three.bin", "application/x-three");
        Turn(() => offer.Attachment != null && offer.Change == AttachmentChange.Added && offer.Request == request, "bytes are offered");
        Expect(offer.Attachment.Length == 3 && offer.Attachment.MediaType == "application/x-three" && offer.Attachment.Owner == host.LocalParticipant, "as said");
        host.Shared.Remove(offer.Attachment);
        Turn(() => guest.Shared.Attachments.Length == 0 && offer.Change == AttachmentChange.Removed, "and taken back");
        Fails(Status.EINVAL, () => guest.Shared.Say(""));
        ChatMessage said = new ChatMessage();
        guest.Shared.Said += words => said = words;
        ulong number = guest.Shared.Say("hällo");
        Turn(() => said.Entry != null && said.IsOwn && !said.IsHistory, "the own words come, too");
        Expect(said.Entry.Text == "hällo" && said.Entry.Number == number && said.Entry.Item == "film" && said.Entry.Kind == ChatKind.Text, "as they were said");
        one.SetStartPolicy(StartRule.FirstWhenReady, 60 * UnisonoTime.Second, LeavingRule.Pause);
        StartRule rule = StartRule.AtOnce;
        LeavingRule leaving = LeavingRule.GoOn;
        long limit = 0;
        Turn(() => { two.GetStartPolicy(out rule, out limit, out leaving); return rule == StartRule.FirstWhenReady; }, "a policy of all");
        Expect(limit == 60 * UnisonoTime.Second && leaving == LeavingRule.Pause, "with its limit, and what leaving does");

        bool? due = null, cancelled = null;
        a.CallAt(a.HostTime + 1000000, ok => due = ok);
        ulong token = a.CallAt(a.HostTime + 100 * UnisonoTime.Second, ok => cancelled = ok);
        Expect(a.Cancel(token), "it was to come");
        Turn(() => due.HasValue && cancelled.HasValue, "timers answer once");
        Expect(due.Value && !cancelled.Value && !a.Cancel(token), "with how it went");
        Player player = new Player(b, Constants.RENDERER_NUDGES);
        player.Refused += (call, status, why) => refused = call + " " + status;
        player.ReplaceCurrentItem("song");
        player.EndScrub(false);
        Turn(() => refused == "unisono_player_end_scrub ESTATE", "what is refused later is told");
        Expect(!new Coordinator(b).TryGetExpectedItemTime(now, out yours), "what is not there yet is no exception");
        Fails(Status.EINVAL, () => Session.Open(b, "nonsense"));
        bool cut = false;
        try { two.TransitionTo("a\0b"); }
        catch (ArgumentException) { cut = true; }
        Expect(cut, "a NUL in a text is refused");

        // A fault of the game leaves Poll, and is not lost.
        Action<string[]> mistake = reasons => { throw new InvalidOperationException("a fault of the game"); };
        two.SuspensionsChanged += mistake;
        two.BeginSuspension("more tea");
        string escaped = null;
        long last = UnisonoTime.Host + 30 * UnisonoTime.Second;
        while (escaped == null)
        {
            Expect(UnisonoTime.Host < last, "a fault in a handler leaves Poll, within 30 s");
            a.Poll(2000000);
            try { b.Poll(2000000); }
            catch (InvalidOperationException what) { escaped = what.Message; }
        }
        Expect(escaped == "a fault of the game", "as it was thrown");
        two.SuspensionsChanged -= mistake;

        host.EndForAll();
        Turn(() => state.State == SessionState.Invalidated && state.Reason == Status.EENDED, "the session ends for all, and says why");
        two.Dispose();
        two.Dispose();
        Fails(Status.ECLOSED, () => two.Play());
        b.Dispose();
        b.Dispose();
        Fails(Status.ECLOSED, () => guest.Join());
        a.Dispose();
        Console.WriteLine("ok");
    }
}
