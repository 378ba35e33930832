#if UNITY_5_3_OR_NEWER
using System;
using UnityEngine;

namespace Unisono.Unity
{
    /// <summary>A group in a scene: hosts one or opens an invite, and raises its events in Update, on Unity's own thread. Everything else of
    /// Unisono in the scene hangs on one of these.</summary>
    [DefaultExecutionOrder(-100)]
    [AddComponentMenu("Unisono/Session")]
    public sealed class UnisonoSession : MonoBehaviour
    {
        [Tooltip("How others see this participant; empty: the device's name.")]
        public string displayName = "";
        [Tooltip("\"host:port\" of a hub to use; empty: one in this process.")]
        public string hub = "";
        [Tooltip("Where the hub in this process listens, like \"0.0.0.0:7400\"; empty: every interface, a free port.")]
        public string listen = "";

        /// <summary>The loop, from when the component is enabled until it is destroyed.</summary>
        public Context Context { get; private set; }

        /// <summary>Null until Host or Open.</summary>
        public Session Session { get; private set; }

        /// <summary>What to show: the last state of the session, or why something was refused.</summary>
        public string Status { get; private set; }

        /// <summary>A session was made: coordinators and players can be put into it.</summary>
        public event Action<Session> Opened;

        void Awake() { Context = new Context(new ContextOptions { DeviceName = OrNull(displayName) }); }

        void Update() { Context.Poll(); }

        void OnDestroy() { Context.Dispose(); }

        /// <summary>Begins a group; its Invite is what others need.</summary>
        public void Host() { Begin(Unisono.Session.Host(Context, Options())); }

        /// <summary>Joins the group of an invite.</summary>
        public void Open(string invite) { Begin(Unisono.Session.Open(Context, invite, Options())); }

        /// <summary>Says goodbye; the others go on.</summary>
        public void Leave()
        {
            if (Session == null) return;
            Session.Dispose();
            Session = null;
        }

        SessionOptions Options()
        {
            return new SessionOptions {
                DisplayName = OrNull(displayName), Hub = OrNull(hub), Listen = OrNull(listen) };
        }

        static string OrNull(string text) { return string.IsNullOrEmpty(text) ? null : text; }

        void Begin(Session session)
        {
            Leave();
            Session = session;
            session.StateChanged += change => Status = change.State == SessionState.Joined && change.Connection == Connection.Connected
                ? "together" : change.Message;
            session.Noticed += notice => Status = notice.Sentence;
            session.Refused += (call, status, why) => Status = why;
            session.Join();
            if (Opened != null) Opened(session);
        }
    }
}
#endif
