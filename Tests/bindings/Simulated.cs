// F88: a host's own test on virtual time: an hour of two participants, 60 ms apart, without sockets and without waiting. F92: messages at
// places of an item. F93: a start at a time. F91: another cut.
using System;
using System.Collections.Generic;
using System.Linq;
using Unisono;

static class Simulated
{
    static void Expect(bool holds, string what) { if (!holds) throw new Exception("expected: " + what); }

    static Coordinator Join(Context context, Session session)
    {
        Coordinator coordinator = new Coordinator(context);
        coordinator.Commanded += command =>
        {
            if (command.Kind == CommandKind.Play) context.CallAt(command.HostTime ?? context.HostTime, due => { if (due) command.Complete(); });
            else command.Complete();
        };
        coordinator.CoordinateWith(session);
        session.Join();
        coordinator.TransitionTo("film");
        return coordinator;
    }

    static long Position(Coordinator coordinator, Context context)
    {
        long position;
        Expect(coordinator.TryGetExpectedItemTime(context.HostTime, out position), "a position");
        return position;
    }

    static TimingState State(Coordinator coordinator)
    {
        Timing timing;
        return coordinator.TryGetTiming(out timing) ? timing.State : TimingState.None;
    }

    static void Refused(Action call, string what)
    {
        try { call(); }
        catch (UnisonoException) { return; }
        catch (ArgumentException) { return; }
        Expect(false, what);
    }

    static bool Near(long one, long other) { return Math.Abs(one - other) < 5000000; }

    // Two in a session, paused at the beginning of a film.
    static Session[] Pair(Simulation simulation, Context[] contexts, Coordinator[] coordinators)
    {
        Session[] sessions = new Session[2];
        for (int index = 0; index < 2; index++)
        {
            Context context = contexts[index] = simulation.Context(null, index * 5 * UnisonoTime.Second);
            SessionOptions options = new SessionOptions { DisplayName = index == 0 ? "Ann" : "Ben" };
            sessions[index] = index == 0 ? Session.Host(context, options) : Session.Open(context, sessions[0].Invite, options);
            coordinators[index] = Join(context, sessions[index]);
        }
        simulation.Advance(20 * UnisonoTime.Second);
        Expect(sessions[1].State == SessionState.Joined, "both are in");
        return sessions;
    }

    // F92: it comes when the receiver's own playback is there, once, and not by a jump over it.
    static void SendAt()
    {
        Simulation simulation = new Simulation(5);
        Context[] contexts = new Context[2];
        Coordinator[] coordinators = new Coordinator[2];
        Session[] sessions = Pair(simulation, contexts, coordinators);
        Context there = contexts[1];
        List<string> came = new List<string>();
        sessions[0].MessageReceived += message => Expect(false, "who sends it does not get it");
        sessions[1].MessageReceived += message =>
        {
            Expect(message.Sender.Equals(sessions[0].LocalParticipant) && message.Item == "film", "who sent it, and of what");
            Expect(message.Type == "org.example.card" ? message.Version == 3 : message.Type == "", "its type: " + message.Type);
            long beyond = Position(coordinators[1], there) - message.ItemTime; // told within a step of the simulation
            Expect(beyond > -5000000 && beyond < 15000000, "it came at its place");
            came.Add(message.ItemTime / UnisonoTime.Second + " " + message.Data.Length + " " + message.Data[0]);
        };
        sessions[0].SendAt("film", 42 * UnisonoTime.Second, "org.example.card", 3, new byte[] { 7, 8 });
        sessions[0].SendAt("film", 50 * UnisonoTime.Second, null, 0, new byte[] { 9 }, sessions[1].LocalParticipant);
        sessions[0].SendAt("another film", UnisonoTime.Second, null, 0, new byte[] { 1 });
        coordinators[0].Play();
        simulation.Advance(30 * UnisonoTime.Second);
        Expect(came.Count == 0, "nothing is there yet");
        simulation.Advance(15 * UnisonoTime.Second);
        Expect(string.Join(",", came) == "42 2 7", "the first: " + string.Join(",", came));
        coordinators[1].Seek(100 * UnisonoTime.Second);
        simulation.Advance(10 * UnisonoTime.Second);
        Expect(came.Count == 1, "a jump over it does not count");
        coordinators[1].Seek(40 * UnisonoTime.Second);
        simulation.Advance(20 * UnisonoTime.Second);
        Expect(string.Join(",", came) == "42 2 7,50 1 9", "each comes once: " + string.Join(",", came));
        Refused(() => sessions[0].SendAt("", 0, null, 0, new byte[1]), "an item has a name");
        Refused(() => sessions[0].SendAt("film", 0, null, 0, new byte[65537]), "64 KiB at most");
        simulation.Dispose();
    }

