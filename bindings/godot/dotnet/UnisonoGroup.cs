using System;
using Godot;
using Unisono;

/// <summary>A group in a scene, for Godot's .NET edition: the same methods and signals as the native extension's Group. It polls in
/// _Process, so that signals come on the engine's own thread. The player is the scene: it is ready at once, and reads Position.</summary>
public partial class UnisonoGroup : Node
{
    /// <summary>"joining", "joined", "reconnecting", "over".</summary>
    [Signal] public delegate void StateChangedEventHandler(string state, string message);

    /// <summary>"none", "paused", "waiting", "playing"; seconds.</summary>
    [Signal] public delegate void TimingChangedEventHandler(string state, double position, double rate);

    [Signal] public delegate void ParticipantJoinedEventHandler(string id, string name);

    [Signal] public delegate void ParticipantUpdatedEventHandler(string id, string name);

    [Signal] public delegate void ParticipantLeftEventHandler(string id, string name);

    [Signal] public delegate void MessageReceivedEventHandler(string sender, byte[] data);

    [Signal] public delegate void NoticedEventHandler(string sentence);

    /// <summary>What the group shares, and answers to what was typed.</summary>
    [Signal] public delegate void ToldEventHandler(string sentence);

    [Signal] public delegate void RefusedEventHandler(string why);

    /// <summary>How others see this participant; empty: the device's name.</summary>
    [Export] public string DisplayName = "";

    /// <summary>For what is not here; from when the node is in the tree.</summary>
    public Context Context { get; private set; }

    /// <summary>Null until Host or Open.</summary>
    public Session Session { get; private set; }

    public Coordinator Coordinator { get; private set; }

    GroupLines lines;

    public override void _EnterTree()
    {
        Context = new Context();
        Coordinator = new Coordinator(Context);
        Coordinator.Commanded += Obey;
        Coordinator.TimingChanged += change =>
            EmitSignal("TimingChanged", change.State.ToString().ToLowerInvariant(), UnisonoTime.Seconds(change.ItemTime), change.Rate);
        Coordinator.Refused += (call, status, why) => EmitSignal("Refused", why);
    }

    public override void _Process(double delta) { Context.Poll(); }

    public override void _ExitTree() { Context.Dispose(); }

    /// <summary>Begins a group; its invite. listen: "127.0.0.1:0"; null: every interface.</summary>
    public string Host(string listen = null)
    {
        Begin(Session.Host(Context, new SessionOptions { DisplayName = NameGiven(), Listen = listen }));
        return Session.Invite;
    }

    /// <summary>Joins the group of an invite.</summary>
    public void Open(string invite) { Begin(Session.Open(Context, invite, new SessionOptions { DisplayName = NameGiven() })); }

    /// <summary>Says goodbye; the others go on.</summary>
    public void Leave()
    {
        if (Session != null) Session.Dispose();
        Session = null;
        lines = null;
    }

    public void TransitionTo(string item) { Coordinator.TransitionTo(item); }

    public void Play(double rate = 1) { Coordinator.Play(rate); }

    public void Pause() { Coordinator.Pause(); }

    public void Seek(double position) { Coordinator.Seek(UnisonoTime.Nanoseconds(position)); }

    /// <summary>Seconds; not a number until there is a position.</summary>
    public double Position { get { return PositionAt(Context.HostTime); } }

    /// <summary>At a host time, ns.</summary>
    public double PositionAt(long hostTime)
    {
        long found;
        return Coordinator.TryGetExpectedItemTime(hostTime, out found) ? UnisonoTime.Seconds(found) : double.NaN;
    }

    public bool IsPlaying
    {
        get
        {
            Timing timing;
            return Coordinator.TryGetTiming(out timing) && timing.State == TimingState.Playing;
        }
    }

    /// <summary>What a person types to the group: "say hello", "ready", "add ITEM"; "help" lists the words. False: "quit".</summary>
    public bool Run(string line)
    {
        if (lines != null) return lines.Run(line);
        EmitSignal("Told", "there is no group yet");
        return true;
    }

    string NameGiven() { return string.IsNullOrEmpty(DisplayName) ? null : DisplayName; }

    void Obey(Command command)
    {
        if (command.Kind == CommandKind.Play && command.HostTime > Context.HostTime)
            Context.CallAt(command.HostTime.Value, due => { if (due) command.Complete(); });
        else
            command.Complete();
    }

    void Begin(Session session)
    {
        Leave();
        Session = session;
        session.StateChanged += change => EmitSignal("StateChanged", StateText(change), change.Message);
        lines = new GroupLines(session, Coordinator, sentence => EmitSignal("Told", sentence));
        session.Noticed += notice => EmitSignal("Noticed", notice.Sentence);
        session.Refused += (call, status, why) => EmitSignal("Refused", why);
        session.MessageReceived += message => EmitSignal("MessageReceived", message.Sender.ToString(), message.Data);
        session.ParticipantsChanged += change =>
        {
            foreach (Participant one in change.Joined) EmitSignal("ParticipantJoined", one.Id.ToString(), one.DisplayName);
            foreach (Participant one in change.Updated) EmitSignal("ParticipantUpdated", one.Id.ToString(), one.DisplayName);
            foreach (Participant one in change.Left) EmitSignal("ParticipantLeft", one.Id.ToString(), one.DisplayName);
        };
        Coordinator.CoordinateWith(session);
        session.Join();
    }

    static string StateText(SessionStateChange change)
    {
        if (change.State == SessionState.Invalidated) return "over";
        if (change.State == SessionState.Waiting) return "joining";
        return change.Connection == Connection.Connected ? "joined" : "reconnecting";
    }
}
