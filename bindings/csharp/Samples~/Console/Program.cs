// A player that is a number, in a loop of sixty frames a second as a game has it.
//
//     mcs -unsafe -langversion:7 Runtime/*.cs Samples~/Console/Program.cs -out:console.exe
//     mono console.exe host                    prints "invite ..."
//     mono console.exe join INVITE             in another terminal; type play, pause, seek 60, quit
//
// Options: --name NAME, --hub LINE, --listen ADDRESS, --device NAME, --person SECRET (16 characters, the same on all devices of one
// person), --trace FILE (a line a frame while it plays: host time, position and cost of the poll, all in nanoseconds).
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using Unisono;

static class Program
{
    static Context context;
    static Session session;
    static Coordinator coordinator;
    static GroupLines lines;
    static bool playing;
    static readonly ConcurrentQueue<string> typed = new ConcurrentQueue<string>();

    static int Main(string[] arguments)
    {
        Dictionary<string, string> options = new Dictionary<string, string>();
        if (arguments.Length == 0 || arguments[0] != "host" && arguments[0] != "join") return Usage();
        int first = arguments[0] == "join" ? 2 : 1;
        for (int index = first; index + 1 < arguments.Length; index += 2) options[arguments[index]] = arguments[index + 1];
        string name, hub, listen, path, device, secret;
        options.TryGetValue("--name", out name);
        options.TryGetValue("--hub", out hub);
        options.TryGetValue("--listen", out listen);
        options.TryGetValue("--device", out device);
        options.TryGetValue("--person", out secret);
        using (StreamWriter trace = options.TryGetValue("--trace", out path) ? new StreamWriter(path) : null)
        using (context = new Context(new ContextOptions { DeviceName = device ?? name, Person = secret == null ? null : Encoding.UTF8.GetBytes(secret) }))
        {
            SessionOptions own = new SessionOptions { DisplayName = name, Hub = hub, Listen = listen };
            session = arguments[0] == "host" ? Session.Host(context, own) : Session.Open(context, arguments[1], own);
            if (arguments[0] == "host") Console.WriteLine("invite " + session.Invite);
            session.StateChanged += change => Console.WriteLine("session {0} {1} {2}", change.State, change.Connection, change.Message);
            coordinator = new Coordinator(context);
            lines = new GroupLines(session, coordinator, sentence => Console.WriteLine("* " + sentence));
            lines.Run("help");
            coordinator.Commanded += Obey;
            coordinator.TimingChanged += change =>
            {
                playing = change.State == TimingState.Playing;
                Console.WriteLine("{0} at {1:F3}", change.State, UnisonoTime.Seconds(change.ItemTime));
            };
            coordinator.CoordinateWith(session);
            session.Join();
            coordinator.TransitionTo("world");
            TextReader input = Console.In; // opened before there are two threads: Mono's console is not safely opened by two at once
            Thread keyboard = new Thread(() => Read(input)) { IsBackground = true };
            keyboard.Start();
            while (Frame(trace)) Thread.Sleep(16);
        }
        return 0;
    }

    static int Usage()
    {
        Console.Error.WriteLine("usage: console.exe host | join INVITE [--name NAME] [--hub LINE] [--listen ADDRESS] [--device NAME] [--person SECRET] [--trace FILE]");
        return 2;
    }

    // It is ready at once, and starts when it is time to: the position is read from the coordinator in each frame.
    static void Obey(Command command)
    {
        if (command.Kind == CommandKind.Play) context.CallAt(command.HostTime ?? context.HostTime, due => { if (due) command.Complete(); });
        else command.Complete();
    }

    static bool Frame(StreamWriter trace)
    {
        long begin = context.HostTime;
        context.Poll();
        long now = context.HostTime, position;
        if (trace != null && playing && coordinator.TryGetExpectedItemTime(now, out position))
        {
            trace.WriteLine("{0} {1} {2}", now, position, now - begin);
            trace.Flush();
        }
        string line;
        while (typed.TryDequeue(out line)) if (!lines.Run(line)) return false;
        return true;
    }

    // Another thread waits for the keyboard; it touches nothing of Unisono.
    static void Read(TextReader input)
    {
        for (string line = input.ReadLine(); line != null; line = input.ReadLine()) typed.Enqueue(line);
        typed.Enqueue("quit");
    }
}