    // F93: both begin when it is time; it can be called off. F91: who has another cut is elsewhere in it.
    static void Schedule()
    {
        Simulation simulation = new Simulation(3);
        Context[] contexts = new Context[2];
        Coordinator[] coordinators = new Coordinator[2];
        Session[] sessions = Pair(simulation, contexts, coordinators);
        Context here = contexts[0], there = contexts[1];
        List<string> news = new List<string>();
        sessions[1].Shared.ScheduleChanged += change =>
        {
            Expect(change.Start.Item == "film", "of what");
            news.Add(change.Change + " " + Math.Round(UnisonoTime.Seconds(change.Remaining)));
        };
        Expect(sessions[1].Shared.ScheduledStart == null, "nothing is scheduled");
        sessions[0].Shared.ScheduleStart("film", here.HostTime + 20 * UnisonoTime.Second);
        simulation.Advance(UnisonoTime.Second);
        sessions[1].Shared.CancelStart();
        simulation.Advance(UnisonoTime.Second);
        Expect(sessions[0].Shared.ScheduledStart == null, "it was called off");
        Expect(news.Count == 2 && news[0] == "Set 20" && news[1].StartsWith("Canceled", StringComparison.Ordinal), "both were told");
        news.Clear();
        long at = here.HostTime + 12 * UnisonoTime.Second;
        sessions[0].Shared.ScheduleStart("film", at, 1800000000L * UnisonoTime.Second);
        simulation.Advance(UnisonoTime.Second);
        ScheduledStart seen = sessions[1].Shared.ScheduledStart;
        Expect(seen.Item == "film" && seen.CalendarTime == 1800000000L * UnisonoTime.Second, "what, and when for people");
        bool isMine = sessions[0].Shared.ScheduledStart.Originator.IsNobody;
        Expect(isMine && seen.Originator.Equals(sessions[0].LocalParticipant), "whose it is");
        Expect(Near(seen.HostTime, at + there.HostTime - here.HostTime), "one instant on two clocks");
        simulation.Advance(7 * UnisonoTime.Second);
        Expect(State(coordinators[0]) == TimingState.Paused && State(coordinators[1]) == TimingState.Paused, "it is not time yet");
        simulation.Advance(9 * UnisonoTime.Second);
        string countdown = "Set 12," + string.Join(",", Enumerable.Range(0, 10).Select(gone => "Remaining " + (10 - gone))) + ",Due 0";
        Expect(string.Join(",", news) == countdown, "the countdown: " + string.Join(",", news));
        Expect(Near(Position(coordinators[0], here), 5 * UnisonoTime.Second), "Ann began then");
        Expect(Near(Position(coordinators[1], there), 5 * UnisonoTime.Second), "and Ben");
        Expect(sessions[1].Shared.ScheduledStart == null, "it is over");
        Refused(() => sessions[0].Shared.ScheduleStart("film", here.HostTime - 1), "the past is refused");
        Refused(() => sessions[0].Shared.ScheduleStart("film", here.HostTime + 8 * 86400 * UnisonoTime.Second), "seven days at most");

        sessions[1].Shared.AddEntry(new PlaylistEntry { Item = "film" });
        simulation.Advance(UnisonoTime.Second);
        sessions[1].Shared.SelectEntry(sessions[1].Shared.Playlist.Entries[0].Id);
        simulation.Advance(UnisonoTime.Second);
        sessions[1].Shared.SetCutOffset(7 * UnisonoTime.Second);
        simulation.Advance(5 * UnisonoTime.Second);
        Expect(sessions[0].Participants.Single(one => one.DisplayName == "Ben").CutOffset == 7 * UnisonoTime.Second, "others see it");
        Expect(Near(Position(coordinators[1], there), Position(coordinators[0], here) + 7 * UnisonoTime.Second), "Ben is elsewhere in his");
        Refused(() => sessions[1].Shared.SetCutOffset(7 * 3600 * UnisonoTime.Second), "six hours at most");
        simulation.Dispose();
    }

    static void Main()
    {
        SendAt();
        Schedule();
        long began = UnisonoTime.Host;
        Simulation simulation = new Simulation(7);
        Context a = simulation.Context(), b = simulation.Context(new ContextOptions { DeviceName = "sofa" }, 5 * UnisonoTime.Second, 20);
        simulation.SetLink(b, new SimulatedLink { DelayOut = 60000000, DelayIn = 60000000, Loss = 0.02 });
        Expect(b.HostTime - a.HostTime == 5 * UnisonoTime.Second, "clocks that are not set alike");
        Session host = Session.Host(a, new SessionOptions { DisplayName = "Ann" });
        Session guest = Session.Open(b, host.Invite, new SessionOptions { DisplayName = "Ben" });
        Coordinator one = Join(a, host), two = Join(b, guest);
        simulation.Advance(20 * UnisonoTime.Second);
        Expect(guest.State == SessionState.Joined && host.Participants.Any(who => who.DisplayName == "Ben"), "both are in");
        two.Play();
        simulation.Advance(2 * UnisonoTime.Second);
        Expect(State(one) == TimingState.Playing && State(two) == TimingState.Playing, "both play");
        simulation.Advance(3600 * UnisonoTime.Second, UnisonoTime.Second);
        long mine = Position(one, a), yours = Position(two, b);
        Expect(mine > 3600 * UnisonoTime.Second && mine < 3603 * UnisonoTime.Second, "an hour has passed");
        Expect(Math.Abs(mine - yours) < 5000000, "they are in step after it");
        Expect(UnisonoTime.Host - began < 300 * UnisonoTime.Second, "and it was none on this machine's clock");

        string heard = null;
        host.Shared.Said += message => heard = message.Entry.Text;
        guest.Shared.Say("well?");
        simulation.SetLink(b, new SimulatedLink { IsDown = true });
        simulation.Advance(UnisonoTime.Second);
        Expect(heard == null, "nothing passes a link that is down");
        simulation.SetLink(b, new SimulatedLink { DelayOut = 60000000, DelayIn = 60000000 });
        simulation.Advance(10 * UnisonoTime.Second);
        Expect(heard == "well?", "it comes when the link is up again");

        Refused(() => simulation.Advance(-1), "time does not go back");
        Refused(() => simulation.Advance(1, 0), "a step of nothing is refused");
        Refused(() => simulation.SetLink(a, new SimulatedLink { Loss = 2 }), "more than all is not lost");
        b.Dispose();
        simulation.Advance(UnisonoTime.Second);
        simulation.Dispose();
        simulation.Dispose();
        Expect(a.IsDisposed, "its contexts end with it");
        Refused(() => simulation.Advance(0), "it is over");
        Console.WriteLine("ok");
    }
}
