using System;
using System.Collections.Generic;

namespace Unisono
{
    /// <summary>How a simulated context is connected to all others: what it sends takes its DelayOut and the other's DelayIn.</summary>
    public sealed class SimulatedLink
    {
        /// <summary>Nanoseconds one way, 0...60 s; each passage is late or early by up to Jitter.</summary>
        public long DelayOut, DelayIn, Jitter;
        /// <summary>Share of datagrams that are lost, 0...1; streams lose nothing.</summary>
        public double Loss;
        /// <summary>Nothing passes; streams go on when the link is up again.</summary>
        public bool IsDown;
    }

    /// <summary>A clock that stands still until Advance moves it, and a network in memory, for tests of hosts: no sockets, no waiting. Never for
    /// anything else: keys follow the seed.</summary>
    public sealed unsafe class Simulation : IDisposable
    {
        readonly List<Context> contexts = new List<Context>();
        readonly IntPtr handle;
        bool isDisposed;

        /// <summary>seed: of everything that is random, keys, too.</summary>
        public Simulation(ulong seed = 0)
        {
            unisono_simulation_options raw = new unisono_simulation_options { size = (uint)sizeof(unisono_simulation_options), random_seed = seed };
            IntPtr made;
            Text.Check(Native.unisono_simulation_create(&raw, &made));
            handle = made;
        }

        /// <summary>Another machine, whose clock is ahead by so many nanoseconds at first, and faster by so many parts per million. Its events are
        /// raised inside Advance.</summary>
        public Context Context(ContextOptions options = null, long clockOffset = 0, double clockDrift = 0)
        {
            Context made = new Context(options, this, clockOffset, clockDrift);
            contexts.Add(made);
            return made;
        }

        internal int Make(unisono_context_options* options, long clockOffset, double clockDrift, IntPtr* made)
        {
            return Native.unisono_simulation_context(handle, options, null, IntPtr.Zero, clockOffset, clockDrift, made);
        }

        /// <summary>How a context is connected to all others from now on; before: 0.1 ms each way.</summary>
        public void SetLink(Context context, SimulatedLink link)
        {
            unisono_simulated_link raw = new unisono_simulated_link {
                size = (uint)sizeof(unisono_simulated_link), down = link.IsDown ? 1 : 0, delay_out = link.DelayOut, delay_in = link.DelayIn,
                jitter = link.Jitter, loss = link.Loss };
            Text.Check(Native.unisono_simulation_set_link(handle, context.handle, &raw));
        }

        /// <summary>Moves the clock on by nanoseconds, and raises the events of all contexts at most `step` after what they tell of. 0: what
        /// is due now.</summary>
        public void Advance(long duration, long step = 10000000)
        {
            if (step <= 0) throw new ArgumentOutOfRangeException("step", "is the time between two looks at the events: more than 0");
            do
            {
                long part = Math.Min(duration, step);
                Text.Check(Native.unisono_simulation_advance(handle, part));
                contexts.RemoveAll(one => one.IsDisposed);
                foreach (Context one in contexts.ToArray()) if (!one.IsDisposed) one.Poll();
                duration -= part;
            } while (duration > 0);
        }

        /// <summary>Ends it and its contexts.</summary>
        public void Dispose()
        {
            foreach (Context one in contexts) one.Dispose();
            contexts.Clear();
            if (!isDisposed) Native.unisono_simulation_destroy(handle);
            isDisposed = true;
            GC.SuppressFinalize(this);
        }

        ~Simulation() { Native.unisono_simulation_destroy(handle); }
    }
}
