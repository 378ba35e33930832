/* call_at beside a plain uv_timer and a bare nanosleep, and expected_item_time as an audio thread calls it. Prints what was
 * measured, then one line. Exit status 0: what is promised holds; 1: it does not; 3: calls came too late, but other
 * programs used more than a twentieth of the machine, and punctuality is promised for an idle one.
 *
 *   bench_time [CALLS]          of each kind, 25 a second; default 1,000
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unisono.h>
#include <unistd.h>
#include <uv.h>

enum { INTERVAL_MS = 40, TURN = 25, READS = 2000000, BATCH = 64 };
static const double MOST_LATE_US = 150, MOST_CPU_PERCENT = 0.5, MOST_READ_NS = 200, MOST_OTHERS_PERCENT = 5;

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

/* One way of being called at an instant. They take turns of a second each, so that all of them meet the same machine and
 * none keeps the processors awake for another. */
struct way {
  const char *name;
  double *late_us;
  int fired;
  /* What the thread that is called used, all in all, ns, and for how long it ran, ns. */
  int64_t used, took;
};

static struct way ours = {.name = "call_at"}, foreign = {.name = "foreign"}, plain = {.name = "uv_timer"},
                  bare = {.name = "nanosleep"};

static int64_t thread_cpu(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* Not in step with any tick. */
static int64_t following(int64_t due, int index) { return due + INTERVAL_MS * 1000000 + (index * 7919 % 1000 - 500) * 1000; }

static void note(struct way *way, int64_t due) { way->late_us[way->fired++] = (double)(unisono_host_time() - due) / 1e3; }

/* A chain of calls, each asked for by the one before. */
struct chain {
  struct way *way;
  unisono_context *context;
  int64_t due, start, used;
  int left;
  sem_t over;
};

static void on_call(void *user, const unisono_timer_event *event) {
  struct chain *chain = user;
  if (event->status != UNISONO_OK) return;
  if (chain->left == TURN) { /* the first only begins */
    chain->start = chain->due = unisono_host_time();
    chain->used = thread_cpu();
  } else {
    note(chain->way, chain->due);
  }
  if (chain->left-- == 0) {
    chain->way->used += thread_cpu() - chain->used;
    chain->way->took += unisono_host_time() - chain->start;
    if (chain->way == &foreign) unisono_context_destroy(chain->context);
    sem_post(&chain->over);
    return;
  }
  chain->due = following(chain->due, chain->way->fired);
  must(unisono_context_call_at(chain->context, chain->due, on_call, chain, NULL), "call_at");
}

static void turn_of_call_at(unisono_context *context) {
  struct chain chain = {.way = &ours, .context = context, .left = TURN};
  sem_init(&chain.over, 0, 0);
  must(unisono_context_call_at(context, 0, on_call, &chain, NULL), "call_at");
  while (sem_wait(&chain.over) != 0) continue;
  sem_destroy(&chain.over);
}

/* The same on a loop of the host's, where the library never keeps a thread: what being punctual costs is the difference. */
static void *turn_of_foreign(void *unused) {
  (void)unused;
  uv_loop_t loop;
  uv_loop_init(&loop);
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.uv_loop = &loop;
  options.uv_loop_size = uv_loop_size();
  struct chain chain = {.way = &foreign, .left = TURN};
  sem_init(&chain.over, 0, 0);
  must(unisono_context_create(&options, NULL, NULL, &chain.context), "context on a loop");
  must(unisono_context_call_at(chain.context, 0, on_call, &chain, NULL), "call_at");
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  sem_destroy(&chain.over);
  return NULL;
}

static int64_t plain_due;
static int plain_left;

static void on_plain(uv_timer_t *timer) {
  note(&plain, plain_due);
  if (--plain_left == 0) return;
  uv_update_time(timer->loop);
  plain_due = (int64_t)uv_hrtime() + INTERVAL_MS * 1000000;
  uv_timer_start(timer, on_plain, INTERVAL_MS, 0);
}

static void *turn_of_uv_timer(void *unused) {
  (void)unused;
  uv_loop_t loop;
  uv_timer_t timer;
  int64_t used = thread_cpu(), start = unisono_host_time();
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  plain_left = TURN;
  plain_due = (int64_t)uv_hrtime() + INTERVAL_MS * 1000000;
  uv_timer_start(&timer, on_plain, INTERVAL_MS, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  plain.used += thread_cpu() - used;
  plain.took += unisono_host_time() - start;
  return NULL;
}

/* The least that a program can do, which shows how fast this machine wakes up at all. */
static void *turn_of_nanosleep(void *unused) {
  (void)unused;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* of this thread */
  int64_t used = thread_cpu(), start = unisono_host_time(), due = start;
  for (int i = 0; i < TURN; i++) {
    due = following(due, bare.fired);
    rest_until(due);
    note(&bare, due);
  }
  bare.used += thread_cpu() - used;
  bare.took += unisono_host_time() - start;
  return NULL;
}

static void on_thread(void *(*turn)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, turn, NULL) == 0) pthread_join(thread, NULL);
}

