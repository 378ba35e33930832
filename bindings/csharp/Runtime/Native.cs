// The C side of Unisono: made by bindings/generate from include/*.h, not to be edited.
//
// Structs are laid out as in C and hold pointers as they are; strings are byte*, in UTF-8. Handles, callbacks and untyped pointers
// are IntPtr. Nothing is marshalled.
#pragma warning disable 0649
using System;
using System.Runtime.InteropServices;

namespace Unisono
{
    /// <summary>Negative and never -1, so that -1 stays free for "none" and for libuv's and errno's own numbers.</summary>
    public enum Status : int
    {
        OK = 0,
        EINVAL = -101,
        ENOMEM = -102,
        ECLOSED = -103,
        ESTATE = -104,
        ETIMEDOUT = -105,
        ENETWORK = -106,
        EPROTOCOL = -107,
        EVERSION = -108,
        EAUTH = -109,
        EDENIED = -110,
        EFULL = -111,
        ETOOBIG = -112,
        ENOTFOUND = -113,
        EBUSY = -114,
        ECANCELED = -115,
        EINTERNAL = -116,
        /// <summary>not on this platform, or a set field that this library does not know</summary>
        ENOTSUP = -117,
        /// <summary>a file could not be read or written</summary>
        EIO = -118,
        /// <summary>invalidation reason: somebody ended the session for all</summary>
        EENDED = -119,
    }

    /// <summary>1-15 context, 16-47 session, 48-79 coordinator, 80-95 player, 96-127 renderer, 128-143 surface, 144- nearby</summary>
    public enum EventKind : int
    {
        None = 0,
        /// <summary>unisono_timer_event</summary>
        Timer = 1,
        /// <summary>unisono_overflow_event</summary>
        Overflow = 2,
        /// <summary>unisono_error_event</summary>
        Error = 3,
        /// <summary>unisono_log_event</summary>
        Log = 4,
        /// <summary>unisono_context_event only: last one for this source</summary>
        Released = 5,
        /// <summary>unisono_session_state_event</summary>
        SessionState = 16,
        /// <summary>unisono_activity_event</summary>
        SessionActivity = 17,
        /// <summary>unisono_participants_change</summary>
        SessionParticipants = 18,
        /// <summary>unisono_message</summary>
        SessionMessage = 19,
        /// <summary>unisono_notice_event</summary>
        SessionNotice = 20,
        /// <summary>unisono_participant_event</summary>
        SessionForeground = 21,
        /// <summary>unisono_participant_event</summary>
        SessionSpeaking = 22,
        /// <summary>unisono_invite_event</summary>
        SessionInvite = 23,
        /// <summary>unisono_activation_event</summary>
        SessionConsent = 24,
        /// <summary>unisono_activation_event</summary>
        SessionActivation = 25,
        /// <summary>unisono_attachment_event. @since 0.2</summary>
        SessionAttachment = 26,
        /// <summary>unisono_context_event only</summary>
        SessionWritable = 27,
        /// <summary>unisono_succession_event. @since 0.2</summary>
        SessionSuccession = 28,
        /// <summary>unisono_request_event. @since 0.2</summary>
        SessionRequest = 29,
        /// <summary>unisono_ignored_event. @since 0.2</summary>
        SessionIgnored = 30,
        /// <summary>unisono_clock_doubt_event. @since 0.2</summary>
        SessionClockDoubt = 31,
        /// <summary>unisono_split_event. @since 0.2</summary>
        SessionSplit = 32,
        /// <summary>unisono_hub_doubt_event. @since 0.2</summary>
        SessionHubDoubt = 33,
        /// <summary>unisono_chat_event. @since 0.2</summary>
        SessionChat = 34,
        /// <summary>unisono_playlist_event. @since 0.2</summary>
        SessionPlaylist = 36,
        /// <summary>unisono_copy_event. @since 0.2</summary>
        SessionCopy = 37,
        /// <summary>unisono_audience_event. @since 0.2</summary>
        SessionAudience = 38,
        /// <summary>unisono_listener_event. @since 0.2</summary>
        SessionListener = 39,
        /// <summary>unisono_schedule_event. @since 0.2</summary>
        SessionSchedule = 40,
        /// <summary>unisono_command</summary>
        CoordinatorPlay = 48,
        /// <summary>unisono_command</summary>
        CoordinatorPause = 49,
        /// <summary>unisono_command</summary>
        CoordinatorSeek = 50,
        /// <summary>unisono_command</summary>
        CoordinatorBuffer = 51,
        /// <summary>unisono_participants_change</summary>
        CoordinatorParticipants = 52,
        /// <summary>unisono_suspensions_change</summary>
        CoordinatorSuspensions = 53,
        /// <summary>unisono_timing_change</summary>
        CoordinatorTiming = 54,
        /// <summary>unisono_listening_event. @since 0.2</summary>
        CoordinatorListening = 55,
        /// <summary>unisono_invite_event. @since 0.2</summary>
        CoordinatorInvited = 56,
        /// <summary>unisono_player_event</summary>
        PlayerTimeControl = 80,
        /// <summary>unisono_player_event</summary>
        PlayerRate = 81,
        /// <summary>unisono_player_event</summary>
        PlayerTimeJumped = 82,
        /// <summary>unisono_player_event</summary>
        PlayerItemState = 83,
        /// <summary>unisono_player_event</summary>
        PlayerItemEnded = 84,
        /// <summary>unisono_player_event</summary>
        PlayerSeekDone = 85,
        /// <summary>96...104: unisono_renderer_command</summary>
        RendererLoad = 96,
        RendererCue = 97,
        RendererPlay = 98,
        RendererPause = 99,
        RendererSeek = 100,
        RendererNudge = 101,
        RendererVolume = 102,
        RendererSize = 103,
        RendererStop = 104,
        /// <summary>unisono_surface_event: ask again is_paused, time range</summary>
        SurfaceChanged = 128,
        /// <summary>unisono_surface_event</summary>
        SurfaceSkipped = 129,
        /// <summary>unisono_surface_event</summary>
        SurfaceWillBegin = 130,
        /// <summary>unisono_surface_event</summary>
        SurfaceWillEnd = 131,
        /// <summary>unisono_surface_event</summary>
        SurfaceRestore = 132,
        /// <summary>unisono_nearby_event</summary>
        NearbyJoinRequested = 144,
        /// <summary>unisono_nearby_event</summary>
        NearbyJoinWithdrawn = 145,
        /// <summary>unisono_nearby_event</summary>
        NearbyFound = 146,
        /// <summary>unisono_nearby_event</summary>
        NearbyUpdated = 147,
        /// <summary>unisono_nearby_event</summary>
        NearbyLost = 148,
        /// <summary>unisono_nearby_event</summary>
        NearbyDigits = 149,
        /// <summary>unisono_nearby_event</summary>
        NearbyInvite = 150,
        /// <summary>unisono_nearby_event</summary>
        NearbyFailed = 151,
    }

    public enum LogLevel : int
    {
        /// <summary>as an option: WARNING</summary>
        Default = 0,
        Error = 1,
        Warning = 2,
        Info = 3,
        Debug = 4,
        None = -1,
    }

    public enum ActivityType : int
    {
        /// <summary>of unisono_context_forget_answers only. @since 0.2</summary>
        All = -1,
        Generic = 0,
        WatchTogether = 1,
        ListenTogether = 2,
        PlayTogether = 3,
        CreateTogether = 4,
        ExploreTogether = 5,
        LearnTogether = 6,
        ReadTogether = 7,
        ShopTogether = 8,
        WorkoutTogether = 9,
    }

    public enum SessionState : int
    {
        Waiting = 0,
        Joined = 1,
        Invalidated = 2,
    }

    /// <summary>
    /// Of a session: CONNECTED through a hub with the group, or with what is left of it (`alone` of the state event). CONNECTING
    /// until the group was met, also while a hub is reached at which nobody of it is. RECONNECTING until it is met again, or all who
    /// were lost are off the list.
    /// </summary>
    public enum Connection : int
    {
        None = 0,
        Connecting = 1,
        Connected = 2,
        Reconnecting = 3,
    }

    public enum Role : int
    {
        /// <summary>only asked for: OWNER for _host, MEMBER for _open; never received</summary>
        Default = 0,
        Viewer = 1,
        Member = 2,
        Host = 3,
        Owner = 4,
    }

    public enum ControlPolicy : int
    {
        /// <summary>all may command</summary>
        Everyone = 0,
        /// <summary>HOST and OWNER</summary>
        HostsOnly = 1,
        /// <summary>all but VIEWER</summary>
        Members = 2,
    }

    public enum Lifetime : int
    {
        Automatic = 0,
        EndsWithInitiator = 1,
    }

    public enum Reach : int
    {
        /// <summary>this machine alone</summary>
        Machine = 0,
        /// <summary>a private network: at home, at work, behind one router, in a VPN</summary>
        Network = 1,
        /// <summary>a public address, or a name; what stands in between may still refuse</summary>
        Anywhere = 2,
    }

    public enum Delivery : int
    {
        Reliable = 0,
        Unreliable = 1,
    }

    public enum ActivationResult : int
    {
        Disabled = 0,
        Preferred = 1,
        Cancelled = 2,
    }

    /// <summary>What a person says of being ready. @since 0.2</summary>
    public enum Readiness : int
    {
        NotSaid = 0,
        Ready = 1,
        NotReady = 2,
    }

    public enum NoticeKind : int
    {
        Custom = 0,
        Played = 1,
        Paused = 2,
        Skipped = 3,
        RateChanged = 4,
        ItemChanged = 5,
        QueueChanged = 6,
        /// <summary>the group went on without this one</summary>
        LeftWaiting = 7,
        /// <summary>each once, with the name</summary>
        Joined = 8,
        /// <summary>each once, with the name</summary>
        Left = 9,
        /// <summary>never received: for unisono_notice_text alone</summary>
        WaitedFor = 10,
        /// <summary>was there when this one joined</summary>
        Present = 11,
        /// <summary>is at another item than this one, and has been for 3 s: told once of each item</summary>
        Elsewhere = 12,
        /// <summary>the group left out a range of the entry; nobody's doing: the originator is all zero</summary>
        RangeSkipped = 13,
    }

    public enum Succession : int
    {
        /// <summary>only given: as BY_SENIORITY; never received</summary>
        Default = 0,
        Nobody = 1,
        /// <summary>the deputies that an owner named, in their order</summary>
        Named = 2,
        /// <summary>who has been there longest, the highest roles first; not where EVERYONE commands</summary>
        BySeniority = 3,
    }

    public enum SuccessionStatus : int
    {
        /// <summary>an owner is back, or decided otherwise</summary>
        Ended = 0,
        /// <summary>the deputy acts as owner from now on</summary>
        Began = 1,
        /// <summary>it says so, but an owner is there: nobody here goes by it</summary>
        Refused = 2,
    }

    public enum RequestKind : int
    {
        Pause = 0,
        Play = 1,
        Seek = 2,
    }

    public enum RequestStatus : int
    {
        /// <summary>this host is asked</summary>
        Open = 0,
        Granted = 1,
        /// <summary>by everybody who was asked</summary>
        Declined = 2,
        /// <summary>for 30 s, or nobody who could answer, or who asked, is there any more</summary>
        Unanswered = 3,
    }

    /// <summary>In which way two participants do not hear each other. Bits. @since 0.2</summary>
    public enum SplitKind : int
    {
        /// <summary>others hear it, this participant does not, for 15 s</summary>
        Unheard = 1,
        /// <summary>it hears others and not this participant, as it says, for 15 s</summary>
        Deaf = 2,
        /// <summary>it is at the hub and speaks, and nothing of it can be read here, for 10 s</summary>
        Unreadable = 4,
    }

    /// <summary>@since 0.2</summary>
    public enum HubDoubtReason : int
    {
        /// <summary>it tells this participant, or two others, another time than the rest</summary>
        Clock = 1,
        /// <summary>it keeps this participant and others from hearing each other</summary>
        Split = 2,
        /// <summary>another one answers at its address, or it cannot prove that it is the one that was meant</summary>
        Identity = 3,
        /// <summary>it does not let this participant in again</summary>
        Refusal = 4,
        /// <summary>it said three times in 60 s that a newer connection took this one's place</summary>
        Replacement = 5,
    }

    public enum ChatKind : int
    {
        Text = 0,
        Reaction = 1,
    }

    /// <summary>What a range of an entry is; several together, as bits, are what a group leaves out. @since 0.2</summary>
    public enum RangeKind : int
    {
        Intro = 1,
        Recap = 2,
        Credits = 4,
        Other = 8,
    }

    /// <summary>@since 0.2</summary>
    public enum AttachmentChange : int
    {
        /// <summary>it is offered; those that were before this participant joined are told, too</summary>
        Added = 0,
        /// <summary>it is not offered any more; what was loaded stays</summary>
        Removed = 1,
        /// <summary>four times a second at most; what is not read in time is dropped. The first one: with what an earlier load left</summary>
        Progress = 2,
        /// <summary>the file is there, and has the content that `id` says</summary>
        Loaded = 3,
        /// <summary>of attach, or of load_attachment: `status`, `message`</summary>
        Failed = 4,
        /// <summary>bytes that came were not it, and were thrown away; others are asked. `participant`</summary>
        Forged = 5,
        /// <summary>the others are not given it any more: the file has changed or is gone (EIO), or `participant` offers the same content with a length that it does not have (EAUTH)</summary>
        Lost = 6,
    }

    /// <summary>@since 0.2</summary>
    public enum ScheduleChange : int
    {
        /// <summary>it was scheduled, or is at another time; who joins later is told, too</summary>
        Set = 0,
        /// <summary>it was called off</summary>
        Canceled = 1,
        /// <summary>`remaining` is left: 60, 30, 10, 5 and 1 min, 30 s, and each of the last 10 s</summary>
        Remaining = 2,
        /// <summary>it is time; play comes as a command, to those who are on the item</summary>
        Due = 3,
    }

    /// <summary>Whether others can listen to what the group plays: unisono_session_open_audience. @since 0.2</summary>
    public enum AudienceState : int
    {
        /// <summary>none, or this participant is no owner or host: `reason`</summary>
        Closed = 0,
        /// <summary>nobody speaks to it just now; whoever listens waits, or keeps what it has</summary>
        Opening = 1,
        /// <summary>whoever has the link follows</summary>
        Open = 2,
    }

    public enum ListenerWord : int
    {
        /// <summary>wants to speak: unisono_session_invite_listener lets it into the session</summary>
        Asks = 1,
        /// <summary>says `text`</summary>
        Says = 2,
    }

    public enum ClockState : int
    {
        None = 0,
        Synchronizing = 1,
        Synchronized = 2,
        Holdover = 3,
    }

    public enum TimingState : int
    {
        /// <summary>no item, or the group has no timing for it yet</summary>
        None = 0,
        Paused = 1,
        Waiting = 2,
        Playing = 3,
    }

    /// <summary>What a player with controls of its own does, and says of itself: unisono_coordinator_is_wish. @since 0.2</summary>
    public enum Motion : int
    {
        /// <summary>1: it runs, 0: it stands</summary>
        Running = 1,
        /// <summary>how fast it runs, corrections included; the usual is 1</summary>
        Rate = 2,
        /// <summary>1: a seek began, 0: it is over</summary>
        Seeking = 3,
    }

    public enum Cause : int
    {
        Unknown = 0,
        Play = 1,
        Pause = 2,
        Seek = 3,
        Rate = 4,
        Proposal = 5,
        Item = 6,
        Rejoin = 7,
        Reapply = 8,
        Stall = 9,
        Clock = 10,
        Ended = 11,
        /// <summary>paused because the originator left (unisono_start_policy). @since 0.2</summary>
        Left = 12,
        /// <summary>a range is left out (unisono_coordinator_set_skipped_ranges); nobody's doing. @since 0.2</summary>
        Range = 13,
    }

    public enum ListeningStatus : int
    {
        /// <summary>nothing was heard yet, or the link is lost; it is tried again</summary>
        Connecting = 1,
        /// <summary>what the group does is heard</summary>
        Following = 2,
        /// <summary>the hub is there, and nobody of the group has spoken for 15 s; what was heard last goes on</summary>
        Silent = 3,
        /// <summary>the audience was closed, or cannot be listened to: the coordinator is on its own</summary>
        Over = 4,
    }

    /// <summary>What happens when an item is played to its end.</summary>
    public enum ActionAtEnd : int
    {
        /// <summary>each player goes on to its next item; without one all stand</summary>
        Advance = 0,
        /// <summary>all stay on the item, and the group is paused at its end</summary>
        Pause = 1,
        /// <summary>all stay on the item, and the group's rate stays as it is</summary>
        None = 2,
    }

    /// <summary>Which starts wait until all persons who are present have said that they are ready. @since 0.2</summary>
    public enum StartRule : int
    {
        /// <summary>none: players only are waited for</summary>
        AtOnce = 0,
        /// <summary>the first start of an item</summary>
        FirstWhenReady = 1,
        /// <summary>every start from a pause</summary>
        WhenReady = 2,
    }

    /// <summary>What the running group does when a person who was at the item leaves the session. @since 0.2</summary>
    public enum LeavingRule : int
    {
        GoOn = 0,
        Pause = 1,
    }

    public enum TimeControl : int
    {
        Paused = 0,
        Waiting = 1,
        Playing = 2,
    }

    public enum WaitingReason : int
    {
        None = 0,
        ToMinimizeStalls = 1,
        EvaluatingBufferingRate = 2,
        NoItem = 3,
        CoordinatedPlayback = 4,
        Interstitial = 5,
    }

    public enum ItemState : int
    {
        Unknown = 0,
        Ready = 1,
        Failed = 2,
    }

    /// <summary>
    /// SET_RATE_FAILED: the group's rate cannot be played here, or the policy did not allow it. BACKGROUNDED: the renderer
    /// stopped by itself while nothing of the player was shown (unisono_surface_end). LIVE_EDGE: a live item played fast came
    /// to its edge, and everybody goes on at the usual rate.
    /// </summary>
    public enum RateReason : int
    {
        SetRateCalled = 0,
        SetRateFailed = 1,
        Interrupted = 2,
        Backgrounded = 3,
        Participant = 4,
        LiveEdge = 5,
        ItemEnded = 6,
    }

    public enum RendererState : int
    {
        /// <summary>a position, nothing else</summary>
        Position = 0,
        /// <summary>load or cue done</summary>
        Ready = 1,
        Seeked = 2,
        Playing = 3,
        Paused = 4,
        Stalled = 5,
        Recovered = 6,
        Ended = 7,
        Failed = 8,
    }

    public enum SurfaceKind : int
    {
        Inline = 0,
        PictureInPicture = 1,
        FullScreen = 2,
        Remote = 3,
    }

    public enum Intent : int
    {
        /// <summary>an address typed by hand: not known before it answers</summary>
        Unknown = 0,
        /// <summary>the advertising device has a session: ask to join it</summary>
        Join = 1,
        /// <summary>it has none: ask it to come into one</summary>
        Invite = 2,
    }

