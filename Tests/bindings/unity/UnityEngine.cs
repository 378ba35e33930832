// A stand-in for the part of Unity that the package uses, so that its components run under Mono: frames, components, and a video player
// with habits of real ones. It prepares and seeks in its own time, starts late, and its clock is not the machine's.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;

namespace UnityEngine
{
    public sealed class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }

    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string name) { } }

    public sealed class Tooltip : Attribute { public Tooltip(string text) { } }

    public sealed class RequireComponent : Attribute { public RequireComponent(Type type) { } }

    public static class Debug
    {
        public static void Log(object message) { Console.WriteLine("* {0}", message); }

        public static void LogWarning(object message) { Console.WriteLine("warning {0}", message); }
    }

    public static class GUIUtility { public static string systemCopyBuffer; }

    public static class GUILayout
    {
        public static bool Button(string text) { return false; }

        public static string TextField(string text) { return text; }

        public static void Label(string text) { }
    }

    public static class Time { public static float unscaledTime { get { return (float)GameObject.Clock.Elapsed.TotalSeconds; } } }

    public class Component { internal GameObject Owner; public T GetComponent<T>() where T : Component { return Owner.GetComponent<T>(); } }

    public class MonoBehaviour : Component { }

    public sealed class GameObject
    {
        internal static readonly Stopwatch Clock = Stopwatch.StartNew();
        readonly List<Component> components = new List<Component>();
        readonly HashSet<Component> started = new HashSet<Component>();

        public T AddComponent<T>() where T : Component, new()
        {
            T made = new T { Owner = this };
            components.Add(made);
            Call(made, "Awake");
            return made;
        }

        public T GetComponent<T>() where T : Component { return (T)components.Find(one => one is T); }

        public void Frame()
        {
            foreach (Component one in components) if (started.Add(one)) Call(one, "Start");
            foreach (Component one in components) Call(one, "Update");
        }

        public void Destroy() { foreach (Component one in components) Call(one, "OnDestroy"); }

        static void Call(Component one, string message)
        {
            MethodInfo method = one.GetType().GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic);
            if (method != null) method.Invoke(one, null);
        }
    }
}

namespace UnityEngine.Video
{
    public enum VideoSource { VideoClip, Url }

    public sealed class VideoPlayer : MonoBehaviour
    {
        public delegate void EventHandler(VideoPlayer source);
        public delegate void ErrorEventHandler(VideoPlayer source, string message);

        const double Preparing = 0.08, Seeking = 0.05, Starting = 0.03, Drift = 1.0003, Length = 600;

        public event EventHandler prepareCompleted, seekCompleted, loopPointReached;
        public event ErrorEventHandler errorReceived;
        public bool playOnAwake = true;
        public VideoSource source;
        public string url = "";
        public ushort audioTrackCount = 1;
        public float Volume = 1;

        double at, since, prepared = double.NaN, sought = double.NaN, speed = 1;
        bool runs;

        static double Now { get { return GameObject.Clock.Elapsed.TotalSeconds; } }

        public double length { get { return Length; } }

        public bool isPlaying { get { return runs; } }

        public double time
        {
            get { return Math.Min(Length, runs ? at + Math.Max(0, Now - since) * speed * Drift : at); }
            set
            {
                at = value;
                since = Now + Seeking;
                sought = since;
            }
        }

        public float playbackSpeed
        {
            get { return (float)speed; }
            set
            {
                if (runs && Now > since)
                {
                    at = time;
                    since = Now;
                }
                speed = value;
            }
        }

        public void Prepare() { prepared = Now + Preparing; }

        public void Play()
        {
            if (runs) return;
            runs = true;
            since = Now + Starting;
        }

        public void Pause()
        {
            at = time;
            runs = false;
        }

        public void Stop()
        {
            at = 0;
            runs = false;
            prepared = sought = double.NaN;
        }

        public void SetDirectAudioVolume(ushort track, float volume) { Volume = volume; }

        void Update()
        {
            if (Now >= prepared)
            {
                prepared = double.NaN;
                if (url.StartsWith("missing")) errorReceived(this, "there is no such file");
                else prepareCompleted(this);
            }
            if (Now >= sought)
            {
                sought = double.NaN;
                seekCompleted(this);
            }
            if (runs && time >= Length)
            {
                Pause();
                loopPointReached(this);
            }
        }
    }
}
