using System;
using System.Text;

namespace Unisono
{
    /// <summary>A call of the library failed; the message is a sentence: what was wrong, in which call, how to mend it.</summary>
    public sealed class UnisonoException : Exception
    {
        public Status Status { get; }

        internal UnisonoException(Status status, string message) : base(message) { Status = status; }
    }

    /// <summary>Times are nanoseconds, as everywhere in Unisono. One that is not known is null.</summary>
    public static class UnisonoTime
    {
        public const long Second = 1000000000;

        public static double Seconds(long nanoseconds) { return nanoseconds / 1e9; }

        public static long Nanoseconds(double seconds) { return (long)(seconds * 1e9); }

        /// <summary>Host time now; within a context, Context.HostTime.</summary>
        public static long Host { get { return Native.unisono_host_time(); } }

        internal static long? Known(long time) { return time == Constants.TIME_INVALID ? (long?)null : time; }
    }

    /// <summary>Who somebody is in a session: 16 bytes. The default is nobody.</summary>
    public struct ParticipantId : IEquatable<ParticipantId>
    {
        readonly ulong first, second; // as they lie in memory

        internal unsafe ParticipantId(unisono_participant_id id)
        {
            ulong one, other;
            byte* to = (byte*)&one;
            for (int index = 0; index < 8; index++) to[index] = id.bytes[index];
            to = (byte*)&other;
            for (int index = 0; index < 8; index++) to[index] = id.bytes[8 + index];
            first = one;
            second = other;
        }

        internal unsafe unisono_participant_id Raw
        {
            get
            {
                unisono_participant_id id;
                ulong one = first, other = second;
                for (int index = 0; index < 8; index++) id.bytes[index] = ((byte*)&one)[index];
                for (int index = 0; index < 8; index++) id.bytes[8 + index] = ((byte*)&other)[index];
                return id;
            }
        }

        public bool IsNobody { get { return first == 0 && second == 0; } }

        public bool Equals(ParticipantId other) { return first == other.first && second == other.second; }

        public override bool Equals(object other) { return other is ParticipantId && Equals((ParticipantId)other); }

        public override int GetHashCode() { return first.GetHashCode() ^ second.GetHashCode(); }

        public static bool operator ==(ParticipantId one, ParticipantId other) { return one.Equals(other); }

        public static bool operator !=(ParticipantId one, ParticipantId other) { return !one.Equals(other); }

        /// <summary>In hexadecimal digits, in the order of its bytes.</summary>
        public override unsafe string ToString()
        {
            unisono_participant_id id = Raw;
            StringBuilder text = new StringBuilder(32);
            for (int index = 0; index < 16; index++) text.Append(id.bytes[index].ToString("x2"));
            return text.ToString();
        }
    }

    /// <summary>Somebody in a session, as it was when this was read.</summary>
    public sealed class Participant
    {
        public readonly ParticipantId Id, Person;
        public readonly Connection Connection;
        public readonly string DisplayName, DeviceName;
        /// <summary>What it is on; null: nothing.</summary>
        public readonly string Item;
        /// <summary>Why it takes no part; empty: it does.</summary>
        public readonly string[] SuspensionReasons;
        public readonly Role Role;
        public readonly bool IsLocal, IsReady, IsSpeaking;
        /// <summary>As last reported by it: its speed, and its position at a host time.</summary>
        public readonly double Rate;
        public readonly long? ItemTime, HostTime;
        /// <summary>To the hub, and the bound of its clock's error.</summary>
        public readonly long? RoundTrip, ClockError;
        /// <summary>The status with which its player failed, while it is suspended for that; 0: none.</summary>
        public readonly int Failure;
        /// <summary>Bits of unisono_split_kind: it and this participant do not hear each other; 0: nothing of that is known.</summary>
        public readonly uint Split;
        /// <summary>What its person says of being ready; IsReady is its player's.</summary>
        public readonly Readiness Readiness;
        /// <summary>How far its copy is ahead of the group's item time, ns.</summary>
        public readonly long CutOffset;
        /// <summary>It was not ready for two starts in a row, and none waits for it until it was ready for one.</summary>
        public readonly bool IsGivenUp;

        internal unsafe Participant(unisono_participant* raw)
        {
            Id = new ParticipantId(raw->id);
            Person = new ParticipantId(raw->person);
            Connection = raw->connection;
            DisplayName = Text.From(raw->display_name);
            DeviceName = Text.From(raw->device_name);
            Item = Text.From(raw->item);
            SuspensionReasons = Text.From(raw->suspension_reasons, raw->suspension_reason_count);
            Role = raw->role;
            IsLocal = raw->is_local != 0;
            IsReady = raw->ready != 0;
            IsSpeaking = raw->speaking != 0;
            Rate = raw->rate;
            ItemTime = UnisonoTime.Known(raw->item_time);
            HostTime = UnisonoTime.Known(raw->host_time);
            RoundTrip = UnisonoTime.Known(raw->round_trip);
            ClockError = UnisonoTime.Known(raw->clock_error);
            Failure = raw->failure;
            Split = raw->split;
            Readiness = raw->readiness;
            CutOffset = raw->cut_offset;
            IsGivenUp = raw->given_up != 0;
        }

        internal static unsafe Participant[] From(unisono_participant** items, UIntPtr count)
        {
            Participant[] all = new Participant[(int)count];
            for (int index = 0; index < all.Length; index++) all[index] = new Participant(items[index]);
            return all;
        }
    }

    /// <summary>Text as C has it: UTF-8 with a final NUL.</summary>
    static unsafe class Text
    {
        internal static string From(byte* text)
        {
            if (text == null) return null;
            int length = 0;
            while (text[length] != 0) length++;
            return length == 0 ? "" : Encoding.UTF8.GetString(text, length);
        }

        internal static string[] From(byte** texts, UIntPtr count)
        {
            string[] all = new string[(int)count];
            for (int index = 0; index < all.Length; index++) all[index] = From(texts[index]);
            return all;
        }

        /// <summary>Null stays null.</summary>
        internal static byte[] Bytes(string text)
        {
            if (text == null) return null;
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a text has a NUL inside, where C would cut it off");
            byte[] bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        internal static int Check(int result)
        {
            if (result >= 0) return result;
            string message = From(Native.unisono_last_error());
            throw new UnisonoException((Status)result, message == "" ? From(Native.unisono_strerror(result)) : message);
        }
    }
}
