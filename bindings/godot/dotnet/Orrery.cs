using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Godot;
using Unisono;

/// <summary>The sample of the native extension in C#: planets that stand where they stand for everybody. Space lets time run or stand, left
/// and right move everybody by ten seconds; what is typed into the line goes to the group: "say hello", "ready", help. Options behind "--":
/// --host or --join=INVITE, --name=NAME, --listen=ADDRESS, --trace=FILE.</summary>
public partial class Orrery : Node2D
{
    static readonly float[,] planets = { { 60, 3, 6 }, { 105, 7, 9 }, { 155, 12, 10 }, { 205, 22, 8 }, { 250, 60, 16 } };
    readonly Dictionary<string, string> options = new Dictionary<string, string>();
    UnisonoGroup group;
    LineEdit line;
    StreamWriter trace;
    double position;

    public override void _Ready()
    {
        foreach (string argument in OS.GetCmdlineUserArgs())
        {
            string[] parts = argument.TrimStart('-').Split(new[] { '=' }, 2);
            options[parts[0]] = parts.Length > 1 ? parts[1] : "";
        }
        group = new UnisonoGroup { DisplayName = Option("name") ?? "" };
        AddChild(group);
        group.Connect("StateChanged", new Callable(this, "OnStateChanged"));
        group.Connect("TimingChanged", new Callable(this, "OnTimingChanged"));
        group.Connect("Noticed", new Callable(this, "OnTold"));
        group.Connect("Told", new Callable(this, "OnTold"));
        group.Connect("Refused", new Callable(this, "OnTold"));
        line = new LineEdit { Position = new Vector2(8, 508), Size = new Vector2(944, 24) };
        line.TextSubmitted += OnTyped;
        AddChild(line);
        group.TransitionTo("orrery");
        if (Option("trace") != null) trace = new StreamWriter(Option("trace")) { AutoFlush = true };
        if (Option("join") != null) group.Open(Option("join"));
        else GD.Print("invite " + group.Host(Option("listen")));
    }

    string Option(string name)
    {
        string found;
        return options.TryGetValue(name, out found) ? found : null;
    }

    public override void _Process(double delta)
    {
        long now = group.Context.HostTime;
        double expected = group.PositionAt(now);
        if (double.IsNaN(expected)) return;
        position = expected;
        if (trace != null && group.IsPlaying) trace.WriteLine("{0} {1} 0", now, UnisonoTime.Nanoseconds(expected));
        QueueRedraw();
    }

    public override void _UnhandledKeyInput(InputEvent input)
    {
        InputEventKey key = input as InputEventKey;
        if (key == null || !key.Pressed) return;
        if (key.Keycode == Key.Space && group.IsPlaying) group.Pause();
        else if (key.Keycode == Key.Space) group.Play();
        else if (key.Keycode == Key.Left) group.Seek(position > 10 ? position - 10 : 0);
        else if (key.Keycode == Key.Right) group.Seek(position + 10);
    }

    public override void _Draw()
    {
        Vector2 sun = new Vector2(480, 270);
        DrawCircle(sun, 24, new Color(1, 0.8f, 0.3f));
        for (int index = 0; index < planets.GetLength(0); index++)
        {
            double turn = 2 * System.Math.PI * position / planets[index, 1];
            Vector2 at = new Vector2((float)System.Math.Cos(turn), (float)System.Math.Sin(turn)) * planets[index, 0];
            DrawCircle(sun + at, planets[index, 2], Color.FromHsv(index / 5f, 0.5f, 1));
        }
    }

    public void OnStateChanged(string state, string message)
    {
        GD.Print("state " + state + " " + message);
        if (state == "over") GetTree().Quit();
    }

    public void OnTimingChanged(string state, double at, double rate)
    {
        GD.Print(string.Format(CultureInfo.InvariantCulture, "timing {0} {1:F3} {2:F2}", state, at, rate));
    }

    void OnTyped(string words)
    {
        line.Clear();
        if (!group.Run(words)) GetTree().Quit();
    }

    public void OnTold(string what) { GD.Print("told " + what); }
}