    /// <summary>What the headers define as numbers and texts.</summary>
    public static class Constants
    {
        public const uint API_VERSION_MAJOR = 0;
        public const uint API_VERSION_MINOR = 2;
        /// <summary>major &lt;&lt; 16 | minor, as one literal</summary>
        public const uint API_VERSION = 2;
        public const long TIME_INVALID = long.MinValue;
        public const long TIME_INDEFINITE = long.MaxValue;
        /// <summary>item_time and host_time of a report, item_time of a notice</summary>
        public const uint HAS_POSITION = 1;
        /// <summary>earliest and latest, or seekable_start and seekable_end, of a report</summary>
        public const uint HAS_RANGE = 2;
        /// <summary>host_time of a unisono_timing</summary>
        public const uint HAS_HOST_TIME = 4;
        /// <summary>by more than a second</summary>
        public const uint DIFFERS_DURATION = 1;
        public const uint DIFFERS_SIZE = 2;
        public const uint DIFFERS_HASH = 4;
        /// <summary>of the same length all the same: as far as can be told only packed otherwise</summary>
        public const uint DIFFERS_CONTAINER = 8;
        public const uint RATE_PLAY_IMMEDIATELY = 1;
        public const uint SEEK_RESUME_IMMEDIATELY = 1;
        public const string REASON_AUDIO_SESSION_INTERRUPTED = "audio-session-interrupted";
        public const string REASON_STALL_RECOVERY = "stall-recovery";
        public const string REASON_PLAYING_INTERSTITIAL = "playing-interstitial";
        public const string REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE = "coordinated-playback-not-possible";
        public const string REASON_USER_ACTION_REQUIRED = "user-action-required";
        public const string REASON_USER_IS_CHANGING_CURRENT_TIME = "user-is-changing-current-time";
        /// <summary>in waiting_for only: its person, not its player. @since 0.2</summary>
        public const string REASON_NOT_READY = "not-ready";
        /// <summary>unisono_player_set_rate. @since 0.2</summary>
        public const uint RATE_AS_DEFAULT = 2;
        /// <summary>play() keeps host_time within 1 ms: no correction after a start</summary>
        public const uint RENDERER_EXACT_START = 1;
        /// <summary>negative rates</summary>
        public const uint RENDERER_REVERSE = 2;
        /// <summary>nudge() changes the speed without a gap</summary>
        public const uint RENDERER_NUDGES = 4;
        public const uint PLATFORM_OTHER = 1;
        public const uint PLATFORM_LINUX = 2;
        public const uint PLATFORM_MACOS = 4;
        public const uint PLATFORM_WINDOWS = 8;
        public const uint PLATFORM_ANDROID = 16;
        public const uint PLATFORM_IOS = 32;
        public const uint PLATFORM_TV = 64;
        public const uint PLATFORM_WEB = 128;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_participant_id
    {
        /// <summary>all zero: nobody</summary>
        public fixed byte bytes[16];
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_attachment_id
    {
        /// <summary>SHA-256 of the content. @since 0.2</summary>
        public fixed byte bytes[32];
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_context_event
    {
        /// <summary>of the whole payload struct this head begins</summary>
        public uint size;
        public EventKind type;
        /// <summary>handle of the session, coordinator, player, ... it concerns; NULL: the context</summary>
        public IntPtr source;
        /// <summary>user pointer given where the source was made</summary>
        public IntPtr user;
        /// <summary>when the library issued it, host time ns</summary>
        public long host_time;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_timer_event
    {
        public unisono_context_event @base;
        public ulong token;
        /// <summary>as asked; lateness = base.host_time - due_host_time</summary>
        public long due_host_time;
        /// <summary>OK, or ECANCELED: cancelled, or the context ends</summary>
        public int status;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_overflow_event
    {
        public unisono_context_event @base;
        /// <summary>dropped since the last overflow event; commands are never dropped</summary>
        public ulong messages;
        /// <summary>log lines, notices, requests and the like dropped</summary>
        public ulong others;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_error_event
    {
        public unisono_context_event @base;
        /// <summary>negative</summary>
        public int status;
        public uint reserved;
        /// <summary>name of the function, as in this header</summary>
        public byte* operation;
        /// <summary>one sentence: what, where, what to do</summary>
        public byte* message;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_log_event
    {
        public unisono_context_event @base;
        public LogLevel level;
        public uint reserved;
        /// <summary>one line, no newline, never a secret</summary>
        public byte* message;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_context_options
    {
        public uint size;
        /// <summary>0: polled (or uv_loop); 1: the library runs the loop in a thread of its own</summary>
        public int own_thread;
        /// <summary>1: what has no callback goes to unisono_context_next_event</summary>
        public int event_queue;
        /// <summary>messages held before dropping; 0: 1024; 16...65536</summary>
        public uint event_queue_limit;
        /// <summary>a uv_loop_t that the host runs; excludes own_thread</summary>
        public IntPtr uv_loop;
        /// <summary>uv_loop_size() as the host sees it; must equal the library's; with uv_loop</summary>
        public UIntPtr uv_loop_size;
        /// <summary>&lt;= 63 bytes; NULL: host name</summary>
        public byte* device_name;
        /// <summary>folder for remembered answers; &lt;= 4095 bytes; NULL: memory only</summary>
        public byte* storage_path;
        /// <summary>jitter and back-off only, never keys; 0: system</summary>
        public ulong random_seed;
        public LogLevel log_level;
        public uint reserved;
        /// <summary>a secret, the same on all devices of one person, never sent; zero: this one alone</summary>
        public fixed byte person[16];
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_context_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr log;
        /// <summary>may come on any thread; may call nothing of this library; coalesced</summary>
        public IntPtr wakeup;
        /// <summary>after the last callback of this context; its loop handles are closed by then</summary>
        public IntPtr released;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_activity
    {
        public uint size;
        public ActivityType type;
        /// <summary>reverse-DNS, 1...255 bytes</summary>
        public byte* identifier;
        /// <summary>&lt;= 255 bytes; NULL none</summary>
        public byte* title;
        /// <summary>&lt;= 255 bytes; NULL none</summary>
        public byte* subtitle;
        /// <summary>&lt;= 2047 bytes; NULL none. https: agents offer it where the program is not installed</summary>
        public byte* fallback_url;
        /// <summary>PNG, JPEG or WebP as is; &lt;= 65536 bytes</summary>
        public IntPtr preview_image;
        public UIntPtr preview_image_length;
        /// <summary>the application's own; &lt;= 65536 bytes. When received a zero byte follows it</summary>
        public IntPtr payload;
        public UIntPtr payload_length;
        public Lifetime lifetime;
        /// <summary>1: a device that finds it under way may go on with it: agents offer it to their person then, too, not only when it begins</summary>
        public int supports_continuation;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_participant
    {
        public uint size;
        public Connection connection;
        public unisono_participant_id id;
        /// <summary>derived per session, vouched; equal for all devices of one person</summary>
        public unisono_participant_id person;
        /// <summary>never NULL</summary>
        public byte* display_name;
        /// <summary>never NULL</summary>
        public byte* device_name;
        /// <summary>current item; NULL none</summary>
        public byte* item;
        public byte** suspension_reasons;
        /// <summary>0: takes part</summary>
        public UIntPtr suspension_reason_count;
        public Role role;
        public int is_local;
        /// <summary>could start now</summary>
        public int ready;
        public int speaking;
        /// <summary>as last reported by it; 0 paused or unknown</summary>
        public double rate;
        /// <summary>its position at host_time; INVALID unknown</summary>
        public long item_time;
        /// <summary>in this host's clock</summary>
        public long host_time;
        /// <summary>to the hub, ns; INVALID unknown</summary>
        public long round_trip;
        /// <summary>its stated bound, ns; INVALID unknown</summary>
        public long clock_error;
        /// <summary>`status` of its unisono_coordinator_fail, or of its renderer's failure, while it is suspended for that; 0 none. @since 0.2</summary>
        public int failure;
        /// <summary>what its person says of being ready, which `ready` does not mean. @since 0.2</summary>
        public Readiness readiness;
        /// <summary>bits of unisono_split_kind: it and this participant do not hear each other; 0: nothing of that is known. SESSION_SPLIT tells of changes. @since 0.2</summary>
        public uint split;
        /// <summary>1: it was not ready for two starts in a row, and none waits for it until it was ready for one, as this participant sees it. Of the local one: the others see that. @since 0.2</summary>
        public int given_up;
        /// <summary>ns; how far its copy is ahead of the group's item time (unisono_session_set_cut_offset). @since 0.2</summary>
        public long cut_offset;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_participants
    {
        public uint size;
        public uint reserved;
        public UIntPtr count;
        public unisono_participant** items;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_participants_change
    {
        public unisono_context_event @base;
        /// <summary>1: joined is the whole list (first delivery, resync after overflow)</summary>
        public int is_complete;
        public uint reserved;
        public unisono_participant** joined;
        public UIntPtr joined_count;
        public unisono_participant** updated;
        public UIntPtr updated_count;
        public unisono_participant** left;
        public UIntPtr left_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_session_state_event
    {
        public unisono_context_event @base;
        public SessionState state;
        public Connection connection;
        /// <summary>why invalidated, or not connected: an error code; OK after leave. ENOTFOUND: a hub is reached, and nobody of the group is at it; EENDED while it is WAITING: one who was no owner left word there that the session was ended; EDENIED while it is WAITING: a member says that the group is closed. It is looked for, and asked, all the same</summary>
        public int reason;
        /// <summary>1: an owner closed the group, and nobody new is let in (unisono_session_set_closed). @since 0.2</summary>
        public int closed;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
        /// <summary>"host:port" of the hub in use; "" none; never NULL. @since 0.2</summary>
        public byte* hub;
        /// <summary>1: that hub is the one in this process. @since 0.2</summary>
        public int hub_is_own;
        /// <summary>1: no other participant is in touch: nobody came yet, or all are lost or left. @since 0.2</summary>
        public int alone;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_activity_event
    {
        public unisono_context_event @base;
        public unisono_participant_id originator;
        /// <summary>NULL: none any more</summary>
        public unisono_activity* activity;
        /// <summary>1: this participant set it; the originator is zero then. @since 0.2</summary>
        public int is_local;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_message
    {
        public unisono_context_event @base;
        /// <summary>proven by signature</summary>
        public unisono_participant_id sender;
        /// <summary>8-byte aligned; not NULL even when empty</summary>
        public IntPtr data;
        /// <summary>0...65536</summary>
        public UIntPtr length;
        public Delivery delivery;
        /// <summary>of the type, as its sender has it; 0 with type "". Was `reserved` in 0.1. @since 0.2</summary>
        public uint version;
        /// <summary>what the bytes are, for receivers that tell several kinds apart; "" none was given; never NULL. @since 0.2</summary>
        public byte* type;
        /// <summary>where it waited for its place (unisono_session_send_at); "" nowhere; never NULL. @since 0.2</summary>
        public byte* item;
        /// <summary>ns, the place; 0 with item "". @since 0.2</summary>
        public long item_time;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_notice
    {
        public uint size;
        public NoticeKind kind;
        /// <summary>ignored when posting</summary>
        public unisono_participant_id originator;
        /// <summary>SKIPPED: ns, signed; RANGE_SKIPPED: ns</summary>
        public long amount;
        /// <summary>RATE_CHANGED</summary>
        public double rate;
        /// <summary>CUSTOM: &lt;= 255 bytes; WAITED_FOR: why; ELSEWHERE: its item, &lt;= 255 bytes of it; RANGE_SKIPPED: "intro", "recap", "credits" or "other"; NULL not known</summary>
        public byte* text;
        /// <summary>&lt;= 2047 bytes; NULL none</summary>
        public byte* url;
        /// <summary>UNISONO_HAS_POSITION: SKIPPED, RANGE_SKIPPED: where to; ignored when posting. @since 0.2</summary>
        public long item_time;
        /// <summary>the originator's, as known; NULL not known; ignored when posting. @since 0.2</summary>
        public byte* name;
        /// <summary>@since 0.2</summary>
        public uint flags;
        public uint reserved;
        /// <summary>name of the coordinator on whose items it was done; NULL: the session's first one, or none; ignored when posting. @since 0.2</summary>
        public byte* coordinator;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_notice_event
    {
        public unisono_context_event @base;
        public unisono_notice* notice;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_participant_event
    {
        public unisono_context_event @base;
        public unisono_participant_id participant;
        /// <summary>SPEAKING: 1 began, 0 ceased; FOREGROUND: 1</summary>
        public int active;
        /// <summary>FOREGROUND: 1 when the session was started without a window</summary>
        public int in_background;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_invite_event
    {
        public unisono_context_event @base;
        public byte* invite;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_activation_event
    {
        public unisono_context_event @base;
        public ulong request;
        public unisono_activity* activity;
        /// <summary>ACTIVATION</summary>
        public ActivationResult result;
        /// <summary>ACTIVATION: 1 when it is a remembered answer</summary>
        public int remembered;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_succession_event
    {
        public unisono_context_event @base;
        public unisono_participant_id deputy;
        public SuccessionStatus status;
        /// <summary>1: an owner named it; 0: it is the first by seniority</summary>
        public int named;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_succession_state
    {
        public uint size;
        public Succession succession;
        /// <summary>ns without any owner until the first deputy that is there stands in</summary>
        public long delay;
        /// <summary>who stands in now; all zero: nobody</summary>
        public unisono_participant_id acting;
        public uint deputy_count;
        public uint reserved;
        /// <summary>the first goes first; the rest is all zero</summary>
        public fixed byte deputies[128];
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_request
    {
        public uint size;
        public RequestKind kind;
        /// <summary>SEEK: where to, ns; else not looked at</summary>
        public long item_time;
        /// <summary>for people, &lt;= 255 bytes; NULL none</summary>
        public byte* text;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_request_event
    {
        public unisono_context_event @base;
        /// <summary>the asker's; with `asker` the request's name</summary>
        public ulong number;
        /// <summary>proven by signature; the own id: the own request</summary>
        public unisono_participant_id asker;
        /// <summary>GRANTED, DECLINED: who; else all zero</summary>
        public unisono_participant_id answerer;
        public RequestStatus status;
        public RequestKind kind;
        /// <summary>SEEK</summary>
        public long item_time;
        /// <summary>the item that the asker was on; never NULL</summary>
        public byte* item;
        /// <summary>NULL none</summary>
        public byte* text;
    }

    /// <summary>
    /// Somebody is ignored for a while: because much of what it sent in ten seconds was forged, bent or unreadable. What is only
    /// too much at a time is dropped and said again by the library; it is no reason for this. Who is ignored is told by the one
    /// who ignores it, if that can still reach it; what it says is its word alone. With EBUSY and EFULL only what is too much is
    /// ignored, all else of it counts: EBUSY, it says more in the chat than anybody may, or sent more messages that wait for a place;
    /// EFULL, it says more than is kept of one participant: entries of a full playlist, items that nobody is on, statements ahead of
    /// the group's time or by a policy that is not known here; once a minute, the message says of what. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_ignored_event
    {
        public unisono_context_event @base;
        /// <summary>the other one</summary>
        public unisono_participant_id participant;
        /// <summary>0: nothing of it is taken; 1: it takes nothing of this one, as it says</summary>
        public int by_other;
        /// <summary>EPROTOCOL (unreadable, sent again), EAUTH (not signed or sealed as it must), EBUSY, EFULL</summary>
        public int status;
        /// <summary>host time; it is listened to again from then on</summary>
        public long until;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>
    /// A participant's clock is in doubt: the participants compare their clocks past the hub, and it contradicts the others'. The hub
    /// told somebody another time than the rest, or a participant says what is not so. Where two sides are possible, the one with the
    /// most senior participant is taken to be right. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_clock_doubt_event
    {
        public unisono_context_event @base;
        /// <summary>whose clock; the own id: this one's</summary>
        public unisono_participant_id participant;
        /// <summary>1: it is this participant's: it plays by the others' time meanwhile</summary>
        public int own;
        /// <summary>1: it is not in doubt any more</summary>
        public int over;
        /// <summary>ns: that clock less the one that it was compared with, when it came into doubt</summary>
        public long offset;
        /// <summary>"host:port" of the hub in use; "" none any more; never NULL</summary>
        public byte* hub;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>
    /// Somebody and this participant do not hear each other, though both are at the hub: the hub keeps them apart, or they go by
    /// different keys; or that is over. One event for each kind. Of a kind the first 32 at once are told of, of those who are in no list of
    /// participants the first 8. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_split_event
    {
        public unisono_context_event @base;
        /// <summary>the other one. UNREADABLE: maybe one that is in no list; whoever has the invite can be it</summary>
        public unisono_participant_id participant;
        public SplitKind kind;
        /// <summary>1: it is over: they hear each other, or it is not here any more</summary>
        public int over;
        /// <summary>host time at which it was found first</summary>
        public long since;
        /// <summary>"host:port" of the hub in use; "" none any more; never NULL</summary>
        public byte* hub;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>
    /// A hub does not do as it should. CLOCK and SPLIT: it is turned to after all others when the session needs a hub again, until ten
    /// minutes after nothing of it is found any more; then the event comes with `over`. Else it is left alone until `until`, and no further
    /// event says so. Told of the invite's hubs and of those that were in use. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_hub_doubt_event
    {
        public unisono_context_event @base;
        public HubDoubtReason reason;
        /// <summary>1: it is not in doubt any more</summary>
        public int over;
        /// <summary>host time; INVALID: it may be turned to, after all others</summary>
        public long until;
        /// <summary>"host:port"; never NULL</summary>
        public byte* hub;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>What somebody said in writing, or a reaction. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_chat_entry
    {
        public uint size;
        public ChatKind kind;
        /// <summary>proven by signature, also where another one told it</summary>
        public unisono_participant_id author;
        /// <summary>the author's, ascending; with `author` the entry's name; 0: a reaction</summary>
        public ulong number;
        /// <summary>host time, of this host's clock; INVALID: session time is not known</summary>
        public long said;
        /// <summary>ns, where the group was in it then; INVALID: not known, or nothing was on</summary>
        public long item_time;
        /// <summary>what was on; NULL: nothing</summary>
        public byte* item;
        /// <summary>the author's, as known now, else as it was; without control characters; NULL none</summary>
        public byte* name;
        /// <summary>without control characters but U+000A between lines; never NULL</summary>
        public byte* text;
    }

    /// <summary>
    /// The same words, or another participant's, told once to each host; the own ones, too. Text comes in the order in which it was
    /// said unless somebody was apart; the order of all is by `said`, then author, then number. Where an author said two texts under
    /// one number, which no honest one does, the event comes again with the one that counts. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_chat_event
    {
        public unisono_context_event @base;
        public unisono_chat_entry* entry;
        /// <summary>1: this participant said it</summary>
        public int own;
        /// <summary>1: it was said before this participant came, or while it was away</summary>
        public int is_history;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_chat
    {
        public uint size;
        public uint reserved;
        public UIntPtr count;
        public unisono_chat_entry** items;
    }

    /// <summary>Names an entry of the playlist; the library draws it at random. All zero: none. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_entry_id
    {
        public fixed byte bytes[16];
    }

    /// <summary>What identifies the copy that somebody has of an item. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_copy
    {
        public uint size;
        /// <summary>1: `hash` is known</summary>
        public int has_hash;
        /// <summary>ns, &gt; 0; 0: not known</summary>
        public long duration;
        /// <summary>bytes; 0: not known</summary>
        public ulong file_size;
        /// <summary>of samples of the file, see unisono_copy_of_file</summary>
        public fixed byte hash[32];
    }

    /// <summary>A part of an entry that the group may leave out: unisono_coordinator_set_skipped_ranges. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_range
    {
        /// <summary>ns of the group's item time, &gt;= 0</summary>
        public long begin;
        /// <summary>ns; the first moment that is not of it. At least 1 s long, at most 7 days from 0</summary>
        public long end;
        public RangeKind kind;
        public uint reserved;
    }

    /// <summary>An entry of the playlist. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_playlist_entry
    {
        public uint size;
        public uint reserved;
        /// <summary>as the library gave it; not read by unisono_session_add_entry</summary>
        public unisono_entry_id id;
        /// <summary>1...1,023 bytes: what coordinators call it</summary>
        public byte* item;
        /// <summary>&lt;= 255 bytes, no control characters; NULL: none</summary>
        public byte* title;
        /// <summary>how to recognise a copy of it; NULL: not known</summary>
        public unisono_copy* copy;
        /// <summary>where it can be had, 1...2,047 bytes each, no control characters; NULL: none</summary>
        public byte** addresses;
        /// <summary>&lt;= 8</summary>
        public UIntPtr address_count;
        /// <summary>what the group may leave out, in their order, none overlapping the next; NULL: none</summary>
        public unisono_range* ranges;
        /// <summary>&lt;= 16</summary>
        public UIntPtr range_count;
    }

    /// <summary>The playlist, in the order in which it is played. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_playlist
    {
        public uint size;
        public uint reserved;
        /// <summary>where the group is; all zero: nowhere yet. It may have been removed from `items`</summary>
        public unisono_entry_id current;
        public UIntPtr count;
        public unisono_playlist_entry** items;
    }

    /// <summary>
    /// The playlist, or where the group is in it, changed; the own changes, too. What is on it: unisono_session_playlist. Where
    /// `current_changed` is set the host loads `item` and makes a transition to it, proposing to play where `by_end` is set. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_playlist_event
    {
        public unisono_context_event @base;
        /// <summary>1: entries came, went or were moved</summary>
        public int entries_changed;
        /// <summary>1: the group is at another entry</summary>
        public int current_changed;
        /// <summary>1: it came to the current entry because the one before had ended</summary>
        public int by_end;
        public uint reserved;
        /// <summary>all zero: none</summary>
        public unisono_entry_id current;
        /// <summary>who brought the group there; all zero: this participant, or nobody</summary>
        public unisono_participant_id originator;
        /// <summary>of the current entry; NULL: none, or it is not known here yet or any more</summary>
        public byte* item;
    }

    /// <summary>
    /// Another participant's copy of the current entry, compared with the own one, as far as both are known; told to both sides, once,
    /// and again when something else differs. What it says of its copy is its word alone. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_copy_event
    {
        public unisono_context_event @base;
        /// <summary>the other one</summary>
        public unisono_participant_id participant;
        public unisono_entry_id entry;
        /// <summary>UNISONO_DIFFERS_ flags; 0: it is the same</summary>
        public uint differs;
        public uint reserved;
        /// <summary>the other's</summary>
        public unisono_copy* copy;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>Something that is offered to the group: a subtitle, a poster, any file. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_attachment
    {
        public uint size;
        /// <summary>1: all of it is here, and others are given it</summary>
        public int is_available;
        public unisono_attachment_id id;
        /// <summary>who offers it, proven by signature</summary>
        public unisono_participant_id owner;
        /// <summary>bytes, 0...100,000,000; as `owner` says</summary>
        public ulong length;
        /// <summary>1...255 bytes; could be that of a file: "_" in place of / \ :</summary>
        public byte* name;
        /// <summary>"image/png", as `owner` says, &lt;= 127 bytes; "" not said; never NULL</summary>
        public byte* media_type;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_attachments
    {
        public uint size;
        public uint reserved;
        /// <summary>&lt;= 64</summary>
        public UIntPtr count;
        public unisono_attachment** items;
    }

    /// <summary>What becomes of attachments. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_attachment_event
    {
        public unisono_context_event @base;
        /// <summary>never NULL; FAILED of attach: id, owner and length are zero</summary>
        public unisono_attachment* attachment;
        /// <summary>ADDED, FAILED: of this participant's attach; 0: of none</summary>
        public ulong request;
        /// <summary>bytes that are here. PROGRESS, LOADED; fewer than before: it began anew</summary>
        public ulong transferred;
        /// <summary>FORGED: whose bytes they were; zero: several gave some, or an earlier load left some, and nobody knows which were wrong. LOST: who says a wrong length</summary>
        public unisono_participant_id participant;
        public AttachmentChange change;
        /// <summary>FAILED, FORGED, LOST; ETIMEDOUT: nobody who is there gave it for 60 s; EAUTH: what came was not it, or another one offers it with a wrong length; ENOTFOUND: it was taken back; ECANCELED; EIO: the file; EFULL: 64 in the group, 16 of one; ETOOBIG; EBUSY: too many calls of attach at once, or another load writes the .part</summary>
        public int status;
        /// <summary>the same for people; never NULL</summary>
        public byte* message;
    }

    /// <summary>A start at a time that the group agreed on. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_scheduled_start
    {
        public uint size;
        public uint reserved;
        public byte* item;
        /// <summary>of this device: when everybody on the item begins</summary>
        public long host_time;
        /// <summary>ns since 1970: what the clock of `originator` shows then; UNISONO_TIME_INVALID: it did not say. For people: it decides nothing, and is as right as that clock</summary>
        public long calendar_time;
        /// <summary>ns, of host_time</summary>
        public long error_bound;
        /// <summary>who scheduled it, or called it off; zero: this participant</summary>
        public unisono_participant_id originator;
    }

    /// <summary>A scheduled start was set or called off, comes nearer or is due. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_schedule_event
    {
        public unisono_context_event @base;
        /// <summary>never NULL</summary>
        public unisono_scheduled_start* start;
        /// <summary>ns until then; DUE: 0, or less where this was told late</summary>
        public long remaining;
        public ScheduleChange change;
        public int reserved;
    }

    /// <summary>What an audience is opened with. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_audience_options
    {
        public uint size;
        /// <summary>so many percent of those who listen are waited for where the group waits before it plays, 0...100; 0: nobody is. They may be ready before `ready_wait` is over, and make nobody wait longer</summary>
        public uint ready_share;
        /// <summary>ns after the command at most, to 1 ms, at most 10 s; 0: 10 s. A start's own deadline ends it 1 s before, too</summary>
        public long ready_wait;
        /// <summary>by which who listens may react: at most 8, 1...32 bytes of UTF-8 each, without control characters, all different; in the order in which they are told</summary>
        public byte** reactions;
        /// <summary>0: nobody reacts</summary>
        public UIntPtr reaction_count;
    }

    /// <summary>One of an audience's reactions. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_reaction_count
    {
        public byte* reaction;
        /// <summary>how many listeners reacted by it last, and not longer than 10 s ago; the hub's word, which nobody can check</summary>
        public uint count;
        public uint reserved;
    }

    /// <summary>The session's audience is in another state, or of another size, or reacts otherwise; told to owners and hosts. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_audience_event
    {
        public unisono_context_event @base;
        public AudienceState state;
        /// <summary>how many are there; the hub's word, twice a second at most; 0 where another host speaks to the audience</summary>
        public uint listeners;
        /// <summary>how often the hub did not pass on what a listener said, as it was more than 50 in a second, since the audience is there; the hub's word, too</summary>
        public uint left_out;
        /// <summary>how many are ready for the start that waits for them, or did last; the hub's word, too</summary>
        public uint ready;
        /// <summary>for people: why it is closed, or not open yet; "" nothing to say; never NULL</summary>
        public byte* reason;
        /// <summary>with which it was opened, each; CLOSED: none; NULL if there are none</summary>
        public unisono_reaction_count* reactions;
        public UIntPtr reaction_count;
    }

    /// <summary>
    /// Somebody of the audience that this participant speaks to asks to speak, or says something to the hosts. Others of the session and of the
    /// audience hear nothing of it. `listener` is the same as long as that coordinator listens, and tells nothing else of who it is: whoever has
    /// the link can say something, under as many ids as devices. At most 50 come in a second; of more `left_out` of SESSION_AUDIENCE tells.
    /// @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_listener_event
    {
        public unisono_context_event @base;
        /// <summary>of no participant of the session</summary>
        public unisono_participant_id listener;
        /// <summary>at most 255 bytes; U+FFFD for what cannot be shown; "" nothing is said with it; never NULL</summary>
        public byte* text;
        public ListenerWord word;
        public int reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_session_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr state;
        public IntPtr activity;
        public IntPtr participants;
        public IntPtr message;
        public IntPtr notice;
        public IntPtr foreground_requested;
        public IntPtr speaking;
        public IntPtr invite_changed;
        public IntPtr consent;
        /// <summary>was reserved in 0.1. @since 0.2</summary>
        public IntPtr attachment;
        public IntPtr writable;
        public IntPtr error;
        public IntPtr released;
        public IntPtr succession;
        public IntPtr request;
        /// <summary>@since 0.2</summary>
        public IntPtr ignored;
        /// <summary>@since 0.2</summary>
        public IntPtr clock_doubt;
        /// <summary>@since 0.2</summary>
        public IntPtr chat;
        /// <summary>@since 0.2</summary>
        public IntPtr split;
        /// <summary>@since 0.2</summary>
        public IntPtr hub_doubt;
        /// <summary>@since 0.2</summary>
        public IntPtr playlist;
        /// <summary>@since 0.2</summary>
        public IntPtr copy;
        /// <summary>@since 0.2</summary>
        public IntPtr schedule;
        /// <summary>@since 0.2</summary>
        public IntPtr audience;
        /// <summary>@since 0.2</summary>
        public IntPtr listener;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_hub_options
    {
        public uint size;
        /// <summary>0: 256; 1...100000</summary>
        public uint participants_per_room;
        /// <summary>0: 1024</summary>
        public uint rooms;
        /// <summary>0: 4096</summary>
        public uint connections;
        /// <summary>0: 64</summary>
        public uint connections_per_address;
        /// <summary>per connection; 0: 262144</summary>
        public uint bytes_per_second;
        /// <summary>"0.0.0.0:7400", "[::]:0"; NULL: every interface, a free port</summary>
        public byte** listen;
        /// <summary>&lt;= 16</summary>
        public UIntPtr listen_count;
        /// <summary>"host:port" put into invites instead of what was found; NULL: found</summary>
        public byte** advertise;
        /// <summary>&lt;= 16</summary>
        public UIntPtr advertise_count;
        /// <summary>queued and inbound bytes in all; 0: 320 MiB, embedded 40 MiB</summary>
        public ulong memory;
        /// <summary>egress of one room; 0: 32 MiB/s, embedded 8 MiB/s</summary>
        public ulong room_bytes_per_second;
        /// <summary>unisono_hub_create only: 1: anybody may open rooms, also strangers from the internet. @since 0.2</summary>
        public int open;
        public uint reserved;
    }

    /// <summary>What a session goes on from on another day: a sealed secret. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_continuation
    {
        public uint size;
        public uint reserved;
        /// <summary>1...1,048,576; a few KiB as a rule</summary>
        public UIntPtr length;
        /// <summary>for a file; never NULL</summary>
        public IntPtr bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_session_options
    {
        public uint size;
        /// <summary>host only</summary>
        public ControlPolicy control_policy;
        /// <summary>1...63 bytes; NULL: device name</summary>
        public byte* display_name;
        /// <summary>_host only: the line of a hub to use, see below; NULL: one in this process</summary>
        public byte* hub;
        /// <summary>the one in this process; NULL: defaults</summary>
        public unisono_hub_options* hub_options;
        /// <summary>_host only: first activity; NULL: none yet</summary>
        public unisono_activity* activity;
        /// <summary>_open only: role asked for; a lesser one is given, a greater one by an owner</summary>
        public Role role;
        /// <summary>1: never serve as hub for the others</summary>
        public int no_standby_hub;
        /// <summary>1: started without a window</summary>
        public int in_background;
        /// <summary>_host only: who stands in for the owner; not NAMED, nobody is there yet</summary>
        public Succession succession;
        /// <summary>_host only: ns, 5 s...1 h; 0: 30 s</summary>
        public long succession_delay;
        /// <summary>bytes of a unisono_continuation: go on from there; NULL: a participant who is new. @since 0.2</summary>
        public IntPtr continuation;
        /// <summary>0 with NULL. @since 0.2</summary>
        public UIntPtr continuation_length;
        /// <summary>what it was sealed with; NULL: the context's `person`. @since 0.2</summary>
        public IntPtr continuation_key;
        /// <summary>16...1,024; 0 with NULL. @since 0.2</summary>
        public UIntPtr continuation_key_length;
        /// <summary>ns; one that is older by this machine's calendar is refused; 0: 90 days. @since 0.2</summary>
        public long continuation_age;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_clock
    {
        public uint size;
        public ClockState state;
        /// <summary>&gt;= 1; +1 whenever session time is not continuous with what was read before</summary>
        public ulong epoch;
        public long host_time;
        public long session_time;
        /// <summary>session ns per host ns, 1 +- 500 ppm; up to 2 % for 2 s while it is slewed</summary>
        public double rate;
        /// <summary>ns at host_time</summary>
        public long error_bound;
        /// <summary>ns per ns after host_time</summary>
        public double error_growth;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_session_statistics
    {
        public uint size;
        public ClockState clock_state;
        /// <summary>best of the recent, ns; INVALID unknown</summary>
        public long round_trip;
        public long round_trip_last;
        /// <summary>session - host, ns</summary>
        public long clock_offset;
        /// <summary>stated bound, ns</summary>
        public long clock_error;
        public double clock_drift_ppm;
        public ulong probes_sent;
        public ulong probes_received;
        public ulong messages_sent;
        public ulong messages_received;
        public ulong bytes_sent;
        public ulong bytes_received;
        /// <summary>not taken: bad signature, replay, not allowed, or of who is not known yet</summary>
        public ulong messages_refused;
        public ulong reconnects;
        public ulong hub_changes;
        public ulong send_queue_bytes;
        /// <summary>ns from any other participant's session time, measured past the hub, a quarter of a second ago at most: what holds even where the hub does not tell the truth; INVALID: nobody to compare with yet. @since 0.2</summary>
        public long checked_bound;
    }

    /// <summary>Range of one's own copy that is not the group's: unisono_coordinator_set_interstitials. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_interstitial
    {
        /// <summary>ns of the item time of the own copy</summary>
        public long begin;
        /// <summary>ns, &gt; begin; the first moment that is the group's again</summary>
        public long end;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_command
    {
        /// <summary>.type tells which; .source is the coordinator</summary>
        public unisono_context_event @base;
        /// <summary>for complete and fail; never 0, never used twice</summary>
        public ulong id;
        /// <summary>zero: own request, reapplied, or rejoined after a suspension</summary>
        public unisono_participant_id originator;
        /// <summary>identifier it is for; never NULL</summary>
        public byte* item;
        /// <summary>play: never 0, -16...16; else 0</summary>
        public double rate;
        /// <summary>play: anchor; pause: group position; seek: target; buffer: start position</summary>
        public long item_time;
        /// <summary>play: when item_time holds, may be past; else INVALID</summary>
        public long host_time;
        /// <summary>seek with buffer_in_anticipation, buffer (INVALID: ahead, see unisono_coordinator_set_prepares_ahead); else INVALID</summary>
        public long due_host_time;
        /// <summary>seek with buffer_in_anticipation, buffer; else 0</summary>
        public double anticipated_rate;
        /// <summary>1: caused by this participant</summary>
        public int is_local;
        /// <summary>pause: 1 = go to item_time, 0 = stay where you stopped</summary>
        public int snap;
        /// <summary>seek: also get ready for anticipated_rate before completing</summary>
        public int buffer_in_anticipation;
        public Cause cause;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_timing
    {
        public uint size;
        /// <summary>ignored in a proposal</summary>
        public TimingState state;
        /// <summary>0 unless PLAYING (in a proposal: 0 paused)</summary>
        public double rate;
        public long item_time;
        /// <summary>in a proposal: only with UNISONO_HAS_HOST_TIME; else it holds from now on</summary>
        public long host_time;
        /// <summary>ns, of the position; ignored in a proposal</summary>
        public long error_bound;
        /// <summary>UNISONO_HAS_HOST_TIME; always set in what is received. @since 0.2</summary>
        public uint flags;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_waiting_for
    {
        public unisono_participant_id participant;
        /// <summary>"" = still preparing</summary>
        public byte* reason;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_timing_change
    {
        public unisono_context_event @base;
        public TimingState state;
        public Cause cause;
        public unisono_participant_id originator;
        /// <summary>NULL: none current</summary>
        public byte* item;
        /// <summary>WAITING: the rate it will start with</summary>
        public double rate;
        public long item_time;
        /// <summary>PLAYING: anchor; else INVALID</summary>
        public long host_time;
        /// <summary>WAITING: host time when waiting ends at the latest; else INVALID</summary>
        public long deadline;
        public unisono_waiting_for* waiting_for;
        public UIntPtr waiting_for_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_suspensions_change
    {
        public unisono_context_event @base;
        public byte** reasons;
        public UIntPtr reason_count;
    }

    /// <summary>
    /// How it is with the audience that a coordinator listens to, all of it: the newest counts. What there is to play is told here and
    /// nowhere else: load `item`, or what `activity` says of it, and unisono_coordinator_transition_to_item; from then on commands
    /// come. A hub that tells a listener another time than the group makes it play beside the group. What bounds that are signed times: each
    /// word of who speaks bounds how far it is before the group, from the first on; how far after it is bounded once a question of its own is
    /// answered, which is asked within 10 s, with over 100 listeners a tenth of a second for each, and then every ten minutes: until then
    /// `clock_behind` is INVALID. @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_listening_event
    {
        public unisono_context_event @base;
        public ListeningStatus status;
        /// <summary>how many listen, the own one included, to two digits; the hub's word; 0: not known</summary>
        public uint listeners;
        /// <summary>the item that who speaks for the group is at; NULL: none, or not known</summary>
        public byte* item;
        /// <summary>what the group does; NULL: nothing, not known, or too long: all that an audience is told beside the line of the item has 32 KiB</summary>
        public unisono_activity* activity;
        /// <summary>for people; "" nothing to say; never NULL</summary>
        public byte* reason;
        /// <summary>ns by which the player may be before the group at most, whatever the hub says of the time, and</summary>
        public long clock_ahead;
        /// <summary>by which it may be after it, beside its own bound (unisono_coordinator_timing); INVALID: nothing bounds it on that side yet. As of the event in which one of them or clock_doubt was another; they grow by 0.2 ms a second</summary>
        public long clock_behind;
        /// <summary>1: what who speaks for the group signed contradicts the hub's time: what plays is not where the group is, and `reason` says by how much at least; 0: nothing contradicts it</summary>
        public int clock_doubt;
        public uint reserved;
        /// <summary>by which one may react (unisono_coordinator_react), each; counts to two digits, every 10 s at most; NULL if there are none</summary>
        public unisono_reaction_count* reactions;
        public UIntPtr reaction_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_playback_delegate
    {
        public uint size;
        public uint reserved;
        public IntPtr play;
        public IntPtr pause;
        public IntPtr seek;
        public IntPtr buffer;
        public IntPtr participants_changed;
        public IntPtr suspensions_changed;
        public IntPtr timing_changed;
        public IntPtr error;
        public IntPtr released;
        /// <summary>@since 0.2</summary>
        public IntPtr listening_changed;
        /// <summary>into the session that it listens to. @since 0.2</summary>
        public IntPtr invited;
    }

    /// <summary>Whether a running group waits for one whose player stalls.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_stall_policy
    {
        public uint size;
        /// <summary>1: a running group waits for one that stalls</summary>
        public int wait;
        /// <summary>ns; 0: 300 ms</summary>
        public long debounce;
        /// <summary>ns; 0: 10 s; INDEFINITE is refused</summary>
        public long limit;
    }

    /// <summary>What starts wait for beside players, and what happens when somebody leaves. @since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_start_policy
    {
        public uint size;
        public StartRule start;
        /// <summary>ns; how long a start waits for who does not get ready; 0: 60 s</summary>
        public long limit;
        public LeavingRule leaving;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_playback_report
    {
        public uint size;
        public int stalled;
        /// <summary>as it really runs; 0 paused</summary>
        public double rate;
        /// <summary>UNISONO_HAS_POSITION: where it was at host_time</summary>
        public long item_time;
        /// <summary>UNISONO_HAS_POSITION: where it was at host_time</summary>
        public long host_time;
        /// <summary>UNISONO_HAS_RANGE: reachable positions (live, seekable range)</summary>
        public long earliest;
        /// <summary>UNISONO_HAS_RANGE: reachable positions (live, seekable range)</summary>
        public long latest;
        /// <summary>which of these are set. @since 0.2</summary>
        public uint flags;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_coordinator_statistics
    {
        public uint size;
        public TimingState state;
        public ulong commands_issued;
        public ulong commands_completed;
        public ulong commands_failed;
        public ulong commands_superseded;
        public ulong commands_overdue;
        public ulong starts;
        public ulong starts_late;
        /// <summary>ns from request to start</summary>
        public long last_start_wait;
        /// <summary>ns, reported position against expected at the last report; INVALID unknown</summary>
        public long last_start_error;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_player_item
    {
        public uint size;
        /// <summary>item time is the date of the content</summary>
        public int is_live;
        /// <summary>1...1023 bytes; what the group compares</summary>
        public byte* identifier;
        /// <summary>for the renderer alone, never sent; &lt;= 8191 bytes; NULL: the identifier</summary>
        public byte* uri;
        /// <summary>proposed position, ns; 0 = the beginning</summary>
        public long start_time;
        /// <summary>ns; 0 or UNISONO_TIME_INVALID: unknown</summary>
        public long duration;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_renderer_command
    {
        /// <summary>.source is the player</summary>
        public unisono_context_event @base;
        /// <summary>echo it in the report that answers</summary>
        public ulong request;
        /// <summary>identifier</summary>
        public byte* item;
        public byte* uri;
        /// <summary>cue, play; nudge: factor on top, 0.9...1.1</summary>
        public double rate;
        /// <summary>cue, play, seek</summary>
        public long item_time;
        /// <summary>play</summary>
        public long host_time;
        /// <summary>seek, ns; INDEFINITE: any</summary>
        public long tolerance_before;
        /// <summary>seek, ns; INDEFINITE: any</summary>
        public long tolerance_after;
        /// <summary>0...1, ducking applied</summary>
        public double volume;
        /// <summary>pixels</summary>
        public int width;
        /// <summary>pixels</summary>
        public int height;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_renderer_report
    {
        public uint size;
        public RendererState state;
        /// <summary>the command this answers; 0: spontaneous</summary>
        public ulong request;
        /// <summary>UNISONO_HAS_POSITION: where it was at host_time</summary>
        public long item_time;
        /// <summary>UNISONO_HAS_POSITION: where it was at host_time</summary>
        public long host_time;
        /// <summary>ns; 0 or UNISONO_TIME_INVALID: not said; INDEFINITE: live</summary>
        public long duration;
        /// <summary>UNISONO_HAS_RANGE</summary>
        public long seekable_start;
        /// <summary>UNISONO_HAS_RANGE</summary>
        public long seekable_end;
        /// <summary>FAILED: an error code</summary>
        public int status;
        /// <summary>which of these are set; was `reserved` in 0.1. @since 0.2</summary>
        public uint flags;
        /// <summary>FAILED: for people</summary>
        public byte* message;
    }

    /// <summary>
    /// What draws and sounds. Its functions begin what they are told and return at once; unisono_player_report says when that
    /// is done, with the command's `request`. A newer command replaces what is under way.
    ///   load   gets uri ready at item_time, standing: READY, or FAILED. Of the one before nothing is heard any more.
    ///   cue    stops, goes to item_time and fills its buffers for rate, so that play begins at once: READY. NULL: pause and
    ///          seek do instead.
    ///   play   begins at rate from where it stands: PLAYING. The call comes early by the start latency that was learnt, so
    ///          begin at once; with UNISONO_RENDERER_EXACT_START it comes early and item_time holds at host_time. While it
    ///          plays: another rate.
    ///   pause  stops where it is: PAUSED.
    ///   seek   goes to item_time, and plays on from there if it played: SEEKED.
    ///   nudge  changes the speed by the factor rate, on top of what it plays at; 1 ends it. No answer. NULL: no nudges.
    ///   stop   nothing plays any more, what was loaded can go. No answer.
    /// FAILED answers what it cannot do: it is told to pause then, and this player is apart until the next command.
    /// By itself it says STALLED and RECOVERED, PAUSED and PLAYING, ENDED, FAILED with request 0. Such noise is never taken
    /// for a person's wish: it moves nobody else. One that plays and whose positions stand still for 2.5 s stalls, said or
    /// not. What a start takes it is learnt from the positions that follow PLAYING, and the group leaves room for it.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_renderer
    {
        public uint size;
        /// <summary>UNISONO_RENDERER_...</summary>
        public uint capabilities;
        /// <summary>0: 0.02; at most 0.1</summary>
        public double nudge_limit;
        /// <summary>ns; 0: 5 ms</summary>
        public long dead_band;
        public IntPtr load;
        public IntPtr cue;
        public IntPtr play;
        public IntPtr pause;
        public IntPtr seek;
        public IntPtr nudge;
        public IntPtr set_volume;
        /// <summary>Where it is, and when that held: UNISONO_OK, or anything else for "not known". NULL: the host reports POSITION.</summary>
        public IntPtr now;
        public IntPtr set_render_size;
        public IntPtr stop;
        public IntPtr released;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_player_event
    {
        /// <summary>.source is the player</summary>
        public unisono_context_event @base;
        public TimeControl time_control;
        public WaitingReason waiting_reason;
        public ItemState item_state;
        /// <summary>RATE</summary>
        public RateReason rate_reason;
        /// <summary>zero: local</summary>
        public unisono_participant_id originator;
        /// <summary>NULL none</summary>
        public byte* item;
        public double rate;
        public long item_time;
        public long host_time;
        /// <summary>SEEK_DONE</summary>
        public ulong request;
        /// <summary>SEEK_DONE: OK or ECANCELED by a newer; ITEM_STATE: why failed</summary>
        public int status;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_player_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr time_control;
        public IntPtr rate_changed;
        public IntPtr time_jumped;
        public IntPtr item_state;
        public IntPtr item_ended;
        public IntPtr seek_done;
        public IntPtr error;
        public IntPtr released;
        /// <summary>of its coordinator. @since 0.2</summary>
        public IntPtr listening_changed;
        /// <summary>its coordinator, by who it listens to. @since 0.2</summary>
        public IntPtr invited;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_player_statistics
    {
        public uint size;
        public uint reserved;
        /// <summary>ns; positive: ahead of the group</summary>
        public long skew_last;
        /// <summary>ns; positive: ahead of the group</summary>
        public long skew_median;
        /// <summary>ns; positive: ahead of the group</summary>
        public long skew_p95;
        /// <summary>ns; positive: ahead of the group</summary>
        public long skew_maximum;
        public ulong nudges;
        public ulong seeks;
        public ulong stalls;
        /// <summary>ns</summary>
        public long learnt_start_latency;
        /// <summary>ns</summary>
        public long learnt_seek_cost;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_surface_event
    {
        /// <summary>.source is the surface</summary>
        public unisono_context_event @base;
        /// <summary>SKIPPED: of skip_by; RESTORE: answer with complete_restore</summary>
        public ulong request;
        public int is_paused;
        /// <summary>SKIPPED</summary>
        public int status;
        /// <summary>as unisono_surface_time_range has it</summary>
        public long start;
        /// <summary>as unisono_surface_time_range has it</summary>
        public long duration;
        public long item_time;
        public long host_time;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_surface_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr changed;
        public IntPtr skipped;
        public IntPtr will_begin;
        public IntPtr will_end;
        public IntPtr restore_user_interface;
        public IntPtr released;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_hub_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr released;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_hub_statistics
    {
        public uint size;
        public uint reserved;
        public ulong rooms;
        public ulong connections;
        public ulong frames_in;
        public ulong frames_out;
        public ulong bytes_in;
        public ulong bytes_out;
        public ulong refused;
        public ulong closed_slow;
        public ulong probes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_service
    {
        public uint size;
        /// <summary>those it supports; 0: any</summary>
        public uint platforms;
        /// <summary>this device's; 0: found out</summary>
        public uint platform;
        public uint reserved;
        /// <summary>1...63 bytes of a-z 0-9 - .</summary>
        public byte* identifier;
        /// <summary>1...255 bytes</summary>
        public byte* usage_description;
        /// <summary>&lt;= 63 bytes; NULL: the context's</summary>
        public byte* device_name;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_nearby_event
    {
        /// <summary>.source is the advertiser or the browser</summary>
        public unisono_context_event @base;
        /// <summary>stable while known to this browser</summary>
        public ulong device;
        /// <summary>JOIN_REQUESTED, JOIN_WITHDRAWN; an advertiser's INVITE</summary>
        public IntPtr request;
        /// <summary>unverified text of the other side</summary>
        public byte* device_name;
        public byte* usage_description;
        /// <summary>INVITE</summary>
        public byte* invite;
        public uint platform;
        /// <summary>FAILED: ETIMEDOUT also for a denial</summary>
        public int status;
        /// <summary>six digits and NUL; JOIN_REQUESTED, DIGITS</summary>
        public fixed byte digits[8];
        /// <summary>FOUND, UPDATED: what may be asked; else: what was asked</summary>
        public Intent intent;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_advertiser_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr join_requested;
        public IntPtr join_withdrawn;
        public IntPtr error;
        public IntPtr released;
        /// <summary>an accepted INVITE brought it</summary>
        public IntPtr invite;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_browser_callbacks
    {
        public uint size;
        public uint reserved;
        public IntPtr found;
        public IntPtr updated;
        public IntPtr lost;
        public IntPtr digits;
        public IntPtr invite;
        public IntPtr failed;
        public IntPtr error;
        public IntPtr released;
    }

    /// <summary>@since 0.2</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_simulation_options
    {
        public uint size;
        public uint reserved;
        /// <summary>of everything that is random, keys, too; every number is one</summary>
        public ulong random_seed;
        /// <summary>host time at first, ns, &gt;= 0; 0: 1,000 s</summary>
        public long start_time;
    }

    /// <summary>
    /// How a context is connected to all others: what it sends takes its delay_out and the other's delay_in. Zeroes: at once.
    /// @since 0.2
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct unisono_simulated_link
    {
        public uint size;
        /// <summary>1: nothing passes; streams stand still, and go on when the link is up again</summary>
        public int down;
        /// <summary>ns one way, 0...60 s</summary>
        public long delay_out;
        /// <summary>ns one way, 0...60 s</summary>
        public long delay_in;
        /// <summary>ns: each passage is late or early by up to so much, 0...60 s; streams keep their order</summary>
        public long jitter;
        /// <summary>share of datagrams that are lost, 0...1; streams lose nothing</summary>
        public double loss;
    }

    public static unsafe class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "unisono";
#endif

        /// <summary>
        /// UNISONO_RT:
        /// The library's version, like "0.2.0". Static text, never NULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* unisono_version();

        /// <summary>
        /// UNISONO_RT:
        /// The API version this library implements, major &lt;&lt; 16 | minor. Compare with UNISONO_API_VERSION: the same major, and a
        /// minor at least as great, has everything this header declares.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint unisono_api_version();

        /// <summary>
        /// UNISONO_RT:
        /// Text of a status, like "UNISONO_EINVAL: invalid argument". Answers any number ("unknown error -7"); static, never
        /// NULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* unisono_strerror(int status);

        /// <summary>
        /// The sentence that belongs to the last failing call of this thread: what was wrong, in which function, how to mend it.
        /// Valid until this thread's next call of this library; "" when none failed. Success does not clear it, and realtime-
        /// safe functions do not set it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* unisono_last_error();

        /// <summary>
        /// UNISONO_RT:
        /// Host time now: nanoseconds of the monotonic clock (CLOCK_MONOTONIC; mach_absolute_time in ns on macOS). Equals
        /// uv_hrtime and Python's time.monotonic_ns. Clocks of other origin (SDL, mpv) differ by a constant: read both once and
        /// subtract. Within a context, unisono_context_host_time is the better question: it also holds on a simulated clock.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern long unisono_host_time();

        /// <summary>
        /// Ends what a function returned through a parameter named `owned`, with all that hangs on it.
        /// owned: that pointer; NULL does nothing; an address that is none of the library's is ignored.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_free(IntPtr owned);

        /// <summary>
        /// Makes a context: one event loop and everything that lives on it.
        /// options: NULL: polled, defaults. See unisono_context_options for units and limits of each field. Copied.
        /// callbacks: copied; NULL: none. user: for them.
        /// out: where the handle goes; end it with unisono_context_destroy.
        /// Errors: UNISONO_EINVAL (own_thread and uv_loop together, a limit exceeded, an unknown log level), UNISONO_ENOMEM,
        /// UNISONO_ENOTSUP (uv_loop_size is not this library's, or a field is set that this library does not know), UNISONO_EIO
        /// (storage_path is no folder that can be used).
        /// With uv_loop, call it on the thread that runs that loop.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_create(unisono_context_options* options, unisono_context_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Destroys a context and everything made from it: see LIFETIMES 6 to 8. Its sessions leave: this call is all that leaving in
        /// order takes. NULL and destroyed handles: nothing happens. On
        /// a foreign loop it must be called on the thread of that loop, otherwise nothing happens but a line in the log.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_context_destroy(IntPtr context);

        /// <summary>
        /// One descriptor that is readable when anything is due: sockets, calls from other threads, timers, queued events. Wait
        /// for it, then call unisono_context_poll (or unisono_context_next_event until it returns 0). With own_thread: readable
        /// while the event queue holds something. Never read from, write to or close it; it is the context's.
        /// Returns: the descriptor &gt;= 0. Errors: UNISONO_ENOTSUP (Windows: use unisono_context_timeout and `wakeup`),
        /// UNISONO_ESTATE (uv_loop; own_thread without event_queue).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_fd(IntPtr context);

        /// <summary>
        /// Nanoseconds until the next timer of a polled context: 0 due now, UNISONO_TIME_INDEFINITE no timer; fit to be the
        /// max_wait of the next poll. Only for hosts that cannot wait for a descriptor; changes with every call made to the
        /// library.
        /// Errors (negative): UNISONO_ESTATE (own_thread, uv_loop) and the usual ones.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern long unisono_context_timeout(IntPtr context);

        /// <summary>
        /// UNISONO_LOOP:
        /// Runs what is due on a polled context and delivers callbacks on this thread.
        /// max_wait: longest wait in ns; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit. May return earlier, also
        /// with 0.
        /// Returns: the number of deliveries, callbacks and queued events, &gt;= 0.
        /// Errors: UNISONO_ESTATE (own_thread, uv_loop, or inside a callback), UNISONO_EBUSY (another thread is in it),
        /// UNISONO_ECLOSED (also when the context is destroyed meanwhile).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_poll(IntPtr context, long max_wait);

        /// <summary>
        /// UNISONO_LOOP:
        /// Fetches the next event of a context with event_queue, running the loop as unisono_context_poll does where it is
        /// polled.
        /// max_wait: longest wait in ns for an event; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit.
        /// out: the event, or NULL; `type` names the payload struct this head begins (skip types you do not know), and
        /// unisono_event_command and its kin give it. Valid until the next call of this function on this context, or until the
        /// context is destroyed.
        /// Returns: 1 with an event, 0 without. Order is kept within the queue. State-like events (state, activity,
        /// participants, timing, suspensions) are kept newest-only. Commands are never dropped one by one: those for an item no
        /// longer current are taken out, and above 64 unread ones the present state replaces them all. Log lines and errors
        /// beyond event_queue_limit are dropped, counted and told by one OVERFLOW event.
        /// Errors: UNISONO_ESTATE (no event_queue, or inside a callback), UNISONO_EBUSY (another thread is in it or in poll),
        /// UNISONO_ECLOSED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_next_event(IntPtr context, long max_wait, unisono_context_event** @out);

        /// <summary>
        /// UNISONO_RT:
        /// Makes a poll or next_event that waits return 0 soon; the next one, when none waits. Calls coalesce.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_wake(IntPtr context);

        /// <summary>
        /// UNISONO_RT:
        /// The clock this context lives by, ns: unisono_host_time(), unless the context is simulated. Negative: an error.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern long unisono_context_host_time(IntPtr context);

        /// <summary>
        /// Calls fn once on the loop when a host time has come.
        /// host_time: ns; past: at once, but never inside this call.
        /// fn: called exactly once: status UNISONO_OK when due, UNISONO_ECANCELED after unisono_context_cancel or destroy. NULL:
        /// a TIMER event in the event queue instead.
        /// user: for fn, and `base.user` of the event.
        /// token: may be NULL; set before fn can run; never 0; for unisono_context_cancel.
        /// Errors: UNISONO_EINVAL (fn NULL without event_queue; host_time UNISONO_TIME_INVALID), UNISONO_EFULL (65,536 are
        /// pending).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_call_at(IntPtr context, long host_time, IntPtr fn, IntPtr user, ulong* token);

        /// <summary>
        /// Cancels a unisono_context_call_at: its fn gets UNISONO_ECANCELED, later, on the loop.
        /// Errors: UNISONO_ENOTFOUND (it has fired, is firing, or never was).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_cancel(IntPtr context, ulong token);

        /// <summary>
        /// Forgets answers that unisono_session_answer_consent remembered: people are asked again.
        /// type: UNISONO_ACTIVITY_ALL: of every type.
        /// Errors: UNISONO_EINVAL (no such type), UNISONO_EIO (storage_path cannot be written; forgotten for this context).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_context_forget_answers(IntPtr context, ActivityType type);

        /// <summary>
        /// UNISONO_WAITS:
        /// Makes a session and hosts it: this device begins a new group. When options-&gt;hub is NULL a hub is started in this
        /// process and is bound before this function returns, so that unisono_session_invite works at once. Join with
        /// unisono_session_join.
        /// options: NULL: defaults. Copied. hub: the line that "unisono hub" prints, or that of unisono_hub_line:
        /// "unisono-hub://host:port/id", and behind it "/token" where the hub's operator gave one. The id says which hub it is: no other
        /// at that address is talked to.
        /// callbacks: copied; NULL: the event queue, or read with the getters. user: for them, and `base.user` of its events.
        /// out: end it with unisono_session_destroy.
        /// options-&gt;continuation: the group of another day goes on instead (unisono_session_continuation): this participant is who it was, and
        /// looks for the others where they were, at `hub`, and at the hub in this process. control_policy, activity, role, succession and
        /// succession_delay are the group's then and count for nothing.
        /// Errors: UNISONO_EINVAL (a limit exceeded, or a hub's line that is none), UNISONO_ETOOBIG (activity, continuation), UNISONO_ENETWORK (an
        /// address is in use or cannot be parsed), UNISONO_ENOMEM, UNISONO_ENOTSUP (a field is set that this library does not know). Of a
        /// continuation: UNISONO_EINVAL (it is none, a limit exceeded, or neither key nor person), UNISONO_EAUTH (another key, or a byte was
        /// changed), UNISONO_ETIMEDOUT (too old), UNISONO_EVERSION (made by a newer library), UNISONO_EPROTOCOL (it proves nothing).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_host(IntPtr context, unisono_session_options* options, unisono_session_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Opens an invite. Only parses: the session is WAITING until unisono_session_join; faults of the network appear as
        /// state. The activity may be known before joining (SESSION_ACTIVITY).
        /// invite: the text from unisono_session_invite of somebody in the group; 1...4,095 bytes. It is a secret. A line as it was
        /// pasted will do: words in front, and quotes, brackets and white space around it are passed over.
        /// options: NULL: defaults. Copied. control_policy, hub, hub_options, activity, succession and succession_delay are the
        /// host's to set and count for nothing here. continuation: of the invite's session; this participant comes as who it was, wherever
        /// the group is by now, also after its hubs changed or somebody was removed; role counts for nothing then.
        /// callbacks, user: as for unisono_session_host.
        /// out: end it with unisono_session_destroy.
        /// Errors: UNISONO_EINVAL (unisono_last_error says which part of the invite; a continuation of another session), UNISONO_EVERSION
        /// (made by a newer library), UNISONO_ENOMEM, UNISONO_ENOTSUP; of a continuation as for unisono_session_host.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_open(IntPtr context, byte* invite, unisono_session_options* options, unisono_session_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Leaves, then closes: the others see it at once, also when the hub was in this process and goes with it. Only what cannot
        /// be sent at once (a link that is congested or lost) is not: to see that it went, unisono_session_leave first, and destroy
        /// after INVALIDATED. NULL and destroyed handles: nothing happens. A coordinator on it goes on alone.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_session_destroy(IntPtr session);

        /// <summary>
        /// The invite to pass on, as text; whoever has it can join. It lists the hub in use and up to 15 more: those that the
        /// participants keep ready, this one's included, so that it leads to the group also when its first hub is dead by then. It
        /// changes with them (SESSION_INVITE); pass on the newest. Before the group was met it is the one that was opened: nobody is
        /// led to anywhere else than the group.
        /// buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
        /// Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (invalidated).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_invite(IntPtr session, byte* buffer, UIntPtr* length);

        /// <summary>
        /// UNISONO_WAITS:
        /// What this participant goes on from on another day, by `continuation` of unisono_session_options; no server remembers anything. It holds,
        /// sealed, its identity with the keys, the way to the group (door, hubs, and their passes), who was in it, the policy (roles, who was
        /// removed, closed), and what the group does: activity, settings, playlist, the current item and its place. It does not hold chat,
        /// attachments, a scheduled start or what players reported. Each of the group who has one goes on, in any order, and they are one group:
        /// paused where the one was who was there last, with the roles of then. They meet at a hub that all of them know and that is there
        /// again: one by itself, or the hub in a participant's process, which has the same id again and is found if its address and port are
        /// the same (hub_options.listen); else by a new invite of one of them, with which the others open theirs. Who alone may not command
        /// waits for one who may.
        /// Whoever has it and the key is this participant: keep it as a private key is kept (mode 0600), and begin no two sessions with it at
        /// once (one of them is INVALIDATED with UNISONO_EBUSY). It shows nothing without the key. It knows of nothing later: take a new one when
        /// SESSION_INVITE or SESSION_PARTICIPANTS comes, every few minutes, and before unisono_session_leave and unisono_session_end. Of one
        /// who was removed after it took its own, and of what others' older ones still open, docs/security.md has what is promised.
        /// key, key_length: what to seal it with, 16...1,024 bytes that nobody can guess, no password; NULL and 0: the context's `person`, so that
        /// all devices of the person can open it.
        /// owned: end it with unisono_free.
        /// Errors: UNISONO_EINVAL (owned is NULL, key_length, or neither key nor person), UNISONO_ESTATE (not joined, group time is not known
        /// yet, or the group is on its way to another room: again in a moment), UNISONO_ETOOBIG (what the group does does not fit).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_continuation(IntPtr session, IntPtr key, UIntPtr key_length, unisono_continuation** owned);

        /// <summary>
        /// From where the best of an invite's addresses can be reached, as they are spelled: nothing is looked up or tried. Whoever
        /// shows an invite says with it when all of its addresses are private: nobody elsewhere can join by it.
        /// invite: as for unisono_session_open.
        /// Returns: a unisono_reach &gt;= 0. Errors: UNISONO_EINVAL, UNISONO_EVERSION, as unisono_session_open.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_invite_reach(byte* invite);

        /// <summary>
        /// Enters the group. Returns at once; the state becomes JOINED when the group's complete state is here: who hosts the session
        /// has it, everybody else gets it from a member. Who finds no member stays WAITING for as long as that is so, with reason
        /// UNISONO_ENOTFOUND or that of the network, and looks for one at all hubs that its invite lists, again and again; its player
        /// acts alone meanwhile. Where there is no place, at the hub or among the 256 participants that a session can have, the
        /// state is WAITING and CONNECTING with reason UNISONO_EFULL, and the session goes in by itself when a place is free; where an
        /// owner closed the group, with reason UNISONO_EDENIED, until it is open.
        /// Joining again: OK, nothing happens.
        /// Errors: UNISONO_ESTATE (invalidated).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_join(IntPtr session);

        /// <summary>
        /// Leaves the group, which goes on: the state becomes INVALIDATED with reason UNISONO_OK. Coming back is a new session
        /// object.
        /// Errors: UNISONO_ESTATE (invalidated).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_leave(IntPtr session);

        /// <summary>
        /// Ends the session for everybody: their state becomes INVALIDATED with reason UNISONO_EENDED, for good, but that who kept a
        /// unisono_session_continuation may go on from it on another day. While the object
        /// exists, those who come within 5 s are informed, too; later ones find nobody.
        /// Errors: UNISONO_ESTATE (not joined, or invalidated; late: the connection is lost, so that the others cannot be told),
        /// UNISONO_EDENIED (late too: this participant may not).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_end(IntPtr session);

        /// <summary>
        /// Returns: a unisono_session_state &gt;= 0, or an error.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_get_state(IntPtr session);

        /// <summary>Returns: the own link as a unisono_connection &gt;= 0, or an error.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_connection(IntPtr session);

        /// <summary>
        /// The own identifier in this session, known from creation on.
        /// id_out: 16 bytes are written.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_local_participant(IntPtr session, unisono_participant_id* id_out);

        /// <summary>
        /// Who is there, the local one included, sorted by id.
        /// owned: a snapshot; end it with unisono_free.
        /// Errors: UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_participants(IntPtr session, unisono_participants** owned);

        /// <summary>
        /// Sets or changes what the group does together; everybody gets SESSION_ACTIVITY.
        /// activity: copied; limits at unisono_activity.
        /// Errors: UNISONO_EINVAL (no identifier, unknown type), UNISONO_ETOOBIG (a limit exceeded), UNISONO_ESTATE (not
        /// joined), UNISONO_EDENIED (late too).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_activate(IntPtr session, unisono_activity* activity);

        /// <summary>
        /// What the group does together.
        /// owned: a snapshot; end it with unisono_free. NULL with UNISONO_OK: nothing yet.
        /// Errors: UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_activity(IntPtr session, unisono_activity** owned);

        /// <summary>
        /// Gives a participant another role; only an owner may. Whoever is made an owner may do what this function and the next two
        /// do, but not to owners who became that before it. Everybody is told by SESSION_PARTICIPANTS. What the participant commanded
        /// before stays; what it commands later, or has on the way, counts by its new role, alike for everybody.
        /// When the last owner leaves with unisono_session_leave, the first deputy that is there becomes owner, else the participant
        /// of the highest role that has been there longest. For one that is gone without leaving see unisono_session_set_deputies.
        /// participant: in the session, this one excepted. role: VIEWER, MEMBER, HOST or OWNER.
        /// Errors: UNISONO_EINVAL (participant is NULL, no role), UNISONO_ENOTFOUND (nobody has this id), UNISONO_ESTATE (not
        /// joined), UNISONO_EDENIED (not an owner; late too, through error: the participant is a more senior owner, the lists are
        /// full, or another owner's change came first and it is not an owner's to make any more).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_role(IntPtr session, unisono_participant_id* participant, Role role);

        /// <summary>
        /// Says who may command playback, change the activity and end the session; only an owner may.
        /// Errors: UNISONO_EINVAL (no unisono_control_policy), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_control_policy(IntPtr session, ControlPolicy policy);

        /// <summary>
        /// Closes the group, or opens it again; only an owner may. While it is closed nobody new is let in, whoever has the invite: so a
        /// leaked one is worth nothing for as long, and nobody's room or invite changes. Who is in stays in, and comes back after a lost
        /// link; a process that was started again is somebody new. Everybody is told by SESSION_STATE (`closed`). Who wants in is WAITING
        /// with reason UNISONO_EDENIED, asks again every few seconds, and gets in by itself once the group is open. It stands until it is
        /// changed, also when owners leave. Members whose library is not this one, or who do not know of it yet, may still let somebody in:
        /// SESSION_PARTICIPANTS shows it.
        /// closed: 0 or 1.
        /// Errors: UNISONO_EINVAL (closed), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too, through error: another
        /// owner's change came first). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_closed(IntPtr session, int closed);

        /// <summary>
        /// Opens an audience: whoever has its link (unisono_session_audience_link) follows what the group plays, by
        /// unisono_coordinator_listen, any number of devices at once, and takes part in nothing. Listeners are in no list of
        /// participants, hear no chat and no messages, are not waited for, and cannot command; they see who commands and what plays,
        /// with the activity. The group goes on as it was. The audience is the session's: one of its owners and hosts speaks for the group in it,
        /// at first who opened it, of the item that its own coordinator is at. When that one leaves, or its process dies, another one goes on
        /// within a second or two, when its network is lost some seconds later; where none is there any more, or the session ends, the audience is
        /// closed. The hub in use carries it; docs/audiences.md has what is promised, and what is not: whoever has the link can listen, and a
        /// single stranger cannot be put out of an open audience.
        /// It takes a session in which hosts alone command, so that nobody who came by the invite speaks to all: control policy
        /// UNISONO_CONTROL_HOSTS_ONLY, and newcomers who are less than hosts. SESSION_AUDIENCE tells when it is open, how many listen, and why
        /// it was closed: it is when one of these conditions is not met any more. It goes along when the session changes its hub.
        /// Where the session has an audience a start is written 1.5 s before it begins, so that who listens begins with the group; so it is where
        /// this participant is alone in the session. Of those who listen nobody is waited for, unless `ready_share` says so: then a start waits,
        /// as for one participant more, until that share of them is ready or `ready_wait` is over. Others see it wait for who speaks to the
        /// audience.
        ///
        ///     const char *reactions[] = { "\xE2\x9D\xA4", "\xF0\x9F\x91\x8F" };
        ///     unisono_audience_options options = UNISONO_AUDIENCE_OPTIONS_INIT;
        ///     options.reactions = reactions;
        ///     options.reaction_count = 2;
        ///     unisono_session_open_audience(session, &amp;options);
        ///     ... SESSION_AUDIENCE with UNISONO_AUDIENCE_OPEN:
        ///     char link[4096];  size_t length = sizeof link;
        ///     if (unisono_session_audience_link(session, link, &amp;length) == UNISONO_OK) publish(link);
        ///
        /// options: NULL: nobody who listens is waited for, and nobody reacts. Copied; they hold as long as it is open, for whoever speaks to it.
        /// Errors: UNISONO_EINVAL (an option), UNISONO_ENOTSUP (a longer struct whose tail is not zero), UNISONO_ESTATE (not joined, others than
        /// hosts may command, newcomers are hosts, the session has an audience, or no hub is known that a link could name; late too),
        /// UNISONO_EDENIED (this participant may not command; late too). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_open_audience(IntPtr session, unisono_audience_options* options);

        /// <summary>
        /// Closes the session's audience, whoever opened it, for an owner or host: its listeners are told OVER, and their players go on alone.
        /// Another unisono_session_open_audience makes another one, with another link. One that is closed: OK, nothing happens.
        /// Errors: UNISONO_ESTATE (invalidated). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_close_audience(IntPtr session);

        /// <summary>
        /// Gives the session's audience another link, for any owner or host: the old one is known to who should not have it, or an owner or host
        /// is none any more. Who listens goes along by itself, and plays on meanwhile; so does who comes with the old link in the next 10 min.
        /// Who comes with it later is told OVER, with a reason that says so. It puts nobody out: who listens when it is renewed goes along, good
        /// or bad. unisono_session_audience_link gives the new link once the loop has turned; SESSION_AUDIENCE says OPENING, and OPEN once it is
        /// good; to other owners and hosts it says once more that it is OPEN. Whoever renews speaks to it from then on. Once more makes one more,
        /// whether or not everybody has gone along.
        /// Errors: UNISONO_ESTATE (not joined, or no audience is open, or what it takes to speak to it has not come yet from another host; late
        /// too), UNISONO_EDENIED (this participant may not command; late too). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_renew_audience(IntPtr session);

        /// <summary>
        /// The link that listeners need, as text: for unisono_coordinator_listen, and no invite; nobody joins with it. It is there as soon as the
        /// audience is asked for, and good once SESSION_AUDIENCE says OPEN; every owner and host has the same. It stays as it is until the audience
        /// is renewed or closed: it lists the hubs that an invite listed then.
        /// buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
        /// Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (no audience is open, this participant is no
        /// owner or host, or the session is invalidated). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_audience_link(IntPtr session, byte* buffer, UIntPtr* length);

        /// <summary>
        /// Lets a listener into the session: its coordinator gets this session's invite, as COORDINATOR_INVITED, sealed so that neither the hub nor
        /// others with the link can read it. It comes in as whoever has the invite, with the role of newcomers, and may pass the invite on. That it
        /// comes is not certain: its person may not want any more, and the session may be full or closed. Once more does no harm.
        /// listener: who asked (UNISONO_LISTENER_ASKS of SESSION_LISTENER) in the audience that this participant speaks to; of the last 256 who did.
        /// Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined, or no audience is open; late, through error: its hub is not reached),
        /// UNISONO_ENOTFOUND (this one did not ask, or too long ago; late too). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_invite_listener(IntPtr session, unisono_participant_id* listener);

        /// <summary>
        /// Names who stands in for the owners when none of them is there and none has left with unisono_session_leave: a process died,
        /// a machine sleeps, a network broke. When no owner was there for `delay`, the first of the deputies who is there acts as
        /// owner: it may do all that an owner may, but to no owner. Everybody is told by SESSION_SUCCESSION, and SESSION_PARTICIPANTS
        /// shows it as OWNER. When an owner is back, that ends: what was commanded and said of roles meanwhile stays, who was made
        /// owner meanwhile is none any more. Nobody believes a deputy while it sees an owner itself (REFUSED). An owner whose process
        /// was started again is another participant: who acts as owner makes it an owner by unisono_session_set_role.
        /// Only an owner may. Without this call deputies are listed by seniority (options.succession): the library lists the four who
        /// have been there longest, hosts before members, viewers never, and only while not EVERYONE may command.
        /// deputies, count: participants of the session, in their order, without doubles, no owners; at most 8, copied. With 8 owners
        /// there is no room for deputies.
        /// succession: NAMED with deputies; with none: DEFAULT, BY_SENIORITY or NOBODY.
        /// delay: ns, 5 s...1 h; 0: 30 s.
        /// Errors: UNISONO_EINVAL (deputies is NULL with a count, a double, an owner; succession; delay), UNISONO_ENOTFOUND (nobody has
        /// this id), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too: there are eight owners, or another owner's
        /// change came first). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_deputies(IntPtr session, unisono_participant_id* deputies, UIntPtr count, Succession succession, long delay);

        /// <summary>
        /// Who stands in when no owner is there, and who does so now.
        /// out: set out-&gt;size before the call (UNISONO_SUCCESSION_STATE_INIT); no more than that is written.
        /// Errors: UNISONO_EINVAL (out is NULL, its size). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_get_succession(IntPtr session, unisono_succession_state* @out);

        /// <summary>
        /// Asks those who may command to do so: "could you pause?" They get SESSION_REQUEST with status OPEN, nobody else can read it.
        /// This participant is told once what became of it, by SESSION_REQUEST with its own id: GRANTED by the first who does,
        /// DECLINED when all have declined, UNANSWERED after 30 s. It is about the item that this session's coordinator is on.
        /// request: copied. text: &lt;= 255 bytes.
        /// number_out: the request's number; NULL: not wanted.
        /// Errors: UNISONO_EINVAL (NULL, unknown kind, item_time), UNISONO_ETOOBIG (text), UNISONO_ESTATE (not joined, no current
        /// item, or this participant may command itself), UNISONO_ENOTFOUND (nobody who may command is there; late too),
        /// UNISONO_EBUSY (more than one in a second; late too: four are open), UNISONO_EFULL (too many calls wait for the loop).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_request_command(IntPtr session, unisono_request* request, ulong* number_out);

        /// <summary>
        /// Answers a SESSION_REQUEST that is OPEN. Granted, it is carried out at once as if this host had asked its coordinator for
        /// it, and everybody who was asked is told. Declined, only the asker may hear of it. It may be left unanswered.
        /// asker, number: as the event told them.
        /// granted: 0 or 1.
        /// Errors: UNISONO_EINVAL (asker is NULL), UNISONO_ENOTFOUND (no such request is open here; late too), UNISONO_ESTATE (not
        /// joined; to be granted, and this session's coordinator is on another item), UNISONO_EDENIED (this participant may not
        /// command any more), UNISONO_EFULL. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_answer_request(IntPtr session, unisono_participant_id* asker, ulong number, int granted);

        /// <summary>
        /// Puts a participant out for good, with all devices of its person; only an owner may. The session moves to a new door with a
        /// new key, which the removed one does not get: it can read nothing more and cannot come back, and is INVALIDATED with
        /// UNISONO_EDENIED. The others play on. The invite is another one from then on (SESSION_INVITE); the old one leads nowhere.
        /// Who is away for less than ten minutes is let in again when it returns.
        /// participant: in the session; not this one.
        /// Errors: UNISONO_EINVAL (NULL, this one), UNISONO_ENOTFOUND, UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner;
        /// late too: it is a more senior owner).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_remove_participant(IntPtr session, unisono_participant_id* participant);

        /// <summary>
        /// Asks the person at this device, through the `consent` callback or a CONSENT event, whether an activity is to be begun
        /// with the group, unless an answer for its type (unisono_activity_type) is remembered. What is asked is answered by
        /// unisono_session_answer_consent; without a consent callback and an event queue the answer is PREFERRED. Where no other
        /// participant is in touch and no device follows the session there is nobody to share it with: nobody is asked, and the answer
        /// is DISABLED. Who does not know yet who is there (an invite was opened a moment ago) is asked. It changes nothing
        /// by itself: at PREFERRED call unisono_session_activate, at DISABLED begin alone, at CANCELLED do not begin.
        /// activity: copied; limits at unisono_activity.
        /// fn: called exactly once, later, on the loop: with `result`, and `remembered` 1 when that is a remembered answer. CANCELLED when
        /// nobody answered for 60 s, or when the session is destroyed. NULL: an ACTIVATION event in the event queue instead.
        /// user: for fn, and `base.user` of its event.
        /// Errors: UNISONO_EINVAL (fn NULL without event_queue; see unisono_session_activate), UNISONO_ETOOBIG, UNISONO_ESTATE
        /// (invalidated), UNISONO_EBUSY (one is open), UNISONO_EFULL (too many calls wait for the loop).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_prepare_for_activation(IntPtr session, unisono_activity* activity, IntPtr fn, IntPtr user);

        /// <summary>
        /// Answers a CONSENT.
        /// request: as the event told it.
        /// answer: PREFERRED: with the group; DISABLED: alone; CANCELLED: not at all.
        /// remember: 1: the same answer for every activity of this type from now on, without asking (not CANCELLED); kept in
        /// `storage_path` of the context, or as long as the context lives. unisono_context_forget_answers forgets it.
        /// Errors: UNISONO_EINVAL (no unisono_activation_result), UNISONO_ENOTFOUND (answered, or too late).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_answer_consent(IntPtr session, ulong request, ActivationResult answer, int remember);

        /// <summary>
        /// Sends bytes to other participants, who get SESSION_MESSAGE; the sender gets none. Who joins later does not get it.
        /// Reliable messages of one sender come once and in order, also across lost links of up to 30 s and the hub's death;
        /// unreliable ones come at once or not at all, in any order.
        /// data, length: 0...65,536 bytes, copied. NULL only with length 0.
        /// to, to_count: ids of participants, copied; the others cannot read it. 0: all others (to is not looked at). At most 256.
        /// Errors: UNISONO_EINVAL, UNISONO_ETOOBIG (length), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (an id is no
        /// participant), UNISONO_EBUSY (1 MiB waits to be sent; SESSION_WRITABLE says when to go on), UNISONO_EFULL (too many calls
        /// wait for the loop).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_send(IntPtr session, IntPtr data, UIntPtr length, Delivery delivery, unisono_participant_id* to, UIntPtr to_count);

        /// <summary>
        /// Sends bytes that have a type, by which receivers tell them apart: unisono_session_send with a name and a version, which come
        /// as `type` and `version` of the message. The library compares nothing: a receiver ignores the types that it does not know,
        /// and reads those versions of a type that it knows. All types of one sender share one order.
        /// type: 1...127 bytes of UTF-8, such as "org.example.drawing.stroke". version: of what the type names; any.
        /// The others, and errors: as unisono_session_send; UNISONO_EINVAL (no type, or a longer one).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_send_typed(IntPtr session, byte* type, uint version, IntPtr data, UIntPtr length, Delivery delivery, unisono_participant_id* to, UIntPtr to_count);

        /// <summary>
        /// Sends bytes that the others get when their own playback is at a place of an item ("when the film is at 0:42:10"): each host gets
        /// SESSION_MESSAGE when its player, as far as it was told, stands there or runs past it, in either direction. Reliable.
        ///
        /// It comes once. A jump over the place does not deliver it: it waits on, and comes when playback is sent back and meets it. Where the
        /// place was passed no more than 2 s before the message came, it comes at once; where it was passed earlier, it waits likewise. Who
        /// is apart goes by its own playback. Who joins later does not get it. A host that is at another item gets it when it is at this
        /// one. A receiver keeps 64 of one sender, for 12 hours or until it leaves; of more it is told (SESSION_IGNORED).
        /// item: 1...1,023 bytes of UTF-8. item_time: ns, any but UNISONO_TIME_INVALID.
        /// type: as in unisono_session_send_typed; NULL: none, and version is not looked at.
        /// The others, and errors: as unisono_session_send; UNISONO_EINVAL; UNISONO_EBUSY (late: 64 of this participant wait, by its own
        /// playback). More than 64 KiB: attach it before (unisono_session_attach_bytes), and send the attachment's name at the place.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_send_at(IntPtr session, byte* item, long item_time, byte* type, uint version, IntPtr data, UIntPtr length, unisono_participant_id* to, UIntPtr to_count);

        /// <summary>
        /// Everybody on an item begins to play at one time, "at 20:15" or "in ten minutes": the group prepares 3 s before, and starts at the
        /// instant, as far as players are ready; what starts wait for applies. It is for the whole session, outlives who scheduled it, and
        /// takes the place of one scheduled before. Everybody gets SESSION_SCHEDULE, with the countdown; hosts that are not on the item make
        /// their transition in time. Whoever plays the item before, or commands its rate in the last 3 s, has decided otherwise. Whoever
        /// may command may schedule.
        /// item: 1...1,023 bytes of UTF-8. host_time: of this device, from now on and at most 7 days ahead; calendar_time: what the person's
        /// clock shows then, ns since 1970, or UNISONO_TIME_INVALID. The library reads no calendar: of a time of day a host makes the host
        /// time, unisono_host_time() + (time of day - what its clock shows now). All begin at that one instant, by group time, however
        /// wrong any calendar clock is.
        /// Errors: UNISONO_EINVAL (no item, a time that is past or too far ahead), UNISONO_ESTATE (not joined; late: group time is not known
        /// yet), UNISONO_EDENIED (late). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_schedule_start(IntPtr session, byte* item, long host_time, long calendar_time);

        /// <summary>
        /// Calls the scheduled start off; nothing where none is scheduled.
        /// Errors: UNISONO_ESTATE (as above), UNISONO_EDENIED (late). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_cancel_start(IntPtr session);

        /// <summary>
        /// The start that is scheduled and still to come.
        /// owned: the address of a variable; NULL comes where nothing is. Errors: UNISONO_EINVAL. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_scheduled_start(IntPtr session, unisono_scheduled_start** owned);

        /// <summary>
        /// Says something in writing: everybody gets SESSION_CHAT, this participant, too. The last 200 entries (and at most 128 KiB of them)
        /// are kept by every participant and told to those who come later; nobody can change or invent the words of another. The item and
        /// the position at which the group is now are said with it. What is said without a connection reaches the others when it is back.
        /// text: 1...2,000 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing.
        /// number_out: the entry's number; NULL: not wanted.
        /// Errors: UNISONO_EINVAL (no text, not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (not joined), UNISONO_EBUSY (more
        /// than 10 in 10 s; the message says in how many seconds there may be another), UNISONO_EFULL (too many calls wait for the loop).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_chat(IntPtr session, byte* text, ulong* number_out);

        /// <summary>
        /// Reacts to what is on just now: everybody gets SESSION_CHAT, this participant, too. Not kept, and lost to who is not there.
        /// text: 1...32 bytes of UTF-8, such as an emoji; no control characters.
        /// Errors: as unisono_session_chat; UNISONO_EBUSY: more than 20 in 10 s. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_react(IntPtr session, byte* text);

        /// <summary>
        /// The entries of the chat that are kept, in their order.
        /// owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_chat_history(IntPtr session, unisono_chat** owned);

        /// <summary>
        /// Puts an entry on the playlist that the group shares: everybody gets SESSION_PLAYLIST, this participant, too. Whoever may command may
        /// edit it. What several do at the same time is merged: no entry is lost or there twice. A list takes 1,000 entries and 512 KiB of
        /// them, 128 bytes counted for each beside its texts; should several fill the last places at once, those stay that were added first,
        /// and who added the others gets the error.
        /// entry: copied; `id` is not read. before: the entry that it is to stand before; NULL or all zero: at the end.
        /// id_out: its id; NULL: not wanted. What is refused late comes as ERROR.
        /// Errors: UNISONO_EINVAL (no item, not UTF-8, a control character, a duration below 0, too many addresses or ranges, a range that
        /// is none, out of order or overlaps the one before), UNISONO_ETOOBIG (a text),
        /// UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too), UNISONO_EFULL (the list, late, too, or too many calls wait for the loop),
        /// late: UNISONO_ENOTFOUND (`before` was never there). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_add_entry(IntPtr session, unisono_playlist_entry* entry, unisono_entry_id* before, unisono_entry_id* id_out);

        /// <summary>
        /// Moves an entry. before: as above. Of two who move it at once the later one counts.
        /// Errors: UNISONO_EINVAL (id NULL or all zero), UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too), UNISONO_EFULL (too many calls
        /// wait for the loop), late: UNISONO_ENOTFOUND (no such entry, as it may have been removed). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_move_entry(IntPtr session, unisono_entry_id* id, unisono_entry_id* before);

        /// <summary>
        /// Takes an entry off the playlist, for good: who moves it at the same time does not bring it back. Removing the current one stops
        /// nothing: what comes next is what stood behind it. Errors: as unisono_session_move_entry. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_remove_entry(IntPtr session, unisono_entry_id* id);

        /// <summary>
        /// The group goes to an entry: everybody gets SESSION_PLAYLIST with `current_changed`, and loads it. The group also goes on by itself, to
        /// the next one, when everybody has played the current entry's item to its end and the session's action there is
        /// UNISONO_ACTION_AT_END_ADVANCE. Errors: as unisono_session_move_entry. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_select_entry(IntPtr session, unisono_entry_id* id);

        /// <summary>
        /// The group goes on to the next entry; from nowhere, to the first. Several who ask for it at once go on by one.
        /// follows: the entry that it goes on from; is the group somewhere else by then, as another one was first, nothing happens. NULL: from
        /// wherever it is. Errors: as unisono_session_move_entry; late: UNISONO_ENOTFOUND (nothing stands behind the current entry, or `follows` is
        /// given and the group is at none yet). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_next_entry(IntPtr session, unisono_entry_id* follows);

        /// <summary>
        /// The playlist as of the last SESSION_PLAYLIST.
        /// owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_playlist(IntPtr session, unisono_playlist** owned);

        /// <summary>
        /// Says which copy this participant plays of an entry. It is compared with that of each other one who says it of the same entry, as
        /// far as both are known, and what differs is told to both by SESSION_COPY. Whoever goes on to another entry says it anew.
        /// entry: NULL or all zero: none any more. copy: copied; NULL with an entry: nothing is known of it.
        /// Errors: UNISONO_EINVAL (a duration below 0), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_copy(IntPtr session, unisono_entry_id* entry, unisono_copy* copy);

        /// <summary>
        /// Says by how much this participant's copy of an entry is ahead of the group's item time, as that of another cut is: what the group
        /// calls t is at t + offset in it. It is kept with the entry while this participant is in the session, for the last 8 entries that
        /// it was said of, and everybody sees it (`cut_offset` of unisono_participant). While the group is at that entry and this participant at
        /// its item, all item times that this host gives and gets are those of its own copy: its player stands `offset` on, and nobody else moves.
        /// While the group plays where this copy has not begun yet (before the range that its host reports, or else before 0), its player is told
        /// to be ready at its beginning, by seek or buffer, and to play when the group comes there; one whose copy has ended stands at its end.
        /// The others wait for neither.
        /// entry: NULL or all zero: the one that the group is at. offset: ns, at most 6 hours either way; 0: none. Viewers may say it, too.
        /// Errors: UNISONO_EINVAL (offset), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop), late:
        /// UNISONO_ENOTFOUND (no such entry). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_cut_offset(IntPtr session, unisono_entry_id* entry, long offset);

        /// <summary>
        /// Size and hash of a file, to be told by unisono_session_set_copy; its duration stays as `copy_out` has it. The hash is the SHA-256 of
        /// the size as 8 bytes, the most significant first, and of the file, or, if that is larger than 192 KiB, of the 64 KiB at its beginning,
        /// those from size / 2 - 32 KiB on, and the last 64 KiB. Reads from the disk, and so may block.
        /// path: 1...4,095 bytes; a regular file that is not empty. copy_out: filled by UNISONO_COPY_INIT before.
        /// Errors: UNISONO_EINVAL (no path, no regular file, an empty one), UNISONO_ENOTFOUND, UNISONO_EDENIED (it may not be read),
        /// UNISONO_EIO. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_copy_of_file(byte* path, unisono_copy* copy_out);

        /// <summary>
        /// Offers a file to the group: everybody gets SESSION_ATTACHMENT (ADDED), who comes later, too. The file is read twice: now, for its hash,
        /// and when others load it. It must stay as it is until then (else LOST). Others who have loaded it give it as well, also when this
        /// participant is gone. What is offered already is not offered twice: ADDED comes with the one that counts.
        /// path: 1...4,095 bytes; a regular file of at most 100,000,000 bytes. name: for people and as a file's name, 1...255 bytes without
        /// control characters, /, \ and :; NULL: the last part of `path`. media_type: &lt;= 127 bytes, such as "text/vtt"; NULL: not said.
        /// request_out: comes back in ADDED or FAILED; NULL: not wanted.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop). What only looking at the file
        /// tells, and that there is no room (16 of one participant, 64 in all), comes as FAILED. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_attach(IntPtr session, byte* path, byte* name, byte* media_type, ulong* request_out);

        /// <summary>
        /// The same with bytes, which are copied and kept in memory for as long as they are offered.
        /// data: NULL only with length 0. length: &lt;= 1,048,576. name: as above, not NULL.
        /// Errors: as unisono_session_attach, UNISONO_ETOOBIG. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_attach_bytes(IntPtr session, IntPtr data, UIntPtr length, byte* name, byte* media_type, ulong* request_out);

        /// <summary>
        /// What is offered to the group now, in the order in which it was offered.
        /// owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_attachments(IntPtr session, unisono_attachments** owned);

        /// <summary>
        /// Loads an attachment into a new file, from whoever has it: SESSION_ATTACHMENT with PROGRESS, then LOADED or FAILED. It goes on where it
        /// was after a lost link, a new key, and when who gave it leaves. The bytes come into `path`.XXXXXXXXXXXXXXXX.part, the first eight bytes of
        /// `id` in hexadecimal digits, are compared with `id`, and then get their name; nothing that is there is ever replaced (FAILED, EIO).
        /// That file stays when the process dies, the session ends or nobody gives the rest (ETIMEDOUT), and the next load of the same
        /// attachment to the same path, of whatever process, goes on there: its first PROGRESS says how much there was. What was there counts as the
        /// attachment only when the whole was compared; if it is not it, FORGED says so and all is loaded anew. It is removed when loading
        /// is cancelled, the attachment is taken back, or writing fails; what stays and is never loaded again is for the host to remove. It
        /// is gone on with only if it is a regular file of this user, with one name, that no other user may write, no longer than the
        /// attachment, and no other load writes it (EBUSY); else it is left as it is (FAILED, EIO; `message` says which).
        /// Four are loaded at a time, up to 60 wait. How fast it goes is up to who gives it: three quarters of what the hub reads of it (192 KiB a
        /// second by default), shared by all who load.
        /// path: 1...4,095 bytes; where the file system allows names of 255 bytes its last part has at most 233.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EFULL (too many calls wait for the loop).
        /// Late, as ERROR: UNISONO_EBUSY (it is being loaded, or 64 are), UNISONO_ENOTFOUND (taken back meanwhile). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_load_attachment(IntPtr session, unisono_attachment_id* id, byte* path);

        /// <summary>
        /// Ends loading an attachment: FAILED with ECANCELED, and the .part is removed. Nothing happens if it is not being loaded.
        /// Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_cancel_attachment(IntPtr session, unisono_attachment_id* id);

        /// <summary>
        /// Takes an attachment back, for all: who loads it gets FAILED. What was loaded stays where it is. Who offers it may, and who may command.
        /// Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EDENIED;
        /// these two also late, as ERROR. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_remove_attachment(IntPtr session, unisono_attachment_id* id);

        /// <summary>
        /// Tells the people of the group something, "Ann added a film to the list": the others get SESSION_NOTICE with this
        /// participant as originator. What playback commands do, and who comes and goes, is told by the library itself.
        /// notice: copied. text: &lt;= 255 bytes, url: &lt;= 2,047 bytes.
        /// Errors: UNISONO_EINVAL (unknown kind, rate not finite), UNISONO_ETOOBIG (a text), UNISONO_ESTATE (not joined),
        /// UNISONO_EBUSY (more than 20 in a second), UNISONO_EFULL (too many calls wait for the loop).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_post_notice(IntPtr session, unisono_notice* notice);

        /// <summary>
        /// A notice as a sentence for people, in English: "Ann paused", "Ann sought to 1:02:03", "Waiting for Ann". Its parts are
        /// in the struct, for hosts that speak another language: kind, name, amount, item_time, rate, text.
        /// notice: as received; or filled by the host with what another event says: WAITED_FOR (who is in `waiting_for` of
        /// COORDINATOR_TIMING, with its reason as `text`). name: &lt;= 255 bytes, NULL: "Somebody". What controls a terminal in what
        /// others wrote becomes a space.
        /// buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
        /// Errors: UNISONO_EINVAL (unknown kind, rate not finite, a time without its flag), UNISONO_ETOOBIG.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_notice_text(unisono_notice* notice, byte* buffer, UIntPtr* length);

        /// <summary>
        /// Asks the others to bring this session to the front: they get SESSION_FOREGROUND, with `in_background` 1 where their
        /// own session was started without a window (options.in_background), so that they open one.
        /// Errors: UNISONO_ESTATE (not joined), UNISONO_EBUSY (more than one in a second), UNISONO_EFULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_request_foreground(IntPtr session);

        /// <summary>
        /// Tells the others that the person here speaks, so that they turn their content down: SESSION_SPEAKING, and `speaking` of
        /// the participant. It stays until changed or until the link is lost; set it again then. Without a link nothing happens.
        /// speaking: 0 or 1.
        /// Errors: UNISONO_ESTATE (not joined), UNISONO_EFULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_set_speaking(IntPtr session, int speaking);

        /// <summary>
        /// Counters and clock figures of a session.
        /// out: set out-&gt;size before the call (UNISONO_SESSION_STATISTICS_INIT); no more than that is written.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_get_statistics(IntPtr session, unisono_session_statistics* @out);

        /// <summary>
        /// UNISONO_RT:
        /// The line of session time against host time: session = session_time + rate * (host - host_time), the same instant for
        /// everybody within error_bound. For shared time without media, and for pipelines that need a clock.
        /// out: set out-&gt;size before the call (UNISONO_CLOCK_INIT). With state NONE the other fields are 0.
        /// Errors: UNISONO_ESTATE (state NONE).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_session_clock(IntPtr session, unisono_clock* @out);

        /// <summary>
        /// Makes a coordinator: the group's voice to one player. It works alone until
        /// unisono_coordinator_coordinate_with_session.
        /// delegate: play, pause, seek and buffer must all be set; NULL: everything goes to the event queue. Copied.
        /// user: for the delegate's functions, and `base.user` of its events.
        /// out: end it with unisono_coordinator_destroy.
        /// Errors: UNISONO_EINVAL (a command function is missing; delegate NULL without event_queue), UNISONO_ENOMEM,
        /// UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_create(IntPtr context, unisono_playback_delegate* @delegate, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Ends a coordinator, its suspensions included; in a session this player takes part no more. The player is left as it
        /// is. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_coordinator_destroy(IntPtr coordinator);

        /// <summary>
        /// Puts the coordinator into a session, with its item, state and suspensions: a state the group has for the item counts,
        /// otherwise the coordinator's own becomes the group's.
        /// session: of the same context; NULL detaches: the coordinator goes on alone from where it is.
        /// Errors: UNISONO_EINVAL (another context's session), UNISONO_ESTATE (the session is invalidated, or the coordinator listens to an
        /// audience), UNISONO_EBUSY (the session has another coordinator).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_coordinate_with_session(IntPtr coordinator, IntPtr session);

        /// <summary>
        /// Puts a coordinator into a session beside its first one: for a second screen, or the sound of other rooms. Those of all
        /// participants that are called the same coordinate with each other, over the session's one link and with its members, roles and
        /// time; their items, states, suspensions and who is waited for are theirs alone, and so are the settings that are otherwise the
        /// session's (stall and start policy, action at the end). The playlist, chat, activity, requests to command and messages of an item
        /// follow the first one: UNISONO_AT_END_ADVANCE does nothing here, and unisono_coordinator_set_skipped_ranges is refused.
        /// Until this participant has joined the coordinator goes on alone. Who has one of this name is on the list of
        /// unisono_coordinator_other_participants; its notices say the name (`coordinator`). Otherwise as
        /// unisono_coordinator_coordinate_with_session; a coordinator that is in the session already changes its name.
        /// session: as there. name: what participants have agreed on, 1...32 bytes without control characters, compared byte by byte; NULL: the
        /// first one.
        /// Errors: UNISONO_EINVAL (also: a name without a session), UNISONO_ESTATE, UNISONO_EBUSY (the session has another coordinator of this
        /// name here), UNISONO_EFULL (8 named ones here). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_coordinate_with_session_as(IntPtr coordinator, IntPtr session, byte* name);

        /// <summary>
        /// Follows an audience: the player does what the group does, in step with it, and this device takes part in nothing. It needs no
        /// session and is in none; a player's coordinator (unisono_player_coordinator) listens just as well. Returns at once;
        /// COORDINATOR_LISTENING tells what comes of it, and what there is to play: where the event's `item` is another one than this player's,
        /// load it and transition to it. Who comes late is where the group is. A lost link is tried again by itself.
        /// What would move the group (rate changes, seeks, undo, policies) is refused with UNISONO_EDENIED, through error, and the player
        /// is not moved; a proposal of unisono_coordinator_transition_to_item counts for nothing. Commands are answered, suspensions, stalls,
        /// reports, offsets and own interstitials work as in a session, but nobody waits for this player. Other participants are those of
        /// the group who speak in the audience; other listeners are not seen.
        /// The link shows this device's address to the hub, and a name to nobody.
        ///
        ///     static void on_listening(void *user, const unisono_listening_event *event) {
        ///       if (event-&gt;status == UNISONO_LISTENING_OVER) { show(event-&gt;reason); return; }
        ///       if (event-&gt;item == NULL || is_loaded(user, event-&gt;item) || !load(user, event-&gt;item)) return;
        ///       unisono_coordinator_transition_to_item((unisono_coordinator *)event-&gt;base.source, event-&gt;item, NULL);
        ///     }
        ///     delegate.listening_changed = on_listening;
        ///     unisono_coordinator_create(context, &amp;delegate, my_player, &amp;coordinator);
        ///     unisono_coordinator_listen(coordinator, link);
        ///
        /// link: the text from unisono_session_audience_link; 1...4,095 bytes; as it was pasted will do, as for unisono_session_open. Copied.
        /// Errors: UNISONO_EINVAL (unisono_last_error says which part of the link; an invite, which is for unisono_session_open), UNISONO_EVERSION
        /// (made by a newer library), UNISONO_ESTATE (in a session: detach it first; listening already: stop first). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_listen(IntPtr coordinator, byte* link);

        /// <summary>
        /// Ends listening: the coordinator acts alone again, with what plays, from where it is. Where it does not listen, or not any more
        /// (OVER): OK, nothing happens.
        /// Errors: none of its own. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_stop_listening(IntPtr coordinator);

        /// <summary>
        /// Tells the host that speaks to the audience that this device's person wants to speak, so that a host may invite it. The answer is
        /// COORDINATOR_INVITED, or none; nothing tells whether a host saw it. Its `invite` is as good as any (ask the person again, it may
        /// have taken long):
        ///
        ///     static void on_invited(void *user, const unisono_invite_event *event) {
        ///       unisono_session_open(context, event-&gt;invite, &amp;options, &amp;callbacks, user, &amp;session);
        ///       unisono_coordinator_stop_listening(coordinator);
        ///       unisono_coordinator_coordinate_with_session(coordinator, session);
        ///       unisono_session_join(session);
        ///     }
        ///
        /// Who leaves the session again may listen again. Asked without a link it is said once there is one. Hosts see an id that is new with
        /// each unisono_coordinator_listen, and `text`.
        /// text: 1...255 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing; NULL: nothing is said.
        /// Errors: UNISONO_EINVAL (not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (it does not listen), UNISONO_EBUSY (less than
        /// 5 s after the last time; the message says in how many seconds it may be again), UNISONO_EFULL (too many calls wait for the loop). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_ask_to_speak(IntPtr coordinator, byte* text);

        /// <summary>
        /// Says something in writing to the host that speaks to the audience, and to nobody else. Of many who do at once hosts are told 50 in a
        /// second. Nothing tells whether they were. Said without a link it is said once there is one, but for what was said since.
        /// text: as for unisono_coordinator_ask_to_speak, but not NULL. Whoever has the listening link and keeps what is on the wire can read it.
        /// Errors: as unisono_coordinator_ask_to_speak; the 5 s of each are its own. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_say_to_hosts(IntPtr coordinator, byte* text);

        /// <summary>
        /// Reacts to what the audience hears: the hub counts who did so in the last 10 s, each listener once, by its newest reaction. Who speaks to
        /// the audience is told the counts (SESSION_AUDIENCE), and all who listen are, to two digits (COORDINATOR_LISTENING); nobody is told who
        /// reacted. Without a link nobody counts it.
        /// reaction: one of `reactions` of COORDINATOR_LISTENING.
        /// Errors: UNISONO_EINVAL (NULL, none of these), UNISONO_ETOOBIG (more than 32 bytes), UNISONO_ESTATE (it does not listen), UNISONO_EBUSY
        /// (less than 1 s after the last time), UNISONO_EFULL (too many calls wait for the loop). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_react(IntPtr coordinator, byte* reaction);

        /// <summary>
        /// The player goes to another item. The group's state for it, where there is one, is applied; otherwise the proposal
        /// becomes it.
        /// identifier: what the group compares, byte by byte, 1...1,023 bytes; NULL: nothing plays.
        /// proposal: rate 0 or -16...16, item_time, and with UNISONO_HAS_HOST_TIME the host_time at which it holds (else: now);
        /// NULL: paused at 0. What unisono_coordinator_timing gave is a good proposal.
        /// Errors: UNISONO_EINVAL (also: host_time without its flag, a flag that is none).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_transition_to_item(IntPtr coordinator, byte* identifier, unisono_timing* proposal);

        /// <summary>
        /// The current item's identifier as text; "" with length 1: none.
        /// buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
        /// Errors: UNISONO_ETOOBIG.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_current_item(IntPtr coordinator, byte* buffer, UIntPtr* length);

        /// <summary>
        /// The user plays, pauses (rate 0) or changes the speed. Play first lets everybody prepare; pause is at once.
        /// rate: 0, or -16...16.
        /// options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
        /// Errors: UNISONO_EINVAL (not a number, out of range, unknown option bits), UNISONO_ESTATE (no item), UNISONO_EDENIED
        /// (late too).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_coordinate_rate_change(IntPtr coordinator, double rate, uint options);

        /// <summary>
        /// The user goes to another position. While playing, everybody prepares there first.
        /// item_time: ns; anything but UNISONO_TIME_INVALID and UNISONO_TIME_INDEFINITE.
        /// options: 0, or UNISONO_SEEK_RESUME_IMMEDIATELY: go on there without waiting.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item), UNISONO_EDENIED (late too).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_coordinate_seek(IntPtr coordinator, long item_time, uint options);

        /// <summary>
        /// The user takes the last jump back: everybody goes to where the group was when somebody, whoever it was, went to another
        /// position of the current item; once more, and they are where that jump led. Jumps within two seconds of each other are one.
        /// Errors: UNISONO_ESTATE (no item; late: nobody jumped since this participant is on the item), UNISONO_EDENIED (late too).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_undo_jump(IntPtr coordinator);

        /// <summary>
        /// The player has done what a command asked. Superseded, repeated and overdue ones are OK and counted. Overdue is what was
        /// not done by its due_host_time or, without one, ten seconds after the first command that the player neither completed nor
        /// reports to have done (at its rate; twelve, however many follow): this device is then suspended (stall-recovery), for all to
        /// see, until it completes or the next command, for which it has two seconds.
        /// command_id: `id` of the command.
        /// Errors: UNISONO_ENOTFOUND (never issued by this coordinator).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_complete(IntPtr coordinator, ulong command_id);

        /// <summary>
        /// The player cannot do what a command asked; the others see this device as suspended until the next command
        /// (COORDINATED_PLAYBACK_NOT_POSSIBLE), and `status` as its `failure`.
        /// command_id: `id` of the command. status: why; negative.
        /// Errors: UNISONO_EINVAL (status not negative), UNISONO_ENOTFOUND (never issued by this coordinator).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_fail(IntPtr coordinator, ulong command_id, int status);

        /// <summary>
        /// Commands the present state once more, as after a change of route or a player that lost its mind.
        /// Errors: UNISONO_ESTATE (no item).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_reapply_current_item_state(IntPtr coordinator);

        /// <summary>
        /// UNISONO_RT:
        /// Where this player should be at a host time, its own output offset included. Paused or waiting: the group's position;
        /// before a new anchor's host time the old line holds; while suspended it is still the group's.
        /// host_time: ns, past or future. out: ns; UNISONO_TIME_INVALID on failure.
        /// Errors: UNISONO_EINVAL (host_time UNISONO_TIME_INVALID), UNISONO_ESTATE (no item, or no timing for it).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_expected_item_time(IntPtr coordinator, long host_time, long* @out);

        /// <summary>
        /// UNISONO_RT:
        /// The newest line: position(h) = item_time + rate * (h - host_time), own output offset included.
        /// out: set out-&gt;size before the call (UNISONO_TIMING_INIT).
        /// Errors: UNISONO_ESTATE (state NONE).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_timing(IntPtr coordinator, unisono_timing* @out);

        /// <summary>
        /// This player takes no part for a while: the group goes on, and commands of its user act on it alone.
        /// reason: UNISONO_REASON_... or the application's own, 1...127 bytes; the others see it.
        /// out: end it with unisono_suspension_end or _end_proposing, and in any case with unisono_suspension_destroy.
        /// Errors: UNISONO_EINVAL, UNISONO_EFULL (64 are open), UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_begin_suspension(IntPtr coordinator, byte* reason, IntPtr* @out);

        /// <summary>
        /// Ends a suspension; with the last one the player rejoins where the group is. The handle stays for reads until
        /// destroyed.
        /// Errors: UNISONO_ESTATE (ended before).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_suspension_end(IntPtr suspension);

        /// <summary>
        /// Ends a suspension and asks the group to go to a position; its rate stays as it is.
        /// item_time: ns; UNISONO_TIME_INVALID: as unisono_suspension_end.
        /// Errors: UNISONO_EINVAL (UNISONO_TIME_INDEFINITE), UNISONO_ESTATE (ended before), UNISONO_EDENIED (late).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_suspension_end_proposing(IntPtr suspension, long item_time);

        /// <summary>
        /// The reason as given.
        /// buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 128 bytes always suffice.
        /// Errors: UNISONO_ETOOBIG.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_suspension_reason(IntPtr suspension, byte* buffer, UIntPtr* length);

        /// <summary>When the suspension began, host time ns.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_suspension_begin_time(IntPtr suspension, long* host_time_out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Ends the suspension, without proposal, if it is open, and the handle. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_suspension_destroy(IntPtr suspension);

        /// <summary>
        /// Reasons of the open suspensions, the library's own included, oldest first.
        /// owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
        /// Errors: UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_suspension_reasons(IntPtr coordinator, byte*** owned, UIntPtr* count);

        /// <summary>
        /// Starts wait for participants suspended for these reasons, up to the participant and wait limits. Replaces; none at
        /// first.
        /// reasons: each 1...127 bytes; may be NULL with count 0. count: 0...64.
        /// Errors: UNISONO_EINVAL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_waiting_reasons(IntPtr coordinator, byte** reasons, UIntPtr count);

        /// <summary>
        /// How large a session may be for a start to wait for this reason.
        /// reason: 1...127 bytes. limit: participants in the session, inclusive; 0: never wait; UINT32_MAX: no limit.
        /// Errors: UNISONO_EINVAL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_participant_limit(IntPtr coordinator, byte* reason, uint limit);

        /// <summary>Whether a pause made here takes everybody to the exact position of this player. 0: no (the default).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_pause_snaps_to_originator(IntPtr coordinator, int snaps);

        /// <summary>
        /// Whether this player gets ready while the group pauses, so that the next play need not wait for it to be asked and to answer:
        /// among players that all do, a play begins the way there and back sooner. Once a pause has lasted for half a second the host
        /// is given a buffer command without due_host_time (INVALID), cause UNKNOWN, at the place where it stands, and completes it when it
        /// could start there, however late; until then, and after whatever moves it, its group waits for it as ever. Nothing is shown
        /// to people meanwhile. Not among more than 16 on one item, and not with an output offset.
        /// 0: no (the default). unisono_player does it by itself. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_prepares_ahead(IntPtr coordinator, int prepares);

        /// <summary>
        /// How long a start that is asked for here waits at most.
        /// limit: ns, 0...600 s; 0: do not wait. 10 s unless set.
        /// Errors: UNISONO_EINVAL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_wait_limit(IntPtr coordinator, long limit);

        /// <summary>
        /// Whether the running group waits when somebody's player stalls (reports stalled): everybody stands at one position, sees
        /// for whom and why (timing change, cause STALL), and all go on together when it is ready, or without it after the limit.
        /// A third stall of the same one within a minute stops nobody: it is suspended (stall-recovery) until it runs again.
        ///
        /// One setting of the whole session, not of this participant: the newest counts, whoever made it, and newcomers find it.
        /// Made before the session was joined, it counts only if the session has none. Off unless set.
        /// policy: copied; NULL: off. debounce: a shorter stall stops nobody, 0...60 s, 0: 300 ms. limit: 0...600 s, 0: 10 s.
        /// Errors: UNISONO_EINVAL, UNISONO_ENOTSUP; refused later (error event): UNISONO_EDENIED, this participant may not command.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_stall_policy(IntPtr coordinator, unisono_stall_policy* policy);

        /// <summary>
        /// What happens when the item has been played to its end (AVPlayer's actionAtItemEnd, for the group).
        ///
        /// One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and newcomers
        /// find it. Made before the session was joined, it counts only if the session has none. ADVANCE unless set. What counts is what
        /// this device knows when its own copy ends.
        /// ADVANCE: the player layer goes on to the next item of its own queue; a host without it does so itself
        /// (unisono_coordinator_transition_to_item). Where all of the item have ended and nobody goes on, the group is paused there.
        /// PAUSE: nobody goes on by itself; once all have ended the group is paused there, cause ENDED.
        /// NONE: nothing is paused and nobody goes on: the renderer stands at the end, the rate stays, and what is asked next begins at
        /// once. To play in a loop, seek to the beginning when the item has ended (PLAYER_ITEM_ENDED), on one device.
        /// action: a unisono_action_at_end.
        /// Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_action_at_end(IntPtr coordinator, ActionAtEnd action);

        /// <summary>
        /// What happens at the end of an item: a unisono_action_at_end, of the session this coordinator is in.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_action_at_end(IntPtr coordinator);

        /// <summary>
        /// Which ranges of entries of the playlist the group leaves out: intros, recaps, credits.
        ///
        /// One setting of the whole session, as unisono_coordinator_set_action_at_end; none unless set. When the group plays the item of the
        /// entry that it is at (unisono_session_select_entry) into such a range, forwards, all go on at its end at once: a seek and a play of
        /// cause RANGE, and notice RANGE_SKIPPED. unisono_coordinator_undo_jump takes it back; a range that was jumped into, as by that, plays.
        /// Two that follow each other at once are left out as one; one that ends with the entry goes on like the entry's end.
        /// kinds: bits of unisono_range_kind; 0: none.
        /// Errors: UNISONO_EINVAL (another bit); refused later (error event): UNISONO_EDENIED, this participant may not command.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_skipped_ranges(IntPtr coordinator, uint kinds);

        /// <summary>
        /// What is left out, as bits of unisono_range_kind, of the session this coordinator is in.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_skipped_ranges(IntPtr coordinator);

        /// <summary>
        /// Ranges of the own copy of an item that are not the group's: advertisements that were cut in, notices of the law.
        ///
        /// Every participant may have its own, at other places and of other lengths; nobody else is told which. The group's time line leaves
        /// them out, and all times to and from this coordinator's host, or player, are those of the own copy: the library shifts them. When
        /// playback comes into a range this participant is apart (suspension UNISONO_REASON_PLAYING_INTERSTITIAL: the suspensions event says so,
        /// and when it is over) and its player runs on through it; then it is where the group is by then, in one step. Starts wait for it only
        /// by unisono_coordinator_set_waiting_reasons. Alone on the item nothing is missed: it goes on from the range's end. A seek into a
        /// range, anybody's, lands on its beginning; what was jumped over is not shown, and backwards a range is passed over. In a range the own
        /// rate changes and seeks within it are the own player's alone; a seek out of it is the group's. A report with the position keeps a range
        /// that stalls from ending early.
        /// identifier: the item; kept for the 64 items given last, so that it can be given before the transition. Given while the item is
        /// current a range that the own player is in is over, and it is commanded anew where the same place is another one.
        /// ranges: in any order, count of them, at most 64; NULL with 0: none. Those that touch count as one. None ends behind the copy's end.
        /// Errors: UNISONO_EINVAL (no identifier, too many, a range that ends where it begins or before, or overlaps another).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_interstitials(IntPtr coordinator, byte* identifier, unisono_interstitial* ranges, UIntPtr count);

        /// <summary>
        /// Which starts wait for persons, and what happens when one leaves.
        ///
        /// One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and newcomers
        /// find it. Made before the session was joined, it counts only if the session has none. AT_ONCE and GO_ON unless set.
        /// A start that waits for persons waits for all who are at the item when it is asked for and have not said that they are ready, or
        /// say that they are not (unisono_coordinator_set_ready), for `limit` at most; who asks for it is not waited for, and alone nothing
        /// waits. What it waits for stays as it was when the start was asked for, whatever the policy becomes. waiting_for names them with
        /// UNISONO_REASON_NOT_READY; unisono_coordinator_start_without goes on without them. Who is left behind by the limit is told as
        /// notice LEFT_WAITING.
        /// Leaving is saying goodbye, or being off the list of participants after the connection was lost. The pause is told with the cause
        /// LEFT and who left as its originator; who acts between the loss and that has decided, and nothing is paused.
        /// Devices of one person (context option `person`) count once: ready if one says so and none says NOT_READY, gone with the last.
        /// policy: copied; NULL: AT_ONCE, GO_ON. limit: 0...600 s, 0: 60 s.
        /// Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_start_policy(IntPtr coordinator, unisono_start_policy* policy);

        /// <summary>
        /// The start policy of the session that this coordinator is in.
        /// out: written as far as its `size` goes. Errors: UNISONO_EINVAL (NULL, size). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_get_start_policy(IntPtr coordinator, unisono_start_policy* @out);

        /// <summary>
        /// This device's person says that it is ready, or not; everybody sees it (`readiness` of unisono_participant), and starts may
        /// wait for it (unisono_coordinator_set_start_policy). It stands until it is said otherwise, or this device leaves its item.
        /// Everybody may say it, viewers too.
        /// Errors: UNISONO_EINVAL (no unisono_readiness). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_ready(IntPtr coordinator, Readiness readiness);

        /// <summary>
        /// The start that waits for persons goes on without those of some participants, or without waiting for any person. Players are
        /// still waited for.
        /// participants: whose persons are not waited for; may be NULL with count 0. count: 0...16; 0: nobody is waited for, and so it is
        /// where more than 15 were named for the same start.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item; late: no start waits for persons), UNISONO_EDENIED (late). @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_start_without(IntPtr coordinator, unisono_participant_id* participants, UIntPtr count);

        /// <summary>
        /// How late this device's output is heard or seen (receiver, Bluetooth): it is commanded that far ahead.
        /// offset: ns, -5...5 s; positive: ahead.
        /// Errors: UNISONO_EINVAL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_set_output_offset(IntPtr coordinator, long offset);

        /// <summary>
        /// Where the player really is. Optional, at any pace; the others see the newest, at most ten a second.
        ///
        /// stalled: it should run and lacks data (see unisono_coordinator_set_stall_policy); say so again with 0 when it runs.
        /// earliest, latest: what the player can reach at the moment: 0 and the duration, or the window of a live item whose item
        /// times are dates of the content (ns since 1970, say). This host is never sent outside of it; when the edge of a live item
        /// moves, report it: a position that was out of reach is commanded once it is within. Standing (rate 0, not stalled) at
        /// the latest position, or backwards at the earliest, means that the item has ended here: once it has for everybody who
        /// takes part, the group is paused there.
        ///
        /// rate: what the player does. One that says otherwise than it was told, by more than a correction (10 %), and does not stall,
        /// is commanded again (UNISONO_CAUSE_REAPPLY), three times in 30 s at most; after that it is suspended
        /// (COORDINATED_PLAYBACK_NOT_POSSIBLE) until the next command, or until it does as it was told. Whoever is stopped for a
        /// reason (a call, headphones that are pulled) begins a suspension before it says so.
        /// report: copied.
        /// Errors: UNISONO_EINVAL (a rate that is no number, latest before earliest, a time without its flag, a flag that is
        /// none), UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_report(IntPtr coordinator, unisono_playback_report* report);

        /// <summary>
        /// Wish or echo? A player with controls of its own (a window with a time line, a remote) says "paused" when a person pressed
        /// space, and just the same when its host paused it because a command said so. Pass on here what it says of itself. 1: a
        /// person did it. Then set the player back to what it was commanded, and ask the group; commands follow, if it agrees. 0: the
        /// echo of a command, or nothing new.
        ///
        /// A change is an echo when it is what the player was commanded, up to 300 ms late where a newer command has replaced that;
        /// what it says again is no change. Give the value as it is now if the player can be asked, not an older one out of an event.
        /// RUNNING and RATE: as the player says. RATE is the same within 0.001.
        /// SEEKING: 1 when it says that it begins to go somewhere: a person's, if no commanded seek is under way or was asked for
        /// within 300 ms, unless the host has said that it is over (expect_motion). 0 when it is there: 1 is returned when it was the person who took it there; ask the group to follow.
        /// On the player layer the library knows what the renderer was commanded; here coordinator is the player's
        /// (unisono_player_coordinator). Other hosts say it with unisono_coordinator_expect_motion.
        /// motion: what value is of.
        /// Errors: UNISONO_EINVAL (no motion, a value that is no number).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_is_wish(IntPtr coordinator, Motion motion, double value);

        /// <summary>
        /// This host commands its player, which will say so: that is not to be taken for a person's wish. Call it before each thing
        /// that your player is told: RUNNING 0 or 1, another RATE, SEEKING 1, and SEEKING 0 once that seek is over and the player
        /// has said so, or is not going to: what begins from then on is a person's. It is given up by itself after 10 s. It stands, at the rate 1, in the beginning. Over the player layer it is needed only for
        /// what the renderer does to itself beyond its commands.
        /// motion: what value is of.
        /// Errors: UNISONO_EINVAL (no motion, a value that is no number).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_expect_motion(IntPtr coordinator, Motion motion, double value);

        /// <summary>
        /// The others in the session, sorted by id.
        /// owned: a snapshot; end it with unisono_free.
        /// Errors: UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_other_participants(IntPtr coordinator, unisono_participants** owned);

        /// <summary>
        /// Whom a start is waiting for, and why ("" = still preparing).
        /// owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
        /// Errors: UNISONO_ENOMEM.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_waiting_for(IntPtr coordinator, unisono_waiting_for** owned, UIntPtr* count);

        /// <summary>
        /// Counters of a coordinator.
        /// out: set out-&gt;size before the call (UNISONO_COORDINATOR_STATISTICS_INIT); no more than that is written.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_coordinator_get_statistics(IntPtr coordinator, unisono_coordinator_statistics* @out);

        /// <summary>
        /// UNISONO_RT:
        /// Of TIMER. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_timer_event* unisono_event_timer(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of OVERFLOW. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_overflow_event* unisono_event_overflow(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of ERROR. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_error_event* unisono_event_error(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of LOG. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_log_event* unisono_event_log(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_STATE. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_session_state_event* unisono_event_session_state(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_ACTIVITY. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_activity_event* unisono_event_activity(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_PARTICIPANTS, COORDINATOR_PARTICIPANTS. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_participants_change* unisono_event_participants(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_MESSAGE. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_message* unisono_event_message(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_NOTICE. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_notice_event* unisono_event_notice(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_FOREGROUND, SESSION_SPEAKING. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_participant_event* unisono_event_participant(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_INVITE, COORDINATOR_INVITED. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_invite_event* unisono_event_invite(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_SUCCESSION. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_succession_event* unisono_event_succession(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_REQUEST. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_request_event* unisono_event_request(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_IGNORED. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_ignored_event* unisono_event_ignored(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_CLOCK_DOUBT. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_clock_doubt_event* unisono_event_clock_doubt(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_SPLIT. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_split_event* unisono_event_split(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_HUB_DOUBT. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_hub_doubt_event* unisono_event_hub_doubt(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_CHAT. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_chat_event* unisono_event_chat(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_PLAYLIST. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_playlist_event* unisono_event_playlist(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_COPY. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_copy_event* unisono_event_copy(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_SCHEDULE. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_schedule_event* unisono_event_schedule(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_AUDIENCE. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_audience_event* unisono_event_audience(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_LISTENER. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_listener_event* unisono_event_listener(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of COORDINATOR_LISTENING. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_listening_event* unisono_event_listening(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_ATTACHMENT. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_attachment_event* unisono_event_attachment(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SESSION_CONSENT, SESSION_ACTIVATION. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_activation_event* unisono_event_activation(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of COORDINATOR_PLAY, COORDINATOR_PAUSE, COORDINATOR_SEEK, COORDINATOR_BUFFER. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_command* unisono_event_command(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of COORDINATOR_SUSPENSIONS. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_suspensions_change* unisono_event_suspensions(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of COORDINATOR_TIMING. @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_timing_change* unisono_event_timing(unisono_context_event* @event);

        /// <summary>
        /// A player over the host's renderer: it asks the group before it plays, follows the group's commands, keeps in step
        /// by small changes of speed and, where those cannot help, by seeks. It has a coordinator of its own: see
        /// unisono_player_coordinator.
        /// renderer: copied. load, play, pause, seek and stop must be there, or, with event_queue, all may be NULL: then every
        /// command is a RENDERER_... event. NULL with event_queue: a renderer without capabilities, all of it in events.
        /// renderer_user: for the renderer's functions, and `base.user` of its events.
        /// callbacks: who hears of the player, first of its present state (item state, rate, time control); copied. NULL: the
        /// event queue, or read with the getters. user: for them, and `base.user` of their events.
        /// out: end it with unisono_player_destroy.
        /// Errors: UNISONO_EINVAL (a function is missing, unknown capabilities, nudge_limit outside 0...0.1, a negative
        /// dead_band), UNISONO_ENOMEM, UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_create(IntPtr context, unisono_renderer* renderer, IntPtr renderer_user, unisono_player_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Gives the player up: the handle is closed at once, but for unisono_player_report while a surface of the player lives.
        /// Then, or when the last surface is destroyed, the renderer is stopped, an open seek is answered, and `released` comes
        /// (in the event queue RELEASED, for all of them).
        /// NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_player_destroy(IntPtr player);

        /// <summary>
        /// The player's coordinator: for unisono_coordinator_coordinate_with_session, unisono_coordinator_listen, settings, suspensions,
        /// reading, unisono_coordinator_undo_jump, _set_ready and _start_without. Its timing, participants and suspensions come as events
        /// where there is an event queue; COORDINATOR_LISTENING comes to `listening_changed` of the player's callbacks, COORDINATOR_INVITED to
        /// `invited`, else to the event queue, too. Transport goes through the player, not through it.
        /// borrowed: lives as long as the player; unisono_coordinator_destroy on it does nothing, with a log line.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_coordinator(IntPtr player, IntPtr* borrowed);

        /// <summary>
        /// Puts an item into the queue. The first one becomes current and is loaded; the others disturb nobody before their
        /// turn.
        /// item: copied. after: identifier of an item in the queue; NULL: at the end.
        /// Errors: UNISONO_EINVAL (no identifier, negative times), UNISONO_ENOTFOUND (after is not in the queue; late while
        /// changes are pending), UNISONO_EFULL (1,024 items), UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_insert_item(IntPtr player, unisono_player_item* item, byte* after);

        /// <summary>
        /// Takes an item out of the queue; of the current one it goes on to the next.
        /// identifier: 1...1,023 bytes.
        /// Errors: UNISONO_ENOTFOUND (late while changes are pending: then nothing happens).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_remove_item(IntPtr player, byte* identifier);

        /// <summary>
        /// Goes on to the next item, playing where this one played once nobody has said otherwise; without a next one nothing
        /// plays. Others stay where they are: everybody advances for itself, as players do at the end of an item by
        /// themselves, unless the session has another action there (unisono_coordinator_set_action_at_end).
        /// Errors: UNISONO_ESTATE (there is no current item).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_advance(IntPtr player);

        /// <summary>
        /// Makes an item the current one; the queue behind it stays. The group's state of that item counts; where it has none
        /// it is paused at start_time.
        /// item: copied; NULL: nothing plays.
        /// Errors: UNISONO_EINVAL, UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_replace_current_item(IntPtr player, unisono_player_item* item);

        /// <summary>
        /// Asks the group to play at the default rate. Everybody prepares, then all start together.
        /// options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
        /// Errors: UNISONO_EINVAL (unknown option bits), UNISONO_ESTATE (no current item; late: an interstitial plays),
        /// UNISONO_EDENIED (late).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_play(IntPtr player, uint options);

        /// <summary>
        /// Asks the group to pause, at once.
        /// Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_pause(IntPtr player);

        /// <summary>
        /// Asks the group for a rate; from a pause that is a play at this rate, 0 is a pause.
        /// rate: -16...16; one that this renderer cannot play or fails to play keeps this player apart, paused, with the reason
        /// coordinated-playback-not-possible and a RATE event of 0 (SET_RATE_FAILED), until the next command.
        /// options: 0; UNISONO_RATE_PLAY_IMMEDIATELY: without waiting, as in unisono_player_play; UNISONO_RATE_AS_DEFAULT: asks
        /// nobody and changes nothing that plays: this is the rate of unisono_player_play and of surfaces from now on (1 unless
        /// set; not 0). Not both.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; not with UNISONO_RATE_AS_DEFAULT), UNISONO_EDENIED (late).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_set_rate(IntPtr player, double rate, uint options);

        /// <summary>
        /// Asks the group to seek. Answered by one SEEK_DONE: UNISONO_OK when this player stands or plays there,
        /// UNISONO_ECANCELED when a newer seek (of this player or of somebody else), another item or the end of the player
        /// came first.
        /// item_time: ns; held inside the item. tolerance_before, tolerance_after: ns, &gt;= 0, how far off this renderer may
        /// land where that is faster; UNISONO_TIME_INDEFINITE: any; they count while paused, for a common start everybody is
        /// exact.
        /// request: its number in SEEK_DONE, never 0; set before the answer can come; may be NULL.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (in SEEK_DONE).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_seek(IntPtr player, long item_time, long tolerance_before, long tolerance_after, ulong* request);

        /// <summary>
        /// A person takes hold of the slider: this player stands, apart from the group (user-is-changing-current-time).
        /// Errors: UNISONO_ESTATE (no current item; late: scrubbing already).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_begin_scrub(IntPtr player);

        /// <summary>
        /// The slider moves: this player alone shows that position, one seek at a time, the newest always.
        /// item_time: ns; held inside the item.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (late: scrubbing has not begun).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_scrub_to(IntPtr player, long item_time);

        /// <summary>
        /// The slider is released.
        /// commit: 1: the group goes where it was left; 0: back to where the group is.
        /// Errors: UNISONO_ESTATE (late: scrubbing has not begun).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_end_scrub(IntPtr player, int commit);

        /// <summary>
        /// "What did they say": this player alone goes back, plays faster, and falls in with the group again by itself.
        /// back: ns, &gt; 0. rate: how fast, 0: 2; at least a quarter faster than the group plays.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; late: not loaded, or apart already).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_replay(IntPtr player, long back, double rate);

        /// <summary>
        /// Whether it plays: a unisono_time_control.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_time_control(IntPtr player);

        /// <summary>
        /// Why it waits: a unisono_waiting_reason; UNISONO_WAITING_NONE while it does not.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_waiting_reason(IntPtr player);

        /// <summary>
        /// Whether the current item can be played: a unisono_item_state.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_item_state(IntPtr player);

        /// <summary>
        /// Where the player was last known to be; never asks the renderer.
        /// item_time, host_time: position and when it held; UNISONO_TIME_INVALID on failure.
        /// Errors: UNISONO_ESTATE (nothing is loaded).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_current_time(IntPtr player, long* item_time, long* host_time);

        /// <summary>
        /// Another sound has taken over (a call): this player stands, apart from the group (audio-session-interrupted).
        /// Errors: UNISONO_ESTATE (late: one is open).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_begin_interruption(IntPtr player);

        /// <summary>
        /// The interruption is over.
        /// should_resume: 1: this player joins the group again; 0: it stays apart until unisono_player_play.
        /// Errors: UNISONO_ESTATE (late: none is open).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_end_interruption(IntPtr player, int should_resume);

        /// <summary>
        /// Something else plays on another renderer (an advertisement): the main item stands (playing-interstitial), its
        /// timeline is untouched.
        /// Errors: UNISONO_ESTATE (late: one is open).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_begin_interstitial(IntPtr player);

        /// <summary>
        /// The interstitial is over: this player joins the group where that is now.
        /// Errors: UNISONO_ESTATE (late: none is open).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_end_interstitial(IntPtr player);

        /// <summary>
        /// The person's own volume. The renderer gets it times what ducking leaves.
        /// volume: 0...1; 1 unless set.
        /// Errors: UNISONO_EINVAL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_set_volume(IntPtr player, double volume);

        /// <summary>
        /// What the renderer has to say: answers to its commands, with their `request`, and what happens by itself. Where it
        /// tells positions itself (now is NULL), ten POSITIONs a second while it plays. Answers to an older load are ignored.
        /// report: copied.
        /// Errors: UNISONO_EINVAL (an unknown state, seekable_end before seekable_start, a time without its flag, a flag that is
        /// none), UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_report(IntPtr player, unisono_renderer_report* report);

        /// <summary>
        /// How far the player was from the group, and what was done about it.
        /// out: set out-&gt;size before the call (UNISONO_PLAYER_STATISTICS_INIT); no more than that is written. Skews are
        /// UNISONO_TIME_INVALID before the first measurement.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_player_get_statistics(IntPtr player, unisono_player_statistics* @out);

        /// <summary>
        /// A place where the player is shown and controlled: several may share one player, which lives while any of them does.
        /// The present state is delivered first (SURFACE_CHANGED).
        /// callbacks: copied; NULL: events, where there is a queue. user: for them. out: end it with unisono_surface_destroy.
        /// Errors: UNISONO_EINVAL (unknown kind), UNISONO_ENOMEM, UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_create(IntPtr player, SurfaceKind kind, unisono_surface_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Ends a surface; an open skip is not answered any more. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_surface_destroy(IntPtr surface);

        /// <summary>
        /// The surface is about to be shown (picture in picture or full screen begins): WILL_BEGIN comes.
        /// Errors: UNISONO_ESTATE (it is shown already).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_begin(IntPtr surface);

        /// <summary>
        /// The surface is about to go. Picture in picture and full screen first get RESTORE, to bring the window back:
        /// WILL_END comes after unisono_surface_complete_restore, or after 2 s; its status is UNISONO_OK when the window was
        /// restored, else UNISONO_ECANCELED (restored = 0) or UNISONO_ETIMEDOUT. For others WILL_END comes at once.
        /// A player whose inline surface has begun once is out of sight while none of its surfaces is shown. If its renderer
        /// then stops by itself (PAUSED, request 0) that is no stall: the rate changes to 0 with the reason BACKGROUNDED, and this
        /// player stands apart (user-action-required) until a surface begins, the renderer runs again, or its person plays.
        /// Errors: UNISONO_ESTATE (it is not shown).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_end(IntPtr surface);

        /// <summary>
        /// The button of the surface: 1 plays at the default rate, 0 pauses, for the group.
        /// Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late, at the player).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_set_playing(IntPtr surface, int playing);

        /// <summary>
        /// The skip button: seeks by so much, for the group. Answered by one SKIPPED.
        /// interval: ns, signed. request: its number in SKIPPED; may be NULL.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_skip_by(IntPtr surface, long interval, ulong* request);

        /// <summary>
        /// What a progress bar shows.
        /// start: UNISONO_TIME_INVALID: nothing to play. duration: ns; UNISONO_TIME_INDEFINITE: live;
        /// UNISONO_TIME_INVALID: not known (yet).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_time_range(IntPtr surface, long* start, long* duration);

        /// <summary>Whether the button shows "play": 1 paused, 0 playing or waiting to.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_is_paused(IntPtr surface);

        /// <summary>
        /// The surface has another size; the renderer is told the newest of any surface.
        /// width, height: pixels, 0...65,535.
        /// Errors: UNISONO_EINVAL.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_set_render_size(IntPtr surface, int width, int height);

        /// <summary>
        /// Answers RESTORE.
        /// request: of that event. restored: 1: the window is back, 0: it could not be restored.
        /// Errors: UNISONO_ESTATE (that request is not open; it may have timed out).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_surface_complete_restore(IntPtr surface, ulong request, int restored);

        /// <summary>
        /// UNISONO_RT:
        /// Of PLAYER_.... @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_player_event* unisono_event_player(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of RENDERER_.... @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_renderer_command* unisono_event_renderer(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_RT:
        /// Of SURFACE_.... @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_surface_event* unisono_event_surface(unisono_context_event* @event);

        /// <summary>
        /// UNISONO_WAITS:
        /// Starts a hub: it passes sealed messages on and can read none of them. Bound before this function returns. Who comes from this
        /// machine or its networks may open rooms at it, others only if options-&gt;open says so; a room that is open is entered from anywhere.
        /// options: NULL: every interface, a free port. Copied.
        /// callbacks: copied; NULL: none. user: for them.
        /// out: end it with unisono_hub_destroy.
        /// Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ENETWORK (an address is in use or cannot be parsed),
        /// UNISONO_ENOMEM, UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_hub_create(IntPtr context, unisono_hub_options* options, unisono_hub_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Stops a hub; the sessions on it look for another. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_hub_destroy(IntPtr hub);

        /// <summary>
        /// The line by which sessions use the hub (`hub` of unisono_session_options): "unisono-hub://host:port/id", one for each address that
        /// others can reach it at. The id is what the hub at that address has to prove: hubs have another one each time they are made.
        /// index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
        /// Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_hub_line(IntPtr hub, UIntPtr index, byte* buffer, UIntPtr* length);

        /// <summary>
        /// Counters of a hub.
        /// out: set out-&gt;size before the call (UNISONO_HUB_STATISTICS_INIT); no more than that is written.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_hub_get_statistics(IntPtr hub, unisono_hub_statistics* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Says on the local network that this device is here, and takes asks. Bound before this function returns.
        /// A machine without a network that takes multicast is told by an ERROR event (UNISONO_ENETWORK, operation
        /// "unisono_advertiser_create"); interfaces may come and go. Other devices can still type one of
        /// unisono_advertiser_address.
        /// session: others may ask to join it; it stops advertising when the session is over. NULL: others may ask this device to
        /// come into theirs. service: copied. callbacks: copied; NULL, or a NULL function: the event queue. user: for callbacks.
        /// out: end it with unisono_advertiser_destroy; it says goodbye.
        /// Errors: UNISONO_EINVAL (the service is not declared right; a session of another context; no callbacks and no event
        /// queue), UNISONO_ESTATE (the session is invalidated), UNISONO_ENETWORK (no port to listen on), UNISONO_ENOMEM,
        /// UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_advertiser_create(IntPtr context, IntPtr session, unisono_service* service, unisono_advertiser_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Says goodbye; open asks end, and their request handles with them. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_advertiser_destroy(IntPtr advertiser);

        /// <summary>
        /// An address that takes asks, "host:port", for people to type where devices do not find each other.
        /// index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
        /// Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_advertiser_address(IntPtr advertiser, UIntPtr index, byte* buffer, UIntPtr* length);

        /// <summary>
        /// Yes. UNISONO_INTENT_JOIN: the session's invite leaves, sealed. UNISONO_INTENT_INVITE: the other person still has to say
        /// that the digits are the same; then INVITE comes, or JOIN_WITHDRAWN.
        /// request: from JOIN_REQUESTED; once, and until JOIN_WITHDRAWN, afterwards it is UNISONO_ECLOSED. Never destroyed by you.
        /// Errors: UNISONO_ESTATE (the session is invalidated; the request stays open).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_join_request_accept(IntPtr request);

        /// <summary>
        /// No. The asker is told nothing and sees a time-out.
        /// request: as for unisono_join_request_accept.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_join_request_deny(IntPtr request);

        /// <summary>
        /// UNISONO_WAITS:
        /// Looks for devices that advertise a service: FOUND within 1.5 s, LOST within 5 s of their vanishing, at once after a
        /// goodbye. Advertisers of this context are left out. Without a network ERROR comes as for unisono_advertiser_create.
        /// service, callbacks, user: as for unisono_advertiser_create. out: end it with unisono_browser_destroy.
        /// Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ENOTSUP.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_browser_create(IntPtr context, unisono_service* service, unisono_browser_callbacks* callbacks, IntPtr user, IntPtr* @out);

        /// <summary>
        /// UNISONO_WAITS:
        /// Stops looking; what was being asked is cancelled. NULL and destroyed handles: nothing happens.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_browser_destroy(IntPtr browser);

        /// <summary>
        /// Knows a device by an address that somebody typed; FOUND comes, and from there on it goes the same way. Never lost.
        /// address: "host:port", &lt;= 262 bytes. device: its number, the same when the address is given again.
        /// Errors: UNISONO_EINVAL (no host:port), UNISONO_EFULL (64 addresses).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_browser_add_address(IntPtr browser, byte* address, ulong* device);

        /// <summary>
        /// Asks a device to let this one join its session. DIGITS comes when both screens show them; answer with
        /// unisono_browser_confirm. Then INVITE (give it to unisono_session_open) or FAILED: UNISONO_ETIMEDOUT (nobody answered, or no),
        /// UNISONO_EBUSY (it takes no more asks now, or has no session), UNISONO_ENETWORK (not reached, or gone),
        /// UNISONO_ECANCELED, UNISONO_EPROTOCOL, UNISONO_EAUTH (tampered with), UNISONO_ENOTFOUND (lost meanwhile).
        /// device: from FOUND. Any number of devices may be asked at a time.
        /// Errors: UNISONO_ENOTFOUND (no such device), UNISONO_EBUSY (it is being asked).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_browser_connect(IntPtr browser, ulong device);

        /// <summary>
        /// Asks a device to come into this device's session. As unisono_browser_connect, but that INVITE says that the session's
        /// invite was handed over.
        /// session: of the same context.
        /// Errors: UNISONO_ENOTFOUND, UNISONO_EBUSY, UNISONO_EINVAL (a session of another context), UNISONO_ESTATE (the session is
        /// invalidated).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_browser_invite(IntPtr browser, ulong device, IntPtr session);

        /// <summary>
        /// The person's word. May come before or after the other side's.
        /// device: one that is being asked. digits_match: 1: they are the same on both screens, let the invite pass. 0: they are
        /// not, or never mind: the ask is cancelled, at any time of it.
        /// Errors: UNISONO_ENOTFOUND (nothing is being asked of it).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_browser_confirm(IntPtr browser, ulong device, int digits_match);

        /// <summary>
        /// UNISONO_RT:
        /// Of NEARBY_.... @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern unisono_nearby_event* unisono_event_nearby(unisono_context_event* @event);

        /// <summary>
        /// Makes a clock and a network, without contexts yet.
        /// options: NULL: seed 0. Copied.
        /// out: end it with unisono_simulation_destroy.
        /// Errors: UNISONO_EINVAL, UNISONO_ENOMEM (too many handles).
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_simulation_create(unisono_simulation_options* options, IntPtr* @out);

        /// <summary>
        /// Makes a context that lives on the simulation's clock, a machine of its own in its network (10.0.0.1, 10.0.0.2 ...). Callbacks
        /// come inside unisono_simulation_advance, on its thread, or events go to the queue; unisono_context_poll, _fd and _timeout answer
        /// UNISONO_ESTATE, and unisono_context_next_event waits for nothing. random_seed 0 follows the simulation's.
        /// options: as of unisono_context_create, without own_thread and uv_loop. callbacks, user: as there.
        /// clock_offset: ns that its clock is ahead of the simulation's at first, -10^15...10^15.
        /// clock_drift_ppm: how much faster its clock goes, -500...500.
        /// out: end it with unisono_context_destroy, at any time; else it ends with the simulation.
        /// Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ECLOSED.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_simulation_context(IntPtr simulation, unisono_context_options* options, unisono_context_callbacks* callbacks, IntPtr user, long clock_offset, double clock_drift_ppm, IntPtr* @out);

        /// <summary>
        /// Sets how a context is connected from now on; before: 0.1 ms each way, without jitter or loss.
        /// context: one of this simulation. link: copied.
        /// Errors: UNISONO_EINVAL (a field out of range, or a context that is not simulated here), UNISONO_ECLOSED.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_simulation_set_link(IntPtr simulation, IntPtr context, unisono_simulated_link* link);

        /// <summary>
        /// UNISONO_LOOP:
        /// Moves the clock on and runs everything that becomes due meanwhile, callbacks included, on this thread.
        /// duration: ns, &gt;= 0; 0: what is due now, such as calls that were accepted and have not been carried out yet.
        /// Errors: UNISONO_EINVAL, UNISONO_ESTATE (inside a callback of one of its contexts), UNISONO_EBUSY (another thread is in it),
        /// UNISONO_ECLOSED.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int unisono_simulation_advance(IntPtr simulation, long duration);

        /// <summary>
        /// UNISONO_WAITS:
        /// Ends the simulation and its contexts, as unisono_context_destroy ends each. NULL and destroyed handles: nothing happens.
        /// @since 0.2
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void unisono_simulation_destroy(IntPtr simulation);
    }
}
