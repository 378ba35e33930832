using System;
using System.Collections.Generic;

namespace Unisono
{
    /// <summary>What a session, a coordinator or a player has in common: a handle that gets events, until it is disposed.</summary>
    public abstract unsafe class Source : IDisposable
    {
        internal readonly Context context;
        internal readonly IntPtr handle;

        /// <summary>A call that was taken was refused later: the function of the C interface, why, and a sentence.</summary>
        public event Action<string, Status, string> Refused;

        internal Source(Context context, IntPtr handle)
        {
            this.context = context;
            this.handle = handle;
            context.sources[handle] = this;
        }

        internal virtual void Deliver(unisono_context_event* raw)
        {
            unisono_error_event* error = Native.unisono_event_error(raw);
            if (error != null && Refused != null) Refused(Text.From(error->operation), (Status)error->status, Text.From(error->message));
        }

        /// <summary>Ends it; no event of it comes any more. Again is fine.</summary>
        public void Dispose()
        {
            context.sources.Remove(handle);
            End();
        }

        internal abstract void End();
    }

    public sealed class ContextOptions
    {
        /// <summary>At most 63 bytes; null: the host's name.</summary>
        public string DeviceName;
        /// <summary>A folder for remembered answers; null: memory only.</summary>
        public string StoragePath;
        /// <summary>A secret of 16 bytes, the same on all devices of one person; null: this device alone.</summary>
        public byte[] Person;
        public LogLevel LogLevel;
        /// <summary>The library's own work (the network, the clock) is done inside Poll instead of in a thread of the library, which never
        /// enters managed code. A poll then costs tenths of a millisecond where it has work, and a long frame delays others.</summary>
        public bool WorksInPoll;
    }

    /// <summary>The loop and everything that lives on it. Events are raised inside Poll, on the thread that calls it, and nowhere else.
    /// One thread uses a context and what was made from it.</summary>
    public sealed unsafe class Context : IDisposable
    {
        internal readonly Dictionary<IntPtr, Source> sources = new Dictionary<IntPtr, Source>();
        readonly Dictionary<ulong, Action<bool>> timers = new Dictionary<ulong, Action<bool>>();
        internal readonly IntPtr handle;

        /// <summary>A line of the library's log.</summary>
        public event Action<LogLevel, string> Logged;

        public Context(ContextOptions options = null) : this(options, null, 0, 0) { }

        internal Context(ContextOptions options, Simulation simulation, long clockOffset, double clockDrift)
        {
            ContextOptions given = options ?? new ContextOptions();
            unisono_context_options raw = new unisono_context_options { size = (uint)sizeof(unisono_context_options), event_queue = 1 };
            if (given.Person != null && given.Person.Length != 16) throw new ArgumentException("a person's secret has 16 bytes");
            for (int index = 0; given.Person != null && index < 16; index++) raw.person[index] = given.Person[index];
            raw.log_level = given.LogLevel;
            raw.own_thread = given.WorksInPoll || simulation != null ? 0 : 1;
            IntPtr made;
            fixed (byte* name = Text.Bytes(given.DeviceName), path = Text.Bytes(given.StoragePath))
            {
                raw.device_name = name;
                raw.storage_path = path;
                Text.Check(simulation == null
                    ? Native.unisono_context_create(&raw, null, IntPtr.Zero, &made)
                    : simulation.Make(&raw, clockOffset, clockDrift, &made));
            }
            handle = made;
        }

        /// <summary>Like "0.2.0".</summary>
        public static string Version { get { return Text.From(Native.unisono_version()); } }

        /// <summary>Now, on the clock this context lives by.</summary>
        public long HostTime { get { return Native.unisono_context_host_time(handle); } }

        /// <summary>Raises the events that are there. maxWait: how long to wait for the first one; 0 does not wait. Returns how many came.
        /// An exception of a handler leaves it; what is left comes with the next call. Without an event it allocates nothing.</summary>
        public int Poll(long maxWait = 0)
        {
            int count = 0;
            unisono_context_event* raw;
            while (Text.Check(Native.unisono_context_next_event(handle, maxWait, &raw)) == 1)
            {
                count++;
                maxWait = 0;
                if (IsDisposed) break;
                Deliver(raw);
                if (IsDisposed) break;
            }
            return count;
        }

        public bool IsDisposed { get; private set; }

        void Deliver(unisono_context_event* raw)
        {
            if (raw->type == EventKind.Timer)
            {
                unisono_timer_event* timer = Native.unisono_event_timer(raw);
                Action<bool> action;
                if (!timers.TryGetValue(timer->token, out action)) return;
                timers.Remove(timer->token);
                action(timer->status == 0);
            }
            else if (raw->type == EventKind.Log)
            {
                unisono_log_event* line = Native.unisono_event_log(raw);
                if (Logged != null) Logged(line->level, Text.From(line->message));
            }
            else
            {
                Source source;
                if (sources.TryGetValue(raw->source, out source)) source.Deliver(raw);
            }
        }

        /// <summary>Calls once, inside Poll, when a host time has come: with false when it was cancelled. Returns a token for Cancel.</summary>
        public ulong CallAt(long hostTime, Action<bool> action)
        {
            ulong token;
            Text.Check(Native.unisono_context_call_at(handle, hostTime, IntPtr.Zero, IntPtr.Zero, &token));
            timers[token] = action;
            return token;
        }

        /// <summary>False: it was called already.</summary>
        public bool Cancel(ulong token)
        {
            int result = Native.unisono_context_cancel(handle, token);
            return result != (int)Status.ENOTFOUND && Text.Check(result) == 0;
        }

        /// <summary>Leaves, and ends everything that was made from it.</summary>
        public void Dispose()
        {
            if (IsDisposed) return;
            IsDisposed = true;
            Native.unisono_context_destroy(handle);
            sources.Clear();
            timers.Clear();
            GC.SuppressFinalize(this);
        }

        ~Context() { Native.unisono_context_destroy(handle); }
    }
}
