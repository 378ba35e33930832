using System;

namespace Unisono
{
    public enum RendererCommandKind { Load, Cue, Play, Pause, Seek, Nudge, Volume, Size, Stop }

    /// <summary>What a renderer is told. Begin it and return; say that it is done with Player.Report and its Request.</summary>
    public sealed unsafe class RendererCommand
    {
        public readonly RendererCommandKind Kind;
        public readonly ulong Request;
        public readonly string Item, Uri;
        /// <summary>Cue, Play: the rate; Nudge: a factor on top of it, 0.9...1.1.</summary>
        public readonly double Rate;
        public readonly long ItemTime;
        /// <summary>Play.</summary>
        public readonly long? HostTime;
        public readonly double Volume;
        public readonly int Width, Height;

        internal RendererCommand(unisono_renderer_command* raw)
        {
            Kind = (RendererCommandKind)(raw->@base.type - EventKind.RendererLoad);
            Request = raw->request;
            Item = Text.From(raw->item);
            Uri = Text.From(raw->uri);
            Rate = raw->rate;
            ItemTime = raw->item_time;
            HostTime = UnisonoTime.Known(raw->host_time);
            Volume = raw->volume;
            Width = raw->width;
            Height = raw->height;
        }
    }

    public struct PlayerChange
    {
        public EventKind Type;
        public TimeControl TimeControl;
        public WaitingReason WaitingReason;
        public ItemState ItemState;
        public RateReason RateReason;
        public ParticipantId Originator;
        public string Item;
        public double Rate;
        public long? ItemTime, HostTime;
        public ulong Request;
        public Status Status;
    }

    /// <summary>Keeps whatever loads, plays, pauses and seeks in step with the group: by common starts, small changes of speed, and seeks
    /// where those cannot help. The host is its renderer.</summary>
    public sealed unsafe class Player : Source
    {
        public event Action<RendererCommand> Commanded;
        public event Action<PlayerChange> Changed;

        /// <summary>capabilities: Constants.RENDERER_... .</summary>
        public Player(Context context, uint capabilities) : base(context, Make(context, capabilities))
        {
            IntPtr borrowed;
            Text.Check(Native.unisono_player_coordinator(handle, &borrowed));
            Coordinator = new Coordinator(context, borrowed);
        }

        static IntPtr Make(Context context, uint capabilities)
        {
            unisono_renderer renderer = new unisono_renderer { size = (uint)sizeof(unisono_renderer), capabilities = capabilities };
            IntPtr made;
            Text.Check(Native.unisono_player_create(context.handle, &renderer, IntPtr.Zero, null, IntPtr.Zero, &made));
            return made;
        }

        /// <summary>For CoordinateWith, settings, suspensions and reading; transport goes through the player.</summary>
        public Coordinator Coordinator { get; }

        /// <summary>Makes an item the current one. uri: for the renderer alone, never sent; null: the identifier.</summary>
        public void ReplaceCurrentItem(string identifier, string uri = null, long startTime = 0, long duration = 0)
        {
            unisono_player_item item = new unisono_player_item {
                size = (uint)sizeof(unisono_player_item), start_time = startTime, duration = duration };
            fixed (byte* name = Text.Bytes(identifier), place = Text.Bytes(uri))
            {
                item.identifier = name;
                item.uri = place;
                Text.Check(Native.unisono_player_replace_current_item(handle, name == null ? null : &item));
            }
        }

        public void Play(bool immediately = false)
        {
            Text.Check(Native.unisono_player_play(handle, immediately ? Constants.RATE_PLAY_IMMEDIATELY : 0));
        }

        public void Pause() { Text.Check(Native.unisono_player_pause(handle)); }

        public void SetRate(double rate) { Text.Check(Native.unisono_player_set_rate(handle, rate, 0)); }

        public void Seek(long itemTime) { Text.Check(Native.unisono_player_seek(handle, itemTime, 0, 0, null)); }

        public void BeginScrub() { Text.Check(Native.unisono_player_begin_scrub(handle)); }

        public void ScrubTo(long itemTime) { Text.Check(Native.unisono_player_scrub_to(handle, itemTime)); }

        public void EndScrub(bool commit) { Text.Check(Native.unisono_player_end_scrub(handle, commit ? 1 : 0)); }

        public void BeginInterruption() { Text.Check(Native.unisono_player_begin_interruption(handle)); }

        public void EndInterruption(bool shouldResume) { Text.Check(Native.unisono_player_end_interruption(handle, shouldResume ? 1 : 0)); }

        public void SetVolume(double volume) { Text.Check(Native.unisono_player_set_volume(handle, volume)); }

        public TimeControl TimeControl { get { return (TimeControl)Text.Check(Native.unisono_player_time_control(handle)); } }

        public WaitingReason WaitingReason { get { return (WaitingReason)Text.Check(Native.unisono_player_waiting_reason(handle)); } }

        public ItemState ItemState { get { return (ItemState)Text.Check(Native.unisono_player_item_state(handle)); } }

        public unisono_player_statistics Statistics
        {
            get
            {
                unisono_player_statistics raw = new unisono_player_statistics { size = (uint)sizeof(unisono_player_statistics) };
                Text.Check(Native.unisono_player_get_statistics(handle, &raw));
                return raw;
            }
        }

        /// <summary>What the renderer has to say: an answer to a command, or what happened by itself (request 0). Ten Positions a second while it
        /// plays.</summary>
        public void Report(RendererState state, ulong request, long? itemTime = null, long? hostTime = null, long duration = 0,
                           Status status = Status.OK, string message = null)
        {
            unisono_renderer_report raw = new unisono_renderer_report {
                size = (uint)sizeof(unisono_renderer_report), state = state, request = request, duration = duration, status = (int)status };
            if (itemTime.HasValue)
            {
                raw.item_time = itemTime.Value;
                raw.host_time = hostTime ?? context.HostTime;
                raw.flags = Constants.HAS_POSITION;
            }
            fixed (byte* text = Text.Bytes(message))
            {
                raw.message = text;
                Text.Check(Native.unisono_player_report(handle, &raw));
            }
        }

        internal override void Deliver(unisono_context_event* raw)
        {
            unisono_renderer_command* command = Native.unisono_event_renderer(raw);
            unisono_player_event* change = Native.unisono_event_player(raw);
            if (command != null)
            {
                if (Commanded != null) Commanded(new RendererCommand(command));
            }
            else if (change != null)
            {
                if (Changed != null) Changed(new PlayerChange {
                    Type = raw->type, TimeControl = change->time_control, WaitingReason = change->waiting_reason,
                    ItemState = change->item_state, RateReason = change->rate_reason, Originator = new ParticipantId(change->originator),
                    Item = Text.From(change->item), Rate = change->rate, ItemTime = UnisonoTime.Known(change->item_time),
                    HostTime = UnisonoTime.Known(change->host_time), Request = change->request, Status = (Status)change->status });
            }
            else
            {
                base.Deliver(raw);
            }
        }

        internal override void End() { Native.unisono_player_destroy(handle); }
    }
}
