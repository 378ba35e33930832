#include "harness.h"

#include <stdlib.h>
#include <time.h>

static int number, failed, failed_checks;

void check(int holds, const char *what, const char *file, int line) {
  if (holds) return;
  failed_checks++;
  printf("# %s:%d: %s does not hold (last error: %s)\n", file, line, what, unisono_last_error());
}

void check_equal(long long have, long long want, const char *what, const char *file, int line) {
  if (have == want) return;
  failed_checks++;
  printf("# %s:%d: %s: have %lld, want %lld (last error: %s)\n", file, line, what, have, want, unisono_last_error());
}

void run_test(const char *sentence, void (*body)(void)) {
  failed_checks = 0;
  number++;
  body();
  if (failed_checks) failed++;
  printf("%sok %d - %s\n", failed_checks ? "not " : "", number, sentence);
  fflush(stdout);
}

int failures(void) { return failed_checks; }

int summary(void) {
  printf("1..%d\n%d passed, %d failed\n", number, number - failed, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int64_t milliseconds(int64_t count) { return count * 1000000; }

int pump_until(unisono_context *context, const int *flag, int count) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < count) {
    if (unisono_host_time() > end) return 0;
    if (unisono_context_poll(context, milliseconds(50)) < 0) return 0;
  }
  return 1;
}

void pump(unisono_context *context) {
  int turns = 0;
  while (turns++ < 50 && unisono_context_poll(context, 0) > 0) {
  }
}

int wait_until(const int *flag, int count) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < count) {
    struct timespec moment = {0, 1000000};
    if (unisono_host_time() > end) return 0;
    nanosleep(&moment, NULL);
  }
  return 1;
}

static void take(player *p, const unisono_command *command, unisono_command *of_its_kind, int *count) {
  p->last = *of_its_kind = *command;
  snprintf(p->last_item, sizeof p->last_item, "%s", command->item);
  if (p->completes) unisono_coordinator_complete((unisono_coordinator *)command->base.source, command->id);
  __atomic_add_fetch(count, 1, __ATOMIC_RELEASE);
}
static void on_play(void *user, const unisono_command *c) {
  player *p = (player *)user;
  take(p, c, &p->play, &p->plays);
}
static void on_pause(void *user, const unisono_command *c) {
  player *p = (player *)user;
  take(p, c, &p->pause, &p->pauses);
}
static void on_seek(void *user, const unisono_command *c) {
  player *p = (player *)user;
  take(p, c, &p->seek, &p->seeks);
}
static void on_buffer(void *user, const unisono_command *c) {
  player *p = (player *)user;
  take(p, c, &p->buffer, &p->buffers);
}
static void on_participants(void *user, const unisono_participants_change *change) {
  player *p = (player *)user;
  if (p->participants == 0) p->first_participants_complete = change->is_complete;
  p->participants++;
}
static void on_suspensions(void *user, const unisono_suspensions_change *change) {
  player *p = (player *)user;
  p->suspension_count = change->reason_count;
  p->suspensions++;
}
static void on_timing(void *user, const unisono_timing_change *change) {
  player *p = (player *)user;
  p->last_timing_status = change->state;
  p->timings++;
}
static void on_error(void *user, const unisono_error_event *event) {
  player *p = (player *)user;
  snprintf(p->last_error_operation, sizeof p->last_error_operation, "%s", event->operation);
  p->errors++;
}
static void on_released(void *user) { __atomic_add_fetch(&((player *)user)->released, 1, __ATOMIC_RELEASE); }

unisono_playback_delegate player_delegate(void) {
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  delegate.play = on_play;
  delegate.pause = on_pause;
  delegate.seek = on_seek;
  delegate.buffer = on_buffer;
  delegate.participants_changed = on_participants;
  delegate.suspensions_changed = on_suspensions;
  delegate.timing_changed = on_timing;
  delegate.error = on_error;
  delegate.released = on_released;
  return delegate;
}
