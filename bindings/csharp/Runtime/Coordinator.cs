using System;

namespace Unisono
{
    public enum CommandKind { Play, Pause, Seek, Buffer }

    /// <summary>What the group asks of this player. Answer it when it is done; a newer one replaces it, which is then no answer owed.</summary>
    public sealed unsafe class Command
    {
        readonly Coordinator coordinator;
        readonly ulong id;
        public readonly CommandKind Kind;
        public readonly ParticipantId Originator;
        public readonly string Item;
        /// <summary>Play: never 0.</summary>
        public readonly double Rate;
        /// <summary>Play: the position at HostTime; Pause: the group's; Seek: where to; Buffer: where it is going to start.</summary>
        public readonly long ItemTime;
        /// <summary>Play: when ItemTime holds, to come or past.</summary>
        public readonly long? HostTime;
        /// <summary>When it has to be done.</summary>
        public readonly long? DueHostTime;
        public readonly double AnticipatedRate;
        /// <summary>Pause: go to ItemTime, else stay where it stopped.</summary>
        public readonly bool IsLocal, Snap, BufferInAnticipation;
        public readonly Cause Cause;

        internal Command(Coordinator coordinator, unisono_command* raw)
        {
            this.coordinator = coordinator;
            id = raw->id;
            Kind = (CommandKind)(raw->@base.type - EventKind.CoordinatorPlay);
            Originator = new ParticipantId(raw->originator);
            Item = Text.From(raw->item);
            Rate = raw->rate;
            ItemTime = raw->item_time;
            HostTime = UnisonoTime.Known(raw->host_time);
            DueHostTime = UnisonoTime.Known(raw->due_host_time);
            AnticipatedRate = raw->anticipated_rate;
            IsLocal = raw->is_local != 0;
            Snap = raw->snap != 0;
            BufferInAnticipation = raw->buffer_in_anticipation != 0;
            Cause = raw->cause;
        }

        /// <summary>The player has done it.</summary>
        public void Complete() { Text.Check(Native.unisono_coordinator_complete(coordinator.handle, id)); }

        /// <summary>The player cannot do it: the others see this device as suspended until the next command.</summary>
        public void Fail(Status why) { Text.Check(Native.unisono_coordinator_fail(coordinator.handle, id, (int)why)); }
    }

    /// <summary>A line: position(h) = ItemTime + Rate * (h - HostTime).</summary>
    public struct Timing
    {
        public TimingState State;
        public double Rate;
        public long ItemTime, HostTime;
        /// <summary>Of the position.</summary>
        public long ErrorBound;
    }

    public struct TimingChange
    {
        public TimingState State;
        public Cause Cause;
        public ParticipantId Originator;
        public string Item;
        public double Rate;
        public long ItemTime;
        public long? HostTime, Deadline;
        /// <summary>For whom a start waits, and why ("": still preparing).</summary>
        public WaitingFor[] WaitingFor;
    }

    /// <summary>How it is with the audience that a coordinator listens to, all of it.</summary>
    public struct ListeningChange
    {
        public ListeningStatus Status;
        /// <summary>By the hub's word, to two digits; 0: not known.</summary>
        public uint Listeners;
        /// <summary>What the group is at, to be loaded and transitioned to; null: nothing, or not known.</summary>
        public string Item;
        public Activity Activity;
        /// <summary>For people; "": nothing to say.</summary>
        public string Reason;
        /// <summary>How far the player may be before the group at most, ns, whatever the hub says; null: not bounded yet.</summary>
        public long? ClockAhead;
        /// <summary>After it, ns.</summary>
        public long? ClockBehind;
        /// <summary>The group's signed times contradict the hub's; Reason says by how much at least.</summary>
        public bool ClockDoubt;
        /// <summary>By which one may react, and how many did, to two digits.</summary>
        public ReactionCount[] Reactions;
    }

    public struct WaitingFor
    {
        public ParticipantId Participant;
        public string Reason;
    }

    /// <summary>The group's voice to one player that knows how to start at an instant and to keep to a line: a game, a show.</summary>
    public sealed unsafe class Coordinator : Source
    {
        readonly bool isOwned;

        public event Action<Command> Commanded;
        public event Action<TimingChange> TimingChanged;
        public event Action<string[]> SuspensionsChanged;
        public event Action<ParticipantsChange> ParticipantsChanged;
        /// <summary>How it is with the audience that it listens to, and what there is to load.</summary>
        public event Action<ListeningChange> ListeningChanged;
        /// <summary>After AskToSpeak: an invite, for Session.Open.</summary>
        public event Action<string> Invited;

