using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Unisono
{
    public sealed class SessionOptions
    {
        /// <summary>1...63 bytes; null: the device's name.</summary>
        public string DisplayName;
        /// <summary>Of who hosts: the line of a hub to use, "unisono-hub://host:port/id"; null: one in this process.</summary>
        public string Hub;
        /// <summary>Where the hub in this process listens: "0.0.0.0:7400"; null: every interface, a free port.</summary>
        public string Listen;
        /// <summary>Of who hosts: who may command.</summary>
        public ControlPolicy ControlPolicy;
        /// <summary>Of who joins: the role that is asked for.</summary>
        public Role Role;
        public bool NoStandbyHub, InBackground;
    }

    /// <summary>Where a session is, and why.</summary>
    public struct SessionStateChange
    {
        public SessionState State;
        public Connection Connection;
        public Status Reason;
        public string Message;
        /// <summary>An owner closed the group: nobody new is let in.</summary>
        public bool IsClosed;
    }

    public struct ParticipantsChange
    {
        /// <summary>Joined is the whole list.</summary>
        public bool IsComplete;
        public Participant[] Joined, Updated, Left;
    }

    public struct Message
    {
        /// <summary>Proven by signature.</summary>
        public ParticipantId Sender;
        public byte[] Data;
        public Delivery Delivery;
        /// <summary>What the bytes are; "": none was given.</summary>
        public string Type;
        public uint Version;
        /// <summary>The item whose place it waited for; empty: none.</summary>
        public string Item;
        public long ItemTime;
    }

    /// <summary>What people may be told: who did what.</summary>
    public struct Notice
    {
        public NoticeKind Kind;
        public ParticipantId Originator;
        /// <summary>In English: "Ann sought to 1:02:03".</summary>
        public string Sentence;
        public string Name, Text, Url;
        public long Amount;
        public double Rate;
        public long? ItemTime;
    }

    /// <summary>What the group does together.</summary>
    public sealed class Activity
    {
        public ActivityType Type;
        /// <summary>Reverse-DNS, 1...255 bytes.</summary>
        public string Identifier;
        public string Title, Subtitle, FallbackUrl;
        /// <summary>The application's own; at most 65,536 bytes.</summary>
        public byte[] Payload;
    }

    /// <summary>One of an audience's reactions.</summary>
    public unsafe struct ReactionCount
    {
        public string Reaction;
        /// <summary>Listeners who reacted by it last, in the last 10 s; the hub's word.</summary>
        public uint Count;

        internal static ReactionCount[] From(unisono_reaction_count* raw, UIntPtr count)
        {
            ReactionCount[] all = new ReactionCount[(int)count];
            for (int index = 0; index < all.Length; index++)
                all[index] = new ReactionCount { Reaction = Text.From(raw[index].reaction), Count = raw[index].count };
            return all;
        }
    }

    /// <summary>What an audience is opened with.</summary>
    public sealed class AudienceOptions
    {
        /// <summary>So many percent of those who listen are waited for before the group plays.</summary>
        public uint ReadyShare;
        /// <summary>After the command at most, ns; 0: 10 s.</summary>
        public long ReadyWait;
        /// <summary>By which they may react, at most 8; null: they do not.</summary>
        public string[] Reactions;
    }

    /// <summary>The session's audience is in another state, or of another size.</summary>
    public struct AudienceChange
    {
        public AudienceState State;
        /// <summary>By the hub's word.</summary>
        public uint Listeners;
        /// <summary>How often the hub, as it says, did not pass on what a listener said.</summary>
        public uint LeftOut;
        /// <summary>How many, as the hub says, are ready for the start that waits for them.</summary>
        public uint Ready;
        public ReactionCount[] Reactions;
        /// <summary>Why it is closed, or not open yet, for people; "": nothing to say.</summary>
        public string Reason;
    }

    /// <summary>Somebody of that audience asks to speak (Session.InviteListener), or says something. Who it is nobody knows.</summary>
    public struct ListenerNews
    {
        public ParticipantId Listener;
        public ListenerWord Word;
        public string Text;
    }

    /// <summary>A group of devices that do something together, end-to-end encrypted.</summary>
    public sealed unsafe class Session : Source
    {
        public event Action<SessionStateChange> StateChanged;
        public event Action<ParticipantsChange> ParticipantsChanged;
        public event Action<Message> MessageReceived;
        public event Action<Notice> Noticed;
        /// <summary>Null: none any more.</summary>
        public event Action<Activity> ActivityChanged;
        public event Action<string> InviteChanged;
        /// <summary>The session's audience.</summary>
        public event Action<AudienceChange> AudienceChanged;
        /// <summary>Somebody who listens to it says something.</summary>
        public event Action<ListenerNews> ListenerSpoke;
        /// <summary>Messages can be sent again after EBUSY.</summary>
        public event Action Writable;
        /// <summary>Any other event of the session: its type and its payload, valid until the handler returns; see unisono.h and
        /// Native.unisono_event_... .</summary>
        public event Action<EventKind, IntPtr> Other;

        /// <summary>Chat, the playlist, copies of what is on it, attachments.</summary>
        public readonly Shared Shared;

        Session(Context context, IntPtr handle) : base(context, handle) { Shared = new Shared(handle); }

        /// <summary>Begins a group that this device hosts.</summary>
        public static Session Host(Context context, SessionOptions options = null) { return Make(context, null, options); }

        /// <summary>Opens an invite; Join enters the group.</summary>
        public static Session Open(Context context, string invite, SessionOptions options = null)
        {
            if (invite == null) throw new ArgumentNullException("invite");
            return Make(context, invite, options);
        }

        static Session Make(Context context, string invite, SessionOptions options)
        {
            SessionOptions given = options ?? new SessionOptions();
            unisono_session_options raw = new unisono_session_options { size = (uint)sizeof(unisono_session_options) };
            unisono_hub_options own = new unisono_hub_options { size = (uint)sizeof(unisono_hub_options) };
            raw.control_policy = given.ControlPolicy;
            raw.role = given.Role;
            raw.no_standby_hub = given.NoStandbyHub ? 1 : 0;
            raw.in_background = given.InBackground ? 1 : 0;
            IntPtr made;
            fixed (byte* name = Text.Bytes(given.DisplayName), hub = Text.Bytes(given.Hub), listen = Text.Bytes(given.Listen),
                         text = Text.Bytes(invite))
            {
                byte* address = listen;
                raw.display_name = name;
                raw.hub = hub;
                if (listen != null)
                {
                    own.listen = &address;
                    own.listen_count = (UIntPtr)1;
                    raw.hub_options = &own;
                }
                Text.Check(text == null
                    ? Native.unisono_session_host(context.handle, &raw, null, IntPtr.Zero, &made)
                    : Native.unisono_session_open(context.handle, text, &raw, null, IntPtr.Zero, &made));
            }
            return new Session(context, made);
        }

        /// <summary>The text to pass on; whoever has it can join.</summary>
        public string Invite
        {
            get
            {
                byte* room = stackalloc byte[4097];
                UIntPtr length = (UIntPtr)4097;
                Text.Check(Native.unisono_session_invite(handle, room, &length));
                return Text.From(room);
            }
        }

        /// <summary>Whoever has AudienceLink follows what the group plays, any number of devices, and takes part in nothing. It takes a
        /// session in which hosts alone command. A single stranger cannot be put out of it.</summary>
        public void OpenAudience(AudienceOptions options = null)
        {
            AudienceOptions given = options ?? new AudienceOptions();
            string[] reactions = given.Reactions ?? new string[0];
            if (reactions.Length > 8) throw new ArgumentException("more than 8 reactions");
            unisono_audience_options raw = new unisono_audience_options { size = (uint)sizeof(unisono_audience_options) };
            GCHandle[] kept = new GCHandle[reactions.Length];
            byte** pointers = stackalloc byte*[Math.Max(1, reactions.Length)];
            try
            {
                for (int index = 0; index < reactions.Length; index++)
                {
                    if (reactions[index] == null) throw new ArgumentException("a reaction is null");
                    kept[index] = GCHandle.Alloc(Text.Bytes(reactions[index]), GCHandleType.Pinned);
                    pointers[index] = (byte*)kept[index].AddrOfPinnedObject();
                }
                raw.ready_share = given.ReadyShare;
                raw.ready_wait = given.ReadyWait;
                raw.reactions = reactions.Length == 0 ? null : pointers;
                raw.reaction_count = (UIntPtr)reactions.Length;
                Text.Check(Native.unisono_session_open_audience(handle, &raw));
            }
            finally
            {
                foreach (GCHandle one in kept) if (one.IsAllocated) one.Free();
            }
        }

        /// <summary>It gets another AudienceLink. Who listens goes along, good or bad; who comes with the old one later than in ten minutes
        /// is told so.</summary>
        public void RenewAudience() { Text.Check(Native.unisono_session_renew_audience(handle)); }

        /// <summary>Its listeners are told so, and go on alone.</summary>
        public void CloseAudience() { Text.Check(Native.unisono_session_close_audience(handle)); }

        /// <summary>For Coordinator.Listen; null: no audience is open here.</summary>
        public string AudienceLink
        {
            get
            {
                byte* room = stackalloc byte[4097];
                UIntPtr length = (UIntPtr)4097;
                int status = Native.unisono_session_audience_link(handle, room, &length);
                if (status == (int)Status.ESTATE) return null;
                Text.Check(status);
                return Text.From(room);
            }
        }

        /// <summary>Hands the invite to a listener who asked to speak, so that nobody else can read it.</summary>
        public void InviteListener(ParticipantId listener)
        {
            unisono_participant_id id = listener.Raw;
            Text.Check(Native.unisono_session_invite_listener(handle, &id));
        }

        public void Join() { Text.Check(Native.unisono_session_join(handle)); }

        public void Leave() { Text.Check(Native.unisono_session_leave(handle)); }

        /// <summary>Ends it for everybody.</summary>
        public void EndForAll() { Text.Check(Native.unisono_session_end(handle)); }

        public SessionState State { get { return (SessionState)Text.Check(Native.unisono_session_get_state(handle)); } }

        public Connection Connection { get { return (Connection)Text.Check(Native.unisono_session_connection(handle)); } }

        public ParticipantId LocalParticipant
        {
            get
            {
                unisono_participant_id id;
                Text.Check(Native.unisono_session_local_participant(handle, &id));
                return new ParticipantId(id);
            }
        }

        /// <summary>Who is there, this one included.</summary>
        public Participant[] Participants
        {
            get
            {
                unisono_participants* owned;
                Text.Check(Native.unisono_session_participants(handle, &owned));
                try { return Participant.From(owned->items, owned->count); }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>Sends to others, to all when nobody is named.</summary>
        public void Send(byte[] data, Delivery delivery, params ParticipantId[] to)
        {
            unisono_participant_id* ids = stackalloc unisono_participant_id[Math.Max(1, to.Length)];
            for (int index = 0; index < to.Length; index++) ids[index] = to[index].Raw;
            fixed (byte* bytes = data)
                Text.Check(Native.unisono_session_send(handle, (IntPtr)bytes, (UIntPtr)data.Length, delivery, ids, (UIntPtr)to.Length));
        }

        /// <summary>Sends bytes that have a type, by which receivers tell them apart.</summary>
        public void SendTyped(string type, uint version, byte[] data, Delivery delivery, params ParticipantId[] to)
        {
            unisono_participant_id* ids = stackalloc unisono_participant_id[Math.Max(1, to.Length)];
            for (int index = 0; index < to.Length; index++) ids[index] = to[index].Raw;
            fixed (byte* name = Text.Bytes(type), bytes = data)
                Text.Check(Native.unisono_session_send_typed(
                    handle, name, version, (IntPtr)bytes, (UIntPtr)data.Length, delivery, ids, (UIntPtr)to.Length));
        }

        /// <summary>Sends bytes that the others get when their playback is at a place of an item. A type of null: none.</summary>
        public void SendAt(string item, long itemTime, string type, uint version, byte[] data, params ParticipantId[] to)
        {
            unisono_participant_id* ids = stackalloc unisono_participant_id[Math.Max(1, to.Length)];
            for (int index = 0; index < to.Length; index++) ids[index] = to[index].Raw;
            fixed (byte* place = Text.Bytes(item), name = Text.Bytes(type), bytes = data)
                Text.Check(Native.unisono_session_send_at(
                    handle, place, itemTime, name, version, (IntPtr)bytes, (UIntPtr)data.Length, ids, (UIntPtr)to.Length));
        }

        /// <summary>Sets or changes what the group does together.</summary>
        public void Activate(Activity activity)
        {
            unisono_activity raw = new unisono_activity { size = (uint)sizeof(unisono_activity), type = activity.Type };
            fixed (byte* identifier = Text.Bytes(activity.Identifier), title = Text.Bytes(activity.Title),
                         subtitle = Text.Bytes(activity.Subtitle), url = Text.Bytes(activity.FallbackUrl), payload = activity.Payload)
            {
                raw.identifier = identifier;
                raw.title = title;
                raw.subtitle = subtitle;
                raw.fallback_url = url;
                raw.payload = (IntPtr)payload;
                raw.payload_length = (UIntPtr)(activity.Payload == null ? 0 : activity.Payload.Length);
                Text.Check(Native.unisono_session_activate(handle, &raw));
            }
        }

        public void SetRole(ParticipantId participant, Role role)
        {
            unisono_participant_id id = participant.Raw;
            Text.Check(Native.unisono_session_set_role(handle, &id, role));
        }

        public void SetControlPolicy(ControlPolicy policy) { Text.Check(Native.unisono_session_set_control_policy(handle, policy)); }

        /// <summary>Nobody new is let in while the group is closed.</summary>
        public void SetClosed(bool closed) { Text.Check(Native.unisono_session_set_closed(handle, closed ? 1 : 0)); }

        /// <summary>Puts somebody out for good.</summary>
        public void Remove(ParticipantId participant)
        {
            unisono_participant_id id = participant.Raw;
            Text.Check(Native.unisono_session_remove_participant(handle, &id));
        }

        public void SetSpeaking(bool speaking) { Text.Check(Native.unisono_session_set_speaking(handle, speaking ? 1 : 0)); }

        /// <summary>Counters and clock figures, as the C interface has them.</summary>
        public unisono_session_statistics Statistics
        {
            get
            {
                unisono_session_statistics raw = new unisono_session_statistics { size = (uint)sizeof(unisono_session_statistics) };
                Text.Check(Native.unisono_session_get_statistics(handle, &raw));
                return raw;
            }
        }

        /// <summary>The session's clock at a host time: the same instant for everybody. False: not known yet.</summary>
        public bool TryGetSessionTime(long hostTime, out long sessionTime)
        {
            unisono_clock clock = new unisono_clock { size = (uint)sizeof(unisono_clock) };
            bool known = Native.unisono_session_clock(handle, &clock) == 0;
            sessionTime = known ? clock.session_time + (long)(clock.rate * (hostTime - clock.host_time)) : 0;
            return known;
        }

        internal override void Deliver(unisono_context_event* raw)
        {
            switch (raw->type)
            {
                case EventKind.SessionState:
                    unisono_session_state_event* state = Native.unisono_event_session_state(raw);
                    if (StateChanged != null) StateChanged(new SessionStateChange {
                        State = state->state, Connection = state->connection, Reason = (Status)state->reason,
                        Message = Text.From(state->message), IsClosed = state->closed != 0 });
                    break;
                case EventKind.SessionParticipants:
                    if (ParticipantsChanged != null) ParticipantsChanged(Change(Native.unisono_event_participants(raw)));
                    break;
                case EventKind.SessionMessage:
                    unisono_message* message = Native.unisono_event_message(raw);
                    byte[] data = new byte[(int)message->length];
                    Marshal.Copy(message->data, data, 0, data.Length);
                    if (MessageReceived != null) MessageReceived(new Message {
                        Sender = new ParticipantId(message->sender), Data = data, Delivery = message->delivery,
                        Type = Text.From(message->type), Version = message->version, Item = Text.From(message->item),
                        ItemTime = message->item_time });
                    break;
                case EventKind.SessionNotice:
                    if (Noticed != null) Noticed(NoticeFrom(Native.unisono_event_notice(raw)->notice));
                    break;
                case EventKind.SessionActivity:
                    if (ActivityChanged != null) ActivityChanged(ActivityFrom(Native.unisono_event_activity(raw)->activity));
                    break;
                case EventKind.SessionInvite:
                    if (InviteChanged != null) InviteChanged(Text.From(Native.unisono_event_invite(raw)->invite));
                    break;
                case EventKind.SessionAudience:
                    unisono_audience_event* audience = Native.unisono_event_audience(raw);
                    if (AudienceChanged != null) AudienceChanged(new AudienceChange {
                        State = audience->state, Listeners = audience->listeners, LeftOut = audience->left_out,
                        Ready = audience->ready, Reactions = ReactionCount.From(audience->reactions, audience->reaction_count),
                        Reason = Text.From(audience->reason) });
                    break;
                case EventKind.SessionListener:
                    unisono_listener_event* said = Native.unisono_event_listener(raw);
                    if (ListenerSpoke != null) ListenerSpoke(new ListenerNews {
                        Listener = new ParticipantId(said->listener), Word = said->word, Text = Text.From(said->text) });
                    break;
                case EventKind.SessionWritable:
                    if (Writable != null) Writable();
                    break;
                case EventKind.Error:
                    base.Deliver(raw);
                    break;
                default:
                    if (!Shared.Deliver(raw) && Other != null) Other(raw->type, (IntPtr)raw);
                    break;
            }
        }

        internal static ParticipantsChange Change(unisono_participants_change* raw)
        {
            return new ParticipantsChange {
                IsComplete = raw->is_complete != 0, Joined = Participant.From(raw->joined, raw->joined_count),
                Updated = Participant.From(raw->updated, raw->updated_count), Left = Participant.From(raw->left, raw->left_count) };
        }

        static Notice NoticeFrom(unisono_notice* raw)
        {
            byte* room = stackalloc byte[1025];
            UIntPtr length = (UIntPtr)1025;
            Text.Check(Native.unisono_notice_text(raw, room, &length));
            return new Notice {
                Kind = raw->kind, Originator = new ParticipantId(raw->originator), Sentence = Text.From(room), Name = Text.From(raw->name),
                Text = Text.From(raw->text), Url = Text.From(raw->url), Amount = raw->amount, Rate = raw->rate,
                ItemTime = (raw->flags & Constants.HAS_POSITION) != 0 ? UnisonoTime.Known(raw->item_time) : null };
        }

        internal static Activity ActivityFrom(unisono_activity* raw)
        {
            if (raw == null) return null;
            byte[] payload = new byte[(int)raw->payload_length];
            if (payload.Length > 0) Marshal.Copy(raw->payload, payload, 0, payload.Length);
            return new Activity {
                Type = raw->type, Identifier = Text.From(raw->identifier), Title = Text.From(raw->title),
                Subtitle = Text.From(raw->subtitle), FallbackUrl = Text.From(raw->fallback_url), Payload = payload };
        }

        internal override void End() { Native.unisono_session_destroy(handle); }
    }
}
