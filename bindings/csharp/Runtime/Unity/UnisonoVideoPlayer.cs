#if UNITY_5_3_OR_NEWER
using UnityEngine;
using UnityEngine.Video;

namespace Unisono.Unity
{
    /// <summary>Keeps a VideoPlayer in step with the group. It is moved by the group alone: call Play, Pause and Seek here, not there.
    /// </summary>
    [RequireComponent(typeof(VideoPlayer))]
    [AddComponentMenu("Unisono/Video Player")]
    public sealed class UnisonoVideoPlayer : MonoBehaviour
    {
        const float Interval = 0.1f; // seconds between two reports of where it is

        public UnisonoSession session;
        [Tooltip("What the group compares, the same for everybody; empty: the video's url.")]
        public string item = "";

        /// <summary>For what is not here: rates, scrubbing, interruptions, statistics, events.</summary>
        public Player Player { get; private set; }

        VideoPlayer video;
        RendererCommand pending; // load, cue, seek: until the video says that it is done
        double rate = 1, factor = 1;
        float reported;

        /// <summary>Asks the group: everybody prepares, then all start together.</summary>
        public void Play() { Player.Play(); }

        public void Pause() { Player.Pause(); }

        public void Seek(double seconds) { Player.Seek(UnisonoTime.Nanoseconds(seconds)); }

        void Awake()
        {
            video = GetComponent<VideoPlayer>();
            video.playOnAwake = false;
            video.prepareCompleted += OnPrepared;
            video.seekCompleted += OnSought;
            video.loopPointReached += OnEnded;
            video.errorReceived += OnFault;
        }

        void Start()
        {
            Player = new Player(session.Context, Constants.RENDERER_NUDGES);
            Player.Commanded += Obey;
            if (session.Session != null) Player.Coordinator.CoordinateWith(session.Session);
            session.Opened += Player.Coordinator.CoordinateWith;
            Player.ReplaceCurrentItem(item.Length > 0 ? item : video.url, video.url);
        }

        void OnDestroy()
        {
            if (Player == null) return;
            session.Opened -= Player.Coordinator.CoordinateWith;
            if (!session.Context.IsDisposed) Player.Dispose();
        }

        void Update()
        {
            if (!video.isPlaying || UnityEngine.Time.unscaledTime - reported < Interval) return;
            reported = UnityEngine.Time.unscaledTime;
            Player.Report(RendererState.Position, 0, Position);
        }

        long Position { get { return UnisonoTime.Nanoseconds(video.time); } }

        void Obey(RendererCommand command)
        {
            switch (command.Kind)
            {
                case RendererCommandKind.Load:
                    pending = command;
                    video.Stop();
                    video.source = VideoSource.Url;
                    video.url = command.Uri;
                    video.Prepare();
                    break;
                case RendererCommandKind.Cue:
                    video.Pause();
                    SeekFor(command);
                    break;
                case RendererCommandKind.Seek:
                    SeekFor(command);
                    break;
                case RendererCommandKind.Play:
                    pending = null;
                    rate = command.Rate;
                    factor = 1;
                    SetSpeed();
                    video.Play();
                    Player.Report(RendererState.Playing, command.Request, Position);
                    break;
                case RendererCommandKind.Pause:
                    pending = null;
                    video.Pause();
                    Player.Report(RendererState.Paused, command.Request, Position);
                    break;
                case RendererCommandKind.Nudge:
                    factor = command.Rate;
                    SetSpeed();
                    break;
                case RendererCommandKind.Volume:
                    for (ushort track = 0; track < video.audioTrackCount; track++) video.SetDirectAudioVolume(track, (float)command.Volume);
                    break;
                case RendererCommandKind.Stop:
                    pending = null;
                    video.Stop();
                    break;
            }
        }

        void SetSpeed() { video.playbackSpeed = (float)(rate * factor); }

        void SeekFor(RendererCommand command)
        {
            pending = command;
            video.time = UnisonoTime.Seconds(command.ItemTime);
        }

        void OnPrepared(VideoPlayer source)
        {
            if (pending == null || pending.Kind != RendererCommandKind.Load) return;
            if (pending.ItemTime > 0) video.time = UnisonoTime.Seconds(pending.ItemTime);
            else Done(RendererState.Ready);
        }

        void OnSought(VideoPlayer source)
        {
            if (pending != null) Done(pending.Kind == RendererCommandKind.Seek ? RendererState.Seeked : RendererState.Ready);
        }

        void Done(RendererState state)
        {
            ulong request = pending.Request;
            pending = null;
            Player.Report(state, request, Position, null, UnisonoTime.Nanoseconds(video.length));
        }

        void OnEnded(VideoPlayer source) { Player.Report(RendererState.Ended, 0, Position); }

        void OnFault(VideoPlayer source, string message)
        {
            ulong request = pending == null ? 0 : pending.Request;
            pending = null;
            Player.Report(RendererState.Failed, request, null, null, 0, Status.EIO, message);
        }
    }
}
#endif
