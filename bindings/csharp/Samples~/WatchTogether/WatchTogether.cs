using Unisono;
using Unisono.Unity;
using UnityEngine;

/// <summary>One button each for hosting, joining, playing and pausing. Put it beside a UnisonoSession and a UnisonoVideoPlayer whose VideoPlayer
/// has a url.</summary>
public sealed class WatchTogether : MonoBehaviour
{
    public UnisonoSession session;
    public UnisonoVideoPlayer video;
    string invite = "";

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
        GUILayout.Label(session.Status ?? "");
    }

    static void Try(System.Action wish)
    {
        try { wish(); }
        catch (UnisonoException fault) { Debug.LogWarning(fault.Message); }
    }
}
