// A scene with a UnisonoSession and a UnisonoVideoPlayer on the stand-in for Unity, sixty frames a second.
//     scene.exe host | join INVITE, then --name NAME --trace FILE --url URL; its keyboard: play, pause, seek SECONDS, state, and what
//     WatchTogether's line takes. It prints "Playing at 0.000" when the player's state changes.
using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading;
using Unisono;
using Unisono.Unity;
using UnityEngine;
using UnityEngine.Video;

static class Scene
{
    static string Option(string[] arguments, string name) { return arguments[Array.IndexOf(arguments, name) + 1]; }

    static void Main(string[] arguments)
    {
        GameObject scene = new GameObject();
        VideoPlayer screen = scene.AddComponent<VideoPlayer>();
        screen.url = Option(arguments, "--url");
        UnisonoSession session = scene.AddComponent<UnisonoSession>();
        session.listen = "127.0.0.1:0";
        session.displayName = Option(arguments, "--name");
        UnisonoVideoPlayer video = scene.AddComponent<UnisonoVideoPlayer>();
        video.session = session;
        video.item = "film";
        WatchTogether buttons = scene.AddComponent<WatchTogether>();
        buttons.session = session;
        buttons.video = video;
        TextReader input = Console.In; // opened before there are two threads: Mono's console is not safely opened by two at once
        TextWriter output = Console.Out;
        output.WriteLine("unisono " + Context.Version);
        if (arguments[0] == "host") session.Host();
        else session.Open(arguments[1]);
        if (arguments[0] == "host") output.WriteLine("invite " + session.Session.Invite);
        ConcurrentQueue<string> typed = new ConcurrentQueue<string>();
        Thread keyboard = new Thread(() => { for (string line = input.ReadLine(); line != null; line = input.ReadLine()) typed.Enqueue(line); });
        keyboard.IsBackground = true;
        keyboard.Start();
        string status = null;
        bool joined = false;
        TimeControl? timing = null;
        using (StreamWriter trace = new StreamWriter(Option(arguments, "--trace")) { AutoFlush = true })
        {
            for (bool runs = true; runs; Thread.Sleep(16))
            {
                long begin = UnisonoTime.Host;
                scene.Frame();
                long now = UnisonoTime.Host;
                if (screen.isPlaying) trace.WriteLine("{0} {1} {2}", now, UnisonoTime.Nanoseconds(screen.time), now - begin);
                if (!joined && session.Session.State == SessionState.Joined)
                {
                    joined = true;
                    output.WriteLine("joined");
                }
                if (video.Player.TimeControl != timing)
                    output.WriteLine("{0} at {1:F3}", timing = video.Player.TimeControl, screen.time);
                if (session.Status != status) output.WriteLine("status " + (status = session.Status));
                string line;
                while (typed.TryDequeue(out line))
                {
                    if (line == "play") video.Play();
                    else if (line == "pause") video.Pause();
                    else if (line == "quit") runs = false;
                    else if (line == "state") output.WriteLine("state {0} {1} {2:F2}", video.Player.TimeControl, video.Player.ItemState, screen.Volume);
                    else if (line.StartsWith("seek ")) video.Seek(double.Parse(line.Split(' ')[1]));
                    else runs = buttons.Type(line);
                }
            }
        }
        scene.Destroy();
    }
}
