// F88: a host's own test on virtual time: an hour of two participants, 60 ms apart, without sockets and without waiting.
using System;
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

    static void Main()
    {
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