        public Coordinator(Context context) : base(context, Make(context)) { isOwned = true; }

        internal Coordinator(Context context, IntPtr borrowed) : base(context, borrowed) { }

        static IntPtr Make(Context context)
        {
            IntPtr made;
            Text.Check(Native.unisono_coordinator_create(context.handle, null, IntPtr.Zero, &made));
            return made;
        }

        /// <summary>Null: it goes on alone.</summary>
        public void CoordinateWith(Session session) { CoordinateWith(session, null); }

        /// <summary>Beside the session's first coordinator, with those that are called the same, on items of their own: a second screen, the
        /// sound of another room. name null: as the first one.</summary>
        public void CoordinateWith(Session session, string name)
        {
            IntPtr its = session == null ? IntPtr.Zero : session.handle;
            fixed (byte* called = Text.Bytes(name)) Text.Check(Native.unisono_coordinator_coordinate_with_session_as(handle, its, called));
        }

        /// <summary>Follows the audience of a Session.AudienceLink: the player does what the group does, and is in no session.
        /// ListeningChanged tells what there is to load.</summary>
        public void Listen(string link)
        {
            fixed (byte* text = Text.Bytes(link)) Text.Check(Native.unisono_coordinator_listen(handle, text));
        }

        /// <summary>On its own again, with what plays.</summary>
        public void StopListening() { Text.Check(Native.unisono_coordinator_stop_listening(handle)); }

        /// <summary>Tells the hosts of the audience that it listens to that this one wants to be invited (Invited), once in 5 s; text: up
        /// to 255 bytes, or null.</summary>
        public void AskToSpeak(string text = null)
        {
            fixed (byte* said = Text.Bytes(text)) Text.Check(Native.unisono_coordinator_ask_to_speak(handle, said));
        }

        /// <summary>Up to 255 bytes in writing to those hosts, and to nobody else, once in 5 s.</summary>
        public void SayToHosts(string text)
        {
            fixed (byte* said = Text.Bytes(text)) Text.Check(Native.unisono_coordinator_say_to_hosts(handle, said));
        }

        /// <summary>One of Reactions of ListeningChange, once in a second.</summary>
        public void React(string reaction)
        {
            fixed (byte* said = Text.Bytes(reaction)) Text.Check(Native.unisono_coordinator_react(handle, said));
        }

        /// <summary>This player goes to another item; null: nothing. The group's state of it counts, where there is one, else it is paused at
        /// itemTime.</summary>
        public void TransitionTo(string item, long itemTime = 0)
        {
            unisono_timing proposal = new unisono_timing { size = (uint)sizeof(unisono_timing), item_time = itemTime };
            fixed (byte* identifier = Text.Bytes(item))
                Text.Check(Native.unisono_coordinator_transition_to_item(handle, identifier, &proposal));
        }

        /// <summary>Asks the group: everybody prepares, then all start together.</summary>
        public void Play(double rate = 1, bool immediately = false)
        {
            uint options = immediately ? Constants.RATE_PLAY_IMMEDIATELY : 0;
            Text.Check(Native.unisono_coordinator_coordinate_rate_change(handle, rate, options));
        }

        public void Pause() { Text.Check(Native.unisono_coordinator_coordinate_rate_change(handle, 0, 0)); }

        public void Seek(long itemTime, bool resumeImmediately = false)
        {
            Text.Check(Native.unisono_coordinator_coordinate_seek(handle, itemTime, resumeImmediately ? Constants.SEEK_RESUME_IMMEDIATELY : 0));
        }

        /// <summary>Takes the last jump back, whoever made it; once more, and all are where it led.</summary>
        public void UndoJump() { Text.Check(Native.unisono_coordinator_undo_jump(handle)); }

        /// <summary>Where the player is to be at a host time. False: not known yet.</summary>
        public bool TryGetExpectedItemTime(long hostTime, out long itemTime)
        {
            long found;
            bool known = Native.unisono_coordinator_expected_item_time(handle, hostTime, &found) == 0;
            itemTime = known ? found : 0;
            return known;
        }

        public bool TryGetTiming(out Timing timing)
        {
            unisono_timing raw = new unisono_timing { size = (uint)sizeof(unisono_timing) };
            bool known = Native.unisono_coordinator_timing(handle, &raw) == 0;
            timing = known ? new Timing { State = raw.state, Rate = raw.rate, ItemTime = raw.item_time, HostTime = raw.host_time,
                                          ErrorBound = raw.error_bound } : new Timing();
            return known;
        }

