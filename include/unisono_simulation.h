/* unisono_simulation.h: virtual time and a network in memory, for tests of hosts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Includes unisono.h; its rules of lifetimes, errors, units and marks hold here. Contexts of one simulation share a clock that
 * stands still until unisono_simulation_advance moves it, and a network in memory with delays and losses. Everything that is made
 * from them (sessions, coordinators, players, hubs, devices nearby) works as ever, without sockets and without waiting: an hour of
 * five participants takes seconds. One seed, one run: only then the same calls at the same times lead to the same decisions.
 *
 * NEVER FOR ANYTHING BUT TESTS: keys follow the seed, so that whoever knows it reads everything.
 */
#ifndef UNISONO_SIMULATION_H
#define UNISONO_SIMULATION_H

#include "unisono.h"

UNISONO_BEGIN_DECLARATIONS

/* A clock, a network, and the contexts on them. @since 0.2 */
typedef struct unisono_simulation unisono_simulation;

/* @since 0.2 */
typedef struct unisono_simulation_options {
  uint32_t    size;
  uint32_t    reserved;
  uint64_t    random_seed;              /* of everything that is random, keys, too; every number is one */
  int64_t     start_time;               /* host time at first, ns, >= 0; 0: 1,000 s */
} unisono_simulation_options;
#define UNISONO_SIMULATION_OPTIONS_INIT UNISONO_INIT(unisono_simulation_options)

/* How a context is connected to all others: what it sends takes its delay_out and the other's delay_in. Zeroes: at once.
 * @since 0.2 */
typedef struct unisono_simulated_link {
  uint32_t    size;
  int32_t     down;                     /* 1: nothing passes; streams stand still, and go on when the link is up again */
  int64_t     delay_out, delay_in;      /* ns one way, 0...60 s */
  int64_t     jitter;                   /* ns: each passage is late or early by up to so much, 0...60 s; streams keep their order */
  double      loss;                     /* share of datagrams that are lost, 0...1; streams lose nothing */
} unisono_simulated_link;
#define UNISONO_SIMULATED_LINK_INIT UNISONO_INIT(unisono_simulated_link)

/* Makes a clock and a network, without contexts yet.
 * options: NULL: seed 0. Copied.
 * out: end it with unisono_simulation_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM (too many handles).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_simulation_create(const unisono_simulation_options *options, unisono_simulation **out);

/* Makes a context that lives on the simulation's clock, a machine of its own in its network (10.0.0.1, 10.0.0.2 ...). Callbacks
 * come inside unisono_simulation_advance, on its thread, or events go to the queue; unisono_context_poll, _fd and _timeout answer
 * UNISONO_ESTATE, and unisono_context_next_event waits for nothing. random_seed 0 follows the simulation's.
 * options: as of unisono_context_create, without own_thread and uv_loop. callbacks, user: as there.
 * clock_offset: ns that its clock is ahead of the simulation's at first, -10^15...10^15.
 * clock_drift_ppm: how much faster its clock goes, -500...500.
 * out: end it with unisono_context_destroy, at any time; else it ends with the simulation.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ECLOSED.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_simulation_context(
    unisono_simulation *simulation, const unisono_context_options *options, const unisono_context_callbacks *callbacks, void *user,
    int64_t clock_offset, double clock_drift_ppm, unisono_context **out);

/* Sets how a context is connected from now on; before: 0.1 ms each way, without jitter or loss.
 * context: one of this simulation. link: copied.
 * Errors: UNISONO_EINVAL (a field out of range, or a context that is not simulated here), UNISONO_ECLOSED.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_simulation_set_link(
    unisono_simulation *simulation, unisono_context *context, const unisono_simulated_link *link);

/* Moves the clock on and runs everything that becomes due meanwhile, callbacks included, on this thread.
 * duration: ns, >= 0; 0: what is due now, such as calls that were accepted and have not been carried out yet.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (inside a callback of one of its contexts), UNISONO_EBUSY (another thread is in it),
 * UNISONO_ECLOSED.
 * @since 0.2 */
UNISONO_LOOP UNISONO_API(int32_t) unisono_simulation_advance(unisono_simulation *simulation, int64_t duration);

/* Ends the simulation and its contexts, as unisono_context_destroy ends each. NULL and destroyed handles: nothing happens.
 * @since 0.2 */
UNISONO_WAITS UNISONO_API(void) unisono_simulation_destroy(unisono_simulation *simulation);

UNISONO_END_DECLARATIONS
#endif /* UNISONO_SIMULATION_H */
