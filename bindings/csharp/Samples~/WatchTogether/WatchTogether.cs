using System.Collections.Generic;
using Unisono;
using Unisono.Unity;
using UnityEngine;

/// <summary>One button each for hosting, joining, playing and pausing, and a line for the rest: "say hello", "ready", "add ITEM" (help lists
/// them). Put it beside a UnisonoSession and a UnisonoVideoPlayer whose VideoPlayer
/// has a url.</summary>
public sealed class WatchTogether : MonoBehaviour
{
    public UnisonoSession session;
    public UnisonoVideoPlayer video;
    string invite = "", line = "";
    GroupLines lines;
    readonly Queue<string> told = new Queue<string>();

    /// <summary>What was told, the newest last.</summary>
    public IEnumerable<string> Told { get { return told; } }

    void Start()
    {
        if (session.Session != null) Begin(session.Session);
        session.Opened += Begin;
    }

    void Begin(Session opened) { lines = new GroupLines(opened, video.Player.Coordinator, Tell, false); }

    void Tell(string sentence)
    {
        told.Enqueue(sentence);
        if (told.Count > 8) told.Dequeue();
        Debug.Log(sentence);
    }

    /// <summary>As if it was typed; false: it was "quit".</summary>
    public bool Type(string typed) { return lines == null || lines.Run(typed); }

    void OnGUI()
    {
        if (session.Session == null)
        {
            if (GUILayout.Button("Host")) session.Host();
            invite = GUILayout.TextField(invite);
            if (GUILayout.Button("Join")) Try(() => session.Open(invite.Trim()));
            return;
        }
        if (GUILayout.Button("Copy the invite")) GUIUtility.systemCopyBuffer = session.Session.Invite;
        bool stands = video.Player.TimeControl == TimeControl.Paused;
        if (GUILayout.Button(stands ? "Play" : "Pause")) Try(stands ? (System.Action)video.Play : video.Pause);
        foreach (Participant one in session.Session.Participants) GUILayout.Label(one.DisplayName + (one.IsReady ? "" : " prepares"));
        foreach (string sentence in told) GUILayout.Label(sentence);
        line = GUILayout.TextField(line);
        if (GUILayout.Button("Send"))
        {
            Type(line);
            line = "";
        }
        GUILayout.Label(session.Status ?? "");
    }

    static void Try(System.Action wish)
    {
        try { wish(); }
        catch (UnisonoException fault) { Debug.LogWarning(fault.Message); }
    }
}