        /// <summary>Where the player really is; the others see it.</summary>
        public void Report(double rate, long itemTime, long hostTime, bool stalled = false)
        {
            unisono_playback_report raw = new unisono_playback_report {
                size = (uint)sizeof(unisono_playback_report), rate = rate, item_time = itemTime, host_time = hostTime,
                stalled = stalled ? 1 : 0, flags = Constants.HAS_POSITION };
            Text.Check(Native.unisono_coordinator_report(handle, &raw));
        }

        /// <summary>This player takes no part until the suspension is ended or disposed.</summary>
        public Suspension BeginSuspension(string reason)
        {
            IntPtr made;
            fixed (byte* text = Text.Bytes(reason)) Text.Check(Native.unisono_coordinator_begin_suspension(handle, text, &made));
            return new Suspension(made);
        }

        public Participant[] OtherParticipants
        {
            get
            {
                unisono_participants* owned;
                Text.Check(Native.unisono_coordinator_other_participants(handle, &owned));
                try { return Participant.From(owned->items, owned->count); }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>What the player says of itself: true, a person did it at the player's own controls; set the player back, and
        /// ask the group. False: the echo of what it was told.</summary>
        public bool IsWish(Motion motion, double value)
        {
            int status = Native.unisono_coordinator_is_wish(handle, motion, value);
            Text.Check(status);
            return status == 1;
        }

        /// <summary>This host tells its player so, which will say it: no wish.</summary>
        public void ExpectMotion(Motion motion, double value)
        {
            Text.Check(Native.unisono_coordinator_expect_motion(handle, motion, value));
        }

        public void Reapply() { Text.Check(Native.unisono_coordinator_reapply_current_item_state(handle)); }

        /// <summary>How late this device is heard or seen, -5...5 s.</summary>
        public void SetOutputOffset(long offset) { Text.Check(Native.unisono_coordinator_set_output_offset(handle, offset)); }

        public void SetWaitLimit(long limit) { Text.Check(Native.unisono_coordinator_set_wait_limit(handle, limit)); }

        /// <summary>What happens when an item is played to its end; of the whole session.</summary>
        public ActionAtEnd ActionAtEnd
        {
            get { return (ActionAtEnd)Text.Check(Native.unisono_coordinator_action_at_end(handle)); }
            set { Text.Check(Native.unisono_coordinator_set_action_at_end(handle, value)); }
        }

        /// <summary>Which ranges of entries of the playlist the group leaves out, as bits; of the whole session.</summary>
        public RangeKind SkippedRanges
        {
            get { return (RangeKind)Text.Check(Native.unisono_coordinator_skipped_ranges(handle)); }
            set { Text.Check(Native.unisono_coordinator_set_skipped_ranges(handle, (uint)value)); }
        }

        /// <summary>Ranges of the own copy of an item that are not the group's, ns of the own copy; none: all of it is.</summary>
        public void SetInterstitials(string item, params unisono_interstitial[] ranges)
        {
            fixed (byte* identifier = Text.Bytes(item))
            fixed (unisono_interstitial* given = ranges)
                Text.Check(Native.unisono_coordinator_set_interstitials(handle, identifier, given, (UIntPtr)(ranges == null ? 0 : ranges.Length)));
        }

        /// <summary>Whether the running group waits for one that stalls. 0: the usual lengths of time.</summary>
        public void SetStallPolicy(bool wait, long debounce = 0, long limit = 0)
        {
            unisono_stall_policy raw = new unisono_stall_policy {
                size = (uint)sizeof(unisono_stall_policy), wait = wait ? 1 : 0, debounce = debounce, limit = limit };
            Text.Check(Native.unisono_coordinator_set_stall_policy(handle, &raw));
        }

        /// <summary>Which starts wait for persons, for how long (0: 60 s), and what happens when one leaves; of the whole session.</summary>
        public void SetStartPolicy(StartRule start, long limit = 0, LeavingRule leaving = LeavingRule.GoOn)
        {
            unisono_start_policy raw = new unisono_start_policy {
                size = (uint)sizeof(unisono_start_policy), start = start, limit = limit, leaving = leaving };
            Text.Check(Native.unisono_coordinator_set_start_policy(handle, &raw));
        }

        /// <summary>The start policy of the session.</summary>
        public void GetStartPolicy(out StartRule start, out long limit, out LeavingRule leaving)
        {
            unisono_start_policy raw = new unisono_start_policy { size = (uint)sizeof(unisono_start_policy) };
            Text.Check(Native.unisono_coordinator_get_start_policy(handle, &raw));
            start = raw.start;
            limit = raw.limit;
            leaving = raw.leaving;
        }

        /// <summary>This device's person says that it is ready, or not.</summary>
        public void SetReady(Readiness readiness) { Text.Check(Native.unisono_coordinator_set_ready(handle, readiness)); }

        /// <summary>The start that waits for persons goes on without those of these participants; nobody named: without waiting for any.</summary>
        public void StartWithout(params ParticipantId[] participants)
        {
            unisono_participant_id* ids = stackalloc unisono_participant_id[Math.Max(1, participants.Length)];
            for (int index = 0; index < participants.Length; index++) ids[index] = participants[index].Raw;
            Text.Check(Native.unisono_coordinator_start_without(handle, ids, (UIntPtr)participants.Length));
        }

        internal override void Deliver(unisono_context_event* raw)
        {
            switch (raw->type)
            {
                case EventKind.CoordinatorPlay:
                case EventKind.CoordinatorPause:
                case EventKind.CoordinatorSeek:
                case EventKind.CoordinatorBuffer:
                    Command command = new Command(this, Native.unisono_event_command(raw));
                    if (Commanded != null) Commanded(command);
                    else command.Fail(Status.ENOTSUP);
                    break;
                case EventKind.CoordinatorTiming:
                    if (TimingChanged != null) TimingChanged(Change(Native.unisono_event_timing(raw)));
                    break;
                case EventKind.CoordinatorSuspensions:
                    unisono_suspensions_change* suspensions = Native.unisono_event_suspensions(raw);
                    if (SuspensionsChanged != null) SuspensionsChanged(Text.From(suspensions->reasons, suspensions->reason_count));
                    break;
                case EventKind.CoordinatorParticipants:
                    if (ParticipantsChanged != null) ParticipantsChanged(Session.Change(Native.unisono_event_participants(raw)));
                    break;
                case EventKind.CoordinatorInvited:
                    if (Invited != null) Invited(Text.From(Native.unisono_event_invite(raw)->invite));
                    break;
                case EventKind.CoordinatorListening:
                    unisono_listening_event* heard = Native.unisono_event_listening(raw);
                    if (ListeningChanged != null) ListeningChanged(new ListeningChange {
                        Status = heard->status, Listeners = heard->listeners, Item = Text.From(heard->item),
                        Activity = Session.ActivityFrom(heard->activity), Reason = Text.From(heard->reason),
                        ClockAhead = UnisonoTime.Known(heard->clock_ahead), ClockBehind = UnisonoTime.Known(heard->clock_behind),
                        ClockDoubt = heard->clock_doubt != 0,
                        Reactions = ReactionCount.From(heard->reactions, heard->reaction_count) });
                    break;
                default:
                    base.Deliver(raw);
                    break;
            }
        }

        static TimingChange Change(unisono_timing_change* raw)
        {
            WaitingFor[] waits = new WaitingFor[(int)raw->waiting_for_count];
            for (int index = 0; index < waits.Length; index++) waits[index] = new WaitingFor {
                Participant = new ParticipantId(raw->waiting_for[index].participant), Reason = Text.From(raw->waiting_for[index].reason) };
            return new TimingChange {
                State = raw->state, Cause = raw->cause, Originator = new ParticipantId(raw->originator), Item = Text.From(raw->item),
                Rate = raw->rate, ItemTime = raw->item_time, HostTime = UnisonoTime.Known(raw->host_time), Deadline = UnisonoTime.Known(raw->deadline),
                WaitingFor = waits };
        }

        internal override void End() { if (isOwned) Native.unisono_coordinator_destroy(handle); }
    }

    /// <summary>A while in which this player takes no part.</summary>
    public sealed class Suspension : IDisposable
    {
        readonly IntPtr handle;

        internal Suspension(IntPtr handle) { this.handle = handle; }

        /// <summary>The player joins the group where that is.</summary>
        public void End() { Text.Check(Native.unisono_suspension_end(handle)); }

        /// <summary>And asks the group to go to a position.</summary>
        public void EndProposing(long itemTime) { Text.Check(Native.unisono_suspension_end_proposing(handle, itemTime)); }

        public void Dispose() { Native.unisono_suspension_destroy(handle); }
    }
}