static double share_of_core(const struct way *way) { return 100 * (double)way->used / (double)way->took; }

static void print_way(struct way *way, const char *what) {
  size_t count = (size_t)way->fired;
  qsort(way->late_us, count, sizeof *way->late_us, ascending);
  printf("%-9s lateness us: median %6.1f p95 %6.1f p99 %6.1f max %7.1f earliest %.1f; its thread %.2f %% of a core (%s)\n",
         way->name, quantile(way->late_us, count, 0.5), quantile(way->late_us, count, 0.95),
         quantile(way->late_us, count, 0.99), way->late_us[count - 1], way->late_us[0], share_of_core(way), what);
}

/* Processor time of the whole machine, ticks: all there was, and what was used. */
struct machine {
  double all, used;
};

static struct machine machine_now(void) {
  struct machine machine = {0, 0};
  double ticks[8] = {0};
  FILE *file = fopen("/proc/stat", "r");
  if (file == NULL) return machine;
  if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5],
             &ticks[6], &ticks[7]) == 8)
    for (int i = 0; i < 8; i++) {
      machine.all += ticks[i];
      if (i != 3 && i != 4) machine.used += ticks[i]; /* idle and waiting for a disk; what was stolen counts as used */
    }
  fclose(file);
  return machine;
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
  int turns = ((argc > 1 ? atoi(argv[1]) : 1000) + TURN - 1) / TURN;
  if (turns < 4) turns = 4;
  for (struct way *way[] = {&ours, &foreign, &plain, &bare}, **one = way; one < way + 4; one++)
    (*one)->late_us = __libc_calloc((size_t)(turns * TURN), sizeof *ours.late_us);
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.own_thread = 1;
  unisono_context *context = NULL;
  must(unisono_context_create(&options, NULL, NULL, &context), "context");

  struct machine before = machine_now();
  double own = cpu_seconds(RUSAGE_SELF);
  for (int i = 0; i < turns; i++) {
    turn_of_call_at(context);
    on_thread(turn_of_foreign);
    on_thread(turn_of_uv_timer);
    on_thread(turn_of_nanosleep);
  }
  own = cpu_seconds(RUSAGE_SELF) - own;
  struct machine after = machine_now();
  double others = 100 * ((after.used - before.used) - own * (double)sysconf(_SC_CLK_TCK)) / (after.all - before.all);
  print_way(&ours, "a context with own_thread");
  print_way(&foreign, "call_at on a uv_loop_t of the host's: woken when it is due, not before");
  print_way(&plain, "plain, whole milliseconds");
  print_way(&bare, "clock_nanosleep, timer slack 1 ns: how fast this machine wakes up");
  double p99 = quantile(ours.late_us, (size_t)ours.fired, 0.99), cpu = share_of_core(&ours) - share_of_core(&foreign);

  struct reading reading = {.batches = READS / BATCH};
  reading.ns = __libc_calloc(reading.batches, sizeof *reading.ns);
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = obey;
  must(unisono_coordinator_create(context, &delegate, &reading.coordinator, &reading.coordinator), "coordinator");
  must(unisono_coordinator_transition_to_item(reading.coordinator, "film", NULL), "transition");
  must(unisono_coordinator_coordinate_rate_change(reading.coordinator, 1, 0), "play");
  unisono_timing timing = UNISONO_TIMING_INIT;
  while (unisono_coordinator_timing(reading.coordinator, &timing) < 0 || timing.state != UNISONO_TIMING_PLAYING)
    rest_until(unisono_host_time() + 1000000);
  pthread_t audio;
  pthread_create(&audio, NULL, read_positions, &reading);
  pthread_join(audio, NULL);
  double read50 = quantile(reading.ns, reading.batches, 0.5), read99 = quantile(reading.ns, reading.batches, 0.99);
  printf("expected_item_time ns: median %.1f p99 %.1f; %" PRIu64 " allocations in %zu calls\n", read50, read99,
         reading.allocations, reading.batches * BATCH);
  unisono_context_destroy(context);

  int is_punctual = p99 < MOST_LATE_US, is_idle = others < MOST_OTHERS_PERCENT;
  int rest_holds = ours.late_us[0] >= 0 && read50 < MOST_READ_NS && reading.allocations == 0;
  int holds = is_punctual && cpu < MOST_CPU_PERCENT && rest_holds;
  /* Both are promised for an idle machine: on a busy one only what holds all the same says something. */
  int is_open = !holds && rest_holds && !is_idle;
  printf("bench-time: %s: call_at p99 %.1f us (under %.0f) for %.2f %% of a core more (under %.1f), expected_item_time %.1f ns (under "
         "%.0f), %" PRIu64 " allocations; others used %.0f %% of the machine%s\n",
         holds ? "holds" : is_open ? "NOT JUDGED" : "FAILED", p99, MOST_LATE_US, cpu, MOST_CPU_PERCENT, read50, MOST_READ_NS,
         reading.allocations, others, is_idle ? ", so it was idle" : is_open ? ": run it on an idle one" : "");
  return holds ? 0 : is_open ? 3 : 1;
}
