/* call_at beside a plain uv_timer, and expected_item_time as an audio thread calls it. Prints what was measured, then one
 * line; exit status 0 only if what is promised holds.
 *
 *   bench_time [CALLS]          of call_at, 25 a second; default 1,000
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unisono.h>
#include <unistd.h>
#include <uv.h>

enum { INTERVAL_MS = 40, READS = 2000000, BATCH = 64 };
static const double MOST_LATE_US = 150, MOST_CPU_PERCENT = 0.5, MOST_READ_NS = 200;

/* ---- Allocations of this thread, whoever makes them -------------------------------------------------------- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static __thread uint64_t allocations;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
  allocations++;
  *out = __libc_memalign(alignment, size);
  return *out == NULL ? 12 : 0;
}

/* ---- Small helpers ------------------------------------------------------------------------------------------- */

static void must(int32_t status, const char *what) {
  if (status >= 0) return;
  fprintf(stderr, "bench_time: %s: %s (%s)\n", what, unisono_last_error(), unisono_strerror(status));
  exit(1);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double share) {
  qsort(values, count, sizeof *values, ascending);
  return values[(size_t)((double)(count - 1) * share)];
}

static double cpu_seconds(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void rest_until(int64_t host_time) {
  struct timespec moment = {host_time / 1000000000, host_time % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
}

/* ---- Lateness -------------------------------------------------------------------------------------------------- */

static double *late_us, *plain_us;
static int calls, fired, plain_fired;
static int64_t plain_due;

static void on_call(void *user, const unisono_timer_event *event) {
  (void)event;
  int64_t due = (int64_t)(intptr_t)user;
  late_us[fired++] = (double)(unisono_host_time() - due) / 1e3;
}

static void on_plain(uv_timer_t *timer) {
  plain_us[plain_fired++] = (double)((int64_t)uv_hrtime() - plain_due) / 1e3;
  if (plain_fired == calls) return;
  uv_update_time(timer->loop);
  plain_due = (int64_t)uv_hrtime() + INTERVAL_MS * 1000000;
  uv_timer_start(timer, on_plain, INTERVAL_MS, 0);
}

static void *run_plain(void *unused) {
  (void)unused;
  uv_loop_t loop;
  uv_timer_t timer;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  plain_due = (int64_t)uv_hrtime() + INTERVAL_MS * 1000000;
  uv_timer_start(&timer, on_plain, INTERVAL_MS, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  return NULL;
}

/* Share of a core that the context's own thread and this one use for it, percent. */
static double measure_lateness(unisono_context *context, int beside_plain) {
  pthread_t plain;
  fired = plain_fired = 0;
  if (beside_plain) pthread_create(&plain, NULL, run_plain, NULL);
  double before = cpu_seconds(RUSAGE_SELF);
  int64_t start = unisono_host_time(), due = start;
  for (int i = 0; i < calls; i++) {
    due += INTERVAL_MS * 1000000 + (i * 7919 % 1000 - 500) * 1000; /* not in step with any tick */
    must(unisono_context_call_at(context, due, on_call, (void *)(intptr_t)due, NULL), "call_at");
    rest_until(due + 2000000);
  }
  double used = cpu_seconds(RUSAGE_SELF) - before, took = (double)(unisono_host_time() - start) / 1e9;
  if (beside_plain) pthread_join(plain, NULL);
  return 100 * used / took;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

struct reading {
  double *ns;
  size_t batches;
  uint64_t allocations;
  unisono_coordinator *coordinator;
};

/* As an audio thread does it; in batches, because a clock costs as much to read as what is measured. */
static void *read_positions(void *argument) {
  struct reading *reading = argument;
  int64_t position = 0, sum = 0;
  must(unisono_coordinator_expected_item_time(reading->coordinator, unisono_host_time(), &position), "expected_item_time");
  uint64_t before = allocations;
  for (size_t batch = 0; batch < reading->batches; batch++) {
    int64_t start = unisono_host_time();
    for (int i = 0; i < BATCH; i++) {
      unisono_coordinator_expected_item_time(reading->coordinator, start + i, &position);
      sum += position;
    }
    reading->ns[batch] = (double)(unisono_host_time() - start) / BATCH;
  }
  reading->allocations = allocations - before;
  return (void *)(intptr_t)sum;
}

/* A player that is always where it is told to be. */
static void obey(void *user, const unisono_command *command) {
  unisono_coordinator **coordinator = user;
  unisono_coordinator_complete(*coordinator, command->id);
}

int main(int argc, char **argv) {
  calls = argc > 1 ? atoi(argv[1]) : 1000;
  if (calls < 100) calls = 100;
  late_us = __libc_calloc((size_t)calls, sizeof *late_us);
  plain_us = __libc_calloc((size_t)calls, sizeof *plain_us);
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.own_thread = 1;
  unisono_context *context = NULL;
  must(unisono_context_create(&options, &context), "context");

  double cpu = measure_lateness(context, 0);
  measure_lateness(context, 1);
  double p50 = quantile(late_us, (size_t)calls, 0.5), p99 = quantile(late_us, (size_t)calls, 0.99);
  double plain50 = quantile(plain_us, (size_t)calls, 0.5), plain99 = quantile(plain_us, (size_t)calls, 0.99);
  printf("call_at   lateness us: median %.1f p99 %.1f max %.1f earliest %.1f; all of it %.2f %% of a core at %d calls a second\n",
         p50, p99, late_us[calls - 1], late_us[0], cpu, 1000 / INTERVAL_MS);
  printf("uv_timer  lateness us: median %.1f p99 %.1f max %.1f (plain, at the same time, whole milliseconds)\n", plain50,
         plain99, plain_us[calls - 1]);

  struct reading reading = {.batches = READS / BATCH};
  reading.ns = __libc_calloc(reading.batches, sizeof *reading.ns);
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = obey;
  must(unisono_coordinator_create(context, &delegate, &reading.coordinator, &reading.coordinator), "coordinator");
  must(unisono_coordinator_transition_to_item(reading.coordinator, "film", NULL), "transition");
  must(unisono_coordinator_coordinate_rate_change(reading.coordinator, 1, 0), "play");
  unisono_timing timing = UNISONO_TIMING_INIT;
  while (unisono_coordinator_timing(reading.coordinator, &timing) < 0 || timing.status != UNISONO_TIMING_PLAYING)
    rest_until(unisono_host_time() + 1000000);
  pthread_t audio;
  pthread_create(&audio, NULL, read_positions, &reading);
  pthread_join(audio, NULL);
  double read50 = quantile(reading.ns, reading.batches, 0.5), read99 = quantile(reading.ns, reading.batches, 0.99);
  printf("expected_item_time ns: median %.1f p99 %.1f; %" PRIu64 " allocations in %zu calls\n", read50, read99,
         reading.allocations, reading.batches * BATCH);
  unisono_context_destroy(context);

  double loads[1] = {0};
  getloadavg(loads, 1);
  int holds = p99 < MOST_LATE_US && late_us[0] >= 0 && cpu < MOST_CPU_PERCENT && read50 < MOST_READ_NS &&
              reading.allocations == 0;
  printf("bench-time: %s: call_at p99 %.1f us (under %.0f), %.2f %% of a core (under %.1f), expected_item_time %.1f ns (under "
         "%.0f), %" PRIu64 " allocations; load %.1f\n",
         holds ? "holds" : "FAILED", p99, MOST_LATE_US, cpu, MOST_CPU_PERCENT, read50, MOST_READ_NS, reading.allocations,
         loads[0]);
  return holds ? 0 : 1;
}
