using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Unisono
{
    /// <summary>Names an entry of the playlist: 16 bytes. The default is none.</summary>
    public struct EntryId : IEquatable<EntryId>
    {
        readonly ParticipantId bytes; // as many, in the same order

        internal unsafe EntryId(unisono_entry_id id) { bytes = new ParticipantId(*(unisono_participant_id*)&id); }

        internal unsafe unisono_entry_id Raw
        {
            get
            {
                unisono_participant_id id = bytes.Raw;
                return *(unisono_entry_id*)&id;
            }
        }

        public bool IsNone { get { return bytes.IsNobody; } }

        public bool Equals(EntryId other) { return bytes == other.bytes; }

        public override bool Equals(object other) { return other is EntryId && Equals((EntryId)other); }

        public override int GetHashCode() { return bytes.GetHashCode(); }

        public static bool operator ==(EntryId one, EntryId other) { return one.Equals(other); }

        public static bool operator !=(EntryId one, EntryId other) { return !one.Equals(other); }

        /// <summary>In hexadecimal digits, in the order of its bytes.</summary>
        public override string ToString() { return bytes.ToString(); }
    }

    /// <summary>What identifies the copy that somebody has of an item.</summary>
    public sealed class Copy
    {
        /// <summary>Nanoseconds, more than 0; 0: not known.</summary>
        public long Duration;
        /// <summary>Bytes; 0: not known.</summary>
        public ulong FileSize;
        /// <summary>Of samples of the file, 32 bytes; null: not known.</summary>
        public byte[] Hash;

        /// <summary>Size and hash of a file. Reads from the disk, and so may block.</summary>
        public static unsafe Copy OfFile(string path, long duration = 0)
        {
            unisono_copy raw = new unisono_copy { size = (uint)sizeof(unisono_copy), duration = duration };
            fixed (byte* text = Text.Bytes(path)) Text.Check(Native.unisono_copy_of_file(text, &raw));
            return From(&raw);
        }

        internal static unsafe Copy From(unisono_copy* raw)
        {
            if (raw == null) return null;
            Copy copy = new Copy { Duration = raw->duration, FileSize = raw->file_size };
            if (raw->has_hash == 0) return copy;
            copy.Hash = new byte[32];
            for (int index = 0; index < 32; index++) copy.Hash[index] = raw->hash[index];
            return copy;
        }

        internal unsafe unisono_copy Raw
        {
            get
            {
                unisono_copy raw = new unisono_copy {
                    size = (uint)sizeof(unisono_copy), duration = Duration, file_size = FileSize, has_hash = Hash != null ? 1 : 0 };
                if (Hash != null && Hash.Length != 32) throw new ArgumentException("the hash of a copy has 32 bytes");
                for (int index = 0; Hash != null && index < 32; index++) raw.hash[index] = Hash[index];
                return raw;
            }
        }
    }

    /// <summary>A part of an entry that the group may leave out, ns of the group's item time, at least a second long.</summary>
    public struct SkipRange
    {
        public long Begin;
        public long End;
        public RangeKind Kind;

        internal static unsafe SkipRange[] From(unisono_range* raw, UIntPtr count)
        {
            SkipRange[] ranges = new SkipRange[(int)count];
            for (int index = 0; index < ranges.Length; index++)
                ranges[index] = new SkipRange { Begin = raw[index].begin, End = raw[index].end, Kind = raw[index].kind };
            return ranges;
        }
    }

    /// <summary>An entry of the playlist.</summary>
    public sealed class PlaylistEntry
    {
        /// <summary>As the library gave it; AddEntry does not look at it.</summary>
        public EntryId Id;
        /// <summary>1...1,023 bytes: what coordinators call it.</summary>
        public string Item;
        /// <summary>At most 255 bytes; null: none.</summary>
        public string Title;
        /// <summary>How to recognise a copy of it; null: not known.</summary>
        public Copy Copy;
        /// <summary>Where it can be had, at most 8.</summary>
        public string[] Addresses = new string[0];
        /// <summary>What the group may leave out, in their order, none overlapping the next; at most 16.</summary>
        public SkipRange[] Ranges = new SkipRange[0];
    }

    /// <summary>The playlist, in the order in which it is played.</summary>
    public sealed class Playlist
    {
        public PlaylistEntry[] Entries;
        /// <summary>Where the group is. It may have been removed from Entries.</summary>
        public EntryId Current;

        internal static unsafe Playlist From(unisono_playlist* raw)
        {
            PlaylistEntry[] entries = new PlaylistEntry[(int)raw->count];
            for (int index = 0; index < entries.Length; index++)
            {
                unisono_playlist_entry* one = raw->items[index];
                entries[index] = new PlaylistEntry {
                    Id = new EntryId(one->id), Item = Text.From(one->item), Title = Text.From(one->title), Copy = Copy.From(one->copy),
                    Addresses = Text.From(one->addresses, one->address_count),
                    Ranges = SkipRange.From(one->ranges, one->range_count) };
            }
            return new Playlist { Entries = entries, Current = new EntryId(raw->current) };
        }
    }

    /// <summary>The playlist, or where the group is in it, changed.</summary>
    public struct PlaylistChange
    {
        public bool EntriesChanged;
        /// <summary>The host loads Item and makes a transition to it, proposing to play where IsByEnd.</summary>
        public bool CurrentChanged, IsByEnd;
        public EntryId Current;
        /// <summary>Nobody: this participant, or nobody.</summary>
        public ParticipantId Originator;
        /// <summary>Of the current entry; null: none, or not known.</summary>
        public string Item;
    }

    /// <summary>Another's copy of the current entry, compared with the own one.</summary>
    public struct CopyComparison
    {
        public ParticipantId Participant;
        public EntryId Entry;
        /// <summary>Constants.DIFFERS_...; 0: it is the same.</summary>
        public uint Differs;
        /// <summary>The other's.</summary>
        public Copy Copy;
        /// <summary>The same for people.</summary>
        public string Message;
    }

    /// <summary>Something said in writing, or a reaction.</summary>
    public sealed class ChatEntry
    {
        public ChatKind Kind;
        /// <summary>Proven by signature.</summary>
        public ParticipantId Author;
        /// <summary>The author's, ascending; of a reaction 0.</summary>
        public ulong Number;
        /// <summary>When, in host time, and where the group was in what was on; null: not known.</summary>
        public long? Said, ItemTime;
        /// <summary>What was on, and the author's name; null: none.</summary>
        public string Item, Name;
        public string Text;

        internal static unsafe ChatEntry From(unisono_chat_entry* raw)
        {
            return new ChatEntry {
                Kind = raw->kind, Author = new ParticipantId(raw->author), Number = raw->number, Said = UnisonoTime.Known(raw->said),
                ItemTime = UnisonoTime.Known(raw->item_time), Item = Unisono.Text.From(raw->item), Name = Unisono.Text.From(raw->name),
                Text = Unisono.Text.From(raw->text) };
        }
    }

    /// <summary>Something is said; the own words, too.</summary>
    public struct ChatMessage
    {
        public ChatEntry Entry;
        /// <summary>IsHistory: it was said before this participant came, or while it was away.</summary>
        public bool IsOwn, IsHistory;
    }

    /// <summary>Something that is offered to the group.</summary>
    public sealed class Attachment
    {
        /// <summary>SHA-256 of the content, 32 bytes.</summary>
        public readonly byte[] Id = new byte[32];
        /// <summary>Nobody: it was never offered.</summary>
        public readonly ParticipantId Owner;
        /// <summary>Bytes.</summary>
        public readonly ulong Length;
        /// <summary>Could be that of a file.</summary>
        public readonly string Name;
        /// <summary>Such as "text/vtt"; "": not said.</summary>
        public readonly string MediaType;
        /// <summary>All of it is here, and others are given it.</summary>
        public readonly bool IsAvailable;

        internal unsafe Attachment(unisono_attachment* raw)
        {
            for (int index = 0; index < 32; index++) Id[index] = raw->id.bytes[index];
            Owner = new ParticipantId(raw->owner);
            Length = raw->length;
            Name = Text.From(raw->name);
            MediaType = Text.From(raw->media_type);
            IsAvailable = raw->is_available != 0;
        }

        internal unsafe unisono_attachment_id Raw
        {
            get
            {
                unisono_attachment_id raw;
                for (int index = 0; index < 32; index++) raw.bytes[index] = Id[index];
                return raw;
            }
        }
    }

    /// <summary>What becomes of an attachment.</summary>
    public struct AttachmentEvent
    {
        public AttachmentChange Change;
        public Attachment Attachment;
        /// <summary>Of the own call of Attach; 0: of none.</summary>
        public ulong Request;
        /// <summary>Bytes that are here.</summary>
        public ulong Transferred;
        /// <summary>Whose bytes were not it; nobody: not known.</summary>
        public ParticipantId Participant;
        public Status Status;
        /// <summary>The same for people.</summary>
        public string Message;
    }

    /// <summary>A start at a time that the group agreed on.</summary>
    public sealed class ScheduledStart
    {
        public readonly string Item;
        /// <summary>Of this device, ns: when everybody on the item begins.</summary>
        public readonly long HostTime;
        /// <summary>ns since 1970, by the clock of who scheduled it, for people; null: it did not say.</summary>
        public readonly long? CalendarTime;
        /// <summary>Of the host time, ns.</summary>
        public readonly long ErrorBound;
        /// <summary>Who scheduled it, or called it off; nobody: this participant.</summary>
        public readonly ParticipantId Originator;

        internal unsafe ScheduledStart(unisono_scheduled_start* raw)
        {
            Item = Text.From(raw->item);
            HostTime = raw->host_time;
            CalendarTime = UnisonoTime.Known(raw->calendar_time);
            ErrorBound = raw->error_bound;
            Originator = new ParticipantId(raw->originator);
        }
    }

    /// <summary>A scheduled start was set or called off, comes nearer or is due.</summary>
    public struct ScheduleEvent
    {
        public ScheduleChange Change;
        public ScheduledStart Start;
        /// <summary>ns until then; due: 0, or less where this was told late.</summary>
        public long Remaining;
    }

    /// <summary>What a group shares beside the transport: words, a playlist, files, a start to come. A session has one.</summary>
    public sealed unsafe class Shared
    {
        readonly IntPtr session;

        public event Action<ChatMessage> Said;
        public event Action<PlaylistChange> PlaylistChanged;
        public event Action<CopyComparison> CopyCompared;
        public event Action<AttachmentEvent> AttachmentChanged;
        public event Action<ScheduleEvent> ScheduleChanged;

        internal Shared(IntPtr session) { this.session = session; }

        /// <summary>Says something in writing, at most 2,000 bytes; returns its number.</summary>
        public ulong Say(string text)
        {
            ulong number;
            fixed (byte* bytes = Text.Bytes(text)) Text.Check(Native.unisono_session_chat(session, bytes, &number));
            return number;
        }

        /// <summary>Reacts to what is on just now, by at most 32 bytes.</summary>
        public void React(string text)
        {
            fixed (byte* bytes = Text.Bytes(text)) Text.Check(Native.unisono_session_react(session, bytes));
        }

        /// <summary>What was said and is kept: the last 200 entries at most.</summary>
        public ChatEntry[] History
        {
            get
            {
                unisono_chat* owned;
                Text.Check(Native.unisono_session_chat_history(session, &owned));
                try
                {
                    ChatEntry[] all = new ChatEntry[(int)owned->count];
                    for (int index = 0; index < all.Length; index++) all[index] = ChatEntry.From(owned->items[index]);
                    return all;
                }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>As of the last PlaylistChanged.</summary>
        public Playlist Playlist
        {
            get
            {
                unisono_playlist* owned;
                Text.Check(Native.unisono_session_playlist(session, &owned));
                try { return Playlist.From(owned); }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>Puts an entry before another one, or at the end; returns its id.</summary>
        public EntryId AddEntry(PlaylistEntry entry, EntryId before = default(EntryId))
        {
            unisono_playlist_entry raw = new unisono_playlist_entry { size = (uint)sizeof(unisono_playlist_entry) };
            unisono_entry_id place = before.Raw, id;
            unisono_copy copy = entry.Copy == null ? new unisono_copy() : entry.Copy.Raw;
            string[] addresses = entry.Addresses ?? new string[0];
            GCHandle[] kept = new GCHandle[addresses.Length];
            byte** pointers = stackalloc byte*[Math.Max(1, addresses.Length)];
            SkipRange[] given = entry.Ranges ?? new SkipRange[0];
            if (given.Length > 16) throw new ArgumentException("more than 16 ranges");
            unisono_range* ranges = stackalloc unisono_range[Math.Max(1, given.Length)];
            for (int index = 0; index < given.Length; index++)
                ranges[index] = new unisono_range { begin = given[index].Begin, end = given[index].End, kind = given[index].Kind };
            try
            {
                for (int index = 0; index < addresses.Length; index++)
                {
                    if (addresses[index] == null) throw new ArgumentException("an address is null");
                    kept[index] = GCHandle.Alloc(Text.Bytes(addresses[index]), GCHandleType.Pinned);
                    pointers[index] = (byte*)kept[index].AddrOfPinnedObject();
                }
                fixed (byte* item = Text.Bytes(entry.Item), title = Text.Bytes(entry.Title))
                {
                    raw.item = item;
                    raw.title = title;
                    raw.copy = entry.Copy == null ? null : &copy;
                    raw.addresses = addresses.Length == 0 ? null : pointers;
                    raw.address_count = (UIntPtr)addresses.Length;
                    raw.ranges = given.Length == 0 ? null : ranges;
                    raw.range_count = (UIntPtr)given.Length;
                    Text.Check(Native.unisono_session_add_entry(session, &raw, &place, &id));
                }
            }
            finally
            {
                foreach (GCHandle one in kept) if (one.IsAllocated) one.Free();
            }
            return new EntryId(id);
        }

        /// <summary>Before another one, or to the end.</summary>
        public void MoveEntry(EntryId entry, EntryId before = default(EntryId))
        {
            unisono_entry_id id = entry.Raw, place = before.Raw;
            Text.Check(Native.unisono_session_move_entry(session, &id, &place));
        }

        /// <summary>Takes it off the playlist, for good.</summary>
        public void RemoveEntry(EntryId entry)
        {
            unisono_entry_id id = entry.Raw;
            Text.Check(Native.unisono_session_remove_entry(session, &id));
        }

        /// <summary>The group goes there.</summary>
        public void SelectEntry(EntryId entry)
        {
            unisono_entry_id id = entry.Raw;
            Text.Check(Native.unisono_session_select_entry(session, &id));
        }

        /// <summary>The group goes on to the next entry, from wherever it is.</summary>
        public void NextEntry() { Text.Check(Native.unisono_session_next_entry(session, null)); }

        /// <summary>The group goes on to the next entry, unless it went on from this one already.</summary>
        public void NextEntry(EntryId follows)
        {
            unisono_entry_id id = follows.Raw;
            Text.Check(Native.unisono_session_next_entry(session, &id));
        }

        /// <summary>Which copy this participant plays of an entry; null: nothing is known of it. What differs from another's is told to
        /// both.</summary>
        public void SetCopy(EntryId entry, Copy copy)
        {
            unisono_entry_id id = entry.Raw;
            unisono_copy raw = copy == null ? new unisono_copy() : copy.Raw;
            Text.Check(Native.unisono_session_set_copy(session, &id, copy == null ? null : &raw));
        }

        /// <summary>How far this participant's copy of an entry, or without one of that which the group is at, is ahead of the group's item
        /// time, ns; at most 6 hours either way.</summary>
        public void SetCutOffset(long offset, EntryId entry = default(EntryId))
        {
            unisono_entry_id id = entry.Raw;
            Text.Check(Native.unisono_session_set_cut_offset(session, &id, offset));
        }

        /// <summary>Everybody on an item begins to play at one host time, from now on and at most 7 days ahead; it outlives who scheduled
        /// it. calendarTime: what this person's clock shows then, ns since 1970, for people.</summary>
        public void ScheduleStart(string item, long hostTime, long? calendarTime = null)
        {
            fixed (byte* text = Text.Bytes(item))
                Text.Check(Native.unisono_session_schedule_start(session, text, hostTime, calendarTime ?? Constants.TIME_INVALID));
        }

        /// <summary>Calls the scheduled start off; nothing where none is.</summary>
        public void CancelStart() { Text.Check(Native.unisono_session_cancel_start(session)); }

        /// <summary>The start that is scheduled and still to come; null: none.</summary>
        public ScheduledStart ScheduledStart
        {
            get
            {
                unisono_scheduled_start* owned;
                Text.Check(Native.unisono_session_scheduled_start(session, &owned));
                if (owned == null) return null;
                try { return new ScheduledStart(owned); }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>Offers a file to the group, at most 100 MB. name: null: the last part of the path. Returns the request that comes back with
        /// what becomes of it.</summary>
        public ulong Attach(string path, string name = null, string mediaType = null)
        {
            ulong request;
            fixed (byte* file = Text.Bytes(path), own = Text.Bytes(name), type = Text.Bytes(mediaType))
                Text.Check(Native.unisono_session_attach(session, file, own, type, &request));
            return request;
        }

        /// <summary>The same with bytes, at most 1 MiB.</summary>
        public ulong AttachBytes(byte[] data, string name, string mediaType = null)
        {
            ulong request;
            fixed (byte* bytes = data, own = Text.Bytes(name), type = Text.Bytes(mediaType))
                Text.Check(Native.unisono_session_attach_bytes(session, (IntPtr)bytes, (UIntPtr)data.Length, own, type, &request));
            return request;
        }

        /// <summary>What is offered now.</summary>
        public Attachment[] Attachments
        {
            get
            {
                unisono_attachments* owned;
                Text.Check(Native.unisono_session_attachments(session, &owned));
                try
                {
                    Attachment[] all = new Attachment[(int)owned->count];
                    for (int index = 0; index < all.Length; index++) all[index] = new Attachment(owned->items[index]);
                    return all;
                }
                finally { Native.unisono_free((IntPtr)owned); }
            }
        }

        /// <summary>Loads it into a new file, from whoever has it.</summary>
        public void Load(Attachment attachment, string path)
        {
            unisono_attachment_id id = attachment.Raw;
            fixed (byte* file = Text.Bytes(path)) Text.Check(Native.unisono_session_load_attachment(session, &id, file));
        }

        public void CancelLoading(Attachment attachment)
        {
            unisono_attachment_id id = attachment.Raw;
            Text.Check(Native.unisono_session_cancel_attachment(session, &id));
        }

        /// <summary>Takes it back, for all.</summary>
        public void Remove(Attachment attachment)
        {
            unisono_attachment_id id = attachment.Raw;
            Text.Check(Native.unisono_session_remove_attachment(session, &id));
        }

        /// <summary>False: the event is about something else.</summary>
        internal bool Deliver(unisono_context_event* raw)
        {
            switch (raw->type)
            {
                case EventKind.SessionChat:
                    unisono_chat_event* chat = Native.unisono_event_chat(raw);
                    if (Said != null) Said(new ChatMessage {
                        Entry = ChatEntry.From(chat->entry), IsOwn = chat->own != 0, IsHistory = chat->is_history != 0 });
                    return true;
                case EventKind.SessionPlaylist:
                    unisono_playlist_event* list = Native.unisono_event_playlist(raw);
                    if (PlaylistChanged != null) PlaylistChanged(new PlaylistChange {
                        EntriesChanged = list->entries_changed != 0, CurrentChanged = list->current_changed != 0, IsByEnd = list->by_end != 0,
                        Current = new EntryId(list->current), Originator = new ParticipantId(list->originator), Item = Text.From(list->item) });
                    return true;
                case EventKind.SessionCopy:
                    unisono_copy_event* copy = Native.unisono_event_copy(raw);
                    if (CopyCompared != null) CopyCompared(new CopyComparison {
                        Participant = new ParticipantId(copy->participant), Entry = new EntryId(copy->entry), Differs = copy->differs,
                        Copy = Copy.From(copy->copy), Message = Text.From(copy->message) });
                    return true;
                case EventKind.SessionSchedule:
                    unisono_schedule_event* news = Native.unisono_event_schedule(raw);
                    if (ScheduleChanged != null) ScheduleChanged(new ScheduleEvent {
                        Change = news->change, Start = new ScheduledStart(news->start), Remaining = news->remaining });
                    return true;
                case EventKind.SessionAttachment:
                    unisono_attachment_event* offered = Native.unisono_event_attachment(raw);
                    if (AttachmentChanged != null) AttachmentChanged(new AttachmentEvent {
                        Change = offered->change, Attachment = new Attachment(offered->attachment), Request = offered->request,
                        Transferred = offered->transferred, Participant = new ParticipantId(offered->participant),
                        Status = (Status)offered->status, Message = Text.From(offered->message) });
                    return true;
                default:
                    return false;
            }
        }
    }
}
