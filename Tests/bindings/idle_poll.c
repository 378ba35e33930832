/* F74: a frame's poll. Two participants play in one process; one of them is polled as a game does, and every call of the allocator
 * is counted: where the descriptor says that nothing is due, a poll allocates nothing. Prints what was measured as JSON.
 *
 *     idle_poll FRAMES MILLISECONDS OWN      OWN: 1: the library's loop runs in a thread of its own, 0: inside the poll
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unisono.h"

/* The allocator's own, below these. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static _Thread_local long allocations;

void *malloc(size_t size) { allocations++; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { allocations++; return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { allocations++; return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { allocations++; return __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { allocations++; return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  allocations++;
  *out = __libc_memalign(alignment, size);
  return *out == NULL ? 12 : 0;
}

typedef struct participant {
  unisono_context *context;
  unisono_session *session;
  unisono_coordinator *coordinator;
} participant;

static void check(int32_t status, const char *what) {
  if (status >= 0) return;
  fprintf(stderr, "%s: %s\n", what, unisono_last_error());
  exit(1);
}

/* Fetches all there is, and answers commands at once. Returns how many came. */
static int turn(participant *p, int64_t wait) {
  const unisono_context_event *event;
  int count = 0;
  while (unisono_context_next_event(p->context, wait, &event) == 1) {
    const unisono_command *command = unisono_event_command(event);
    if (command != NULL) check(unisono_coordinator_complete(p->coordinator, command->id), "complete");
    count++;
    wait = 0;
  }
  return count;
}

static int own_thread;

static participant make(const char *invite) {
  participant p = {0};
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.event_queue = 1;
  options.own_thread = own_thread;
  check(unisono_context_create(&options, NULL, NULL, &p.context), "context");
  if (invite == NULL) {
    const char *const listen = "127.0.0.1:0";
    unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
    unisono_session_options session = UNISONO_SESSION_OPTIONS_INIT;
    hub.listen = &listen;
    hub.listen_count = 1;
    session.hub_options = &hub;
    check(unisono_session_host(p.context, &session, NULL, NULL, &p.session), "host");
  } else {
    check(unisono_session_open(p.context, invite, NULL, NULL, NULL, &p.session), "open");
  }
  check(unisono_coordinator_create(p.context, NULL, NULL, &p.coordinator), "coordinator");
  check(unisono_coordinator_coordinate_with_session(p.coordinator, p.session), "coordinate");
  check(unisono_session_join(p.session), "join");
  check(unisono_coordinator_transition_to_item(p.coordinator, "world", NULL), "item");
  return p;
}

static int plays(participant *p) {
  unisono_timing timing = UNISONO_TIMING_INIT;
  return unisono_coordinator_timing(p->coordinator, &timing) == 0 && timing.state == UNISONO_TIMING_PLAYING;
}

static int ascending(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  const long frames = count > 1 ? atol(arguments[1]) : 600;
  const int64_t length = (count > 2 ? atol(arguments[2]) : 16) * 1000000;
  own_thread = count > 3 ? atoi(arguments[3]) : 1;
  char invite[4096];
  size_t room = sizeof invite;
  participant ann = make(NULL);
  check(unisono_session_invite(ann.session, invite, &room), "invite");
  participant ben = make(invite);
  const int64_t limit = unisono_host_time() + 30000000000LL;
  int asked = 0;
  while (!plays(&ann) || !plays(&ben)) {
    if (unisono_host_time() > limit) return fprintf(stderr, "it did not begin to play within 30 s\n"), 1;
    turn(&ann, 1000000);
    turn(&ben, 1000000);
    unisono_session_statistics statistics = UNISONO_SESSION_STATISTICS_INIT;
    check(unisono_session_get_statistics(ben.session, &statistics), "statistics");
    if (!asked && statistics.clock_state == UNISONO_CLOCK_SYNCHRONIZED) {
      asked = 1;
      check(unisono_coordinator_coordinate_rate_change(ben.coordinator, 1, 0), "play");
    }
  }
  int64_t *spent = malloc((size_t)frames * sizeof *spent);
  long idle = 0, idle_with_allocations = 0, allocated_in_idle = 0, allocated_otherwise = 0, position_allocations = 0;
  struct pollfd due = {unisono_context_fd(ben.context), POLLIN, 0};
  for (long frame = 0; frame < frames; frame++) {
    /* The rest of the frame; Ben's own work comes due meanwhile. */
    for (int64_t left, end = unisono_host_time() + length; (left = end - unisono_host_time()) > 0;) turn(&ann, left);
    const int is_idle = poll(&due, 1, 0) == 0;
    const long before = allocations;
    const int64_t begin = unisono_host_time();
    const int events = turn(&ben, 0);
    spent[frame] = unisono_host_time() - begin;
    const long made = allocations - before;
    if (is_idle && events == 0) {
      idle++;
      idle_with_allocations += made != 0;
      allocated_in_idle += made;
    } else {
      allocated_otherwise += made;
    }
    int64_t position;
    const long before_position = allocations;
    check(unisono_coordinator_expected_item_time(ben.coordinator, begin, &position), "expected");
    position_allocations += allocations - before_position;
  }
  qsort(spent, (size_t)frames, sizeof *spent, ascending);
  printf("{\"frames\": %ld, \"idle\": %ld, \"idle_with_allocations\": %ld, \"allocated_in_idle\": %ld, \"allocated_otherwise\": %ld, \"position_allocations\": %ld, "
         "\"poll_median_us\": %.1f, \"poll_p99_us\": %.1f, \"poll_maximum_us\": %.1f}\n",
         frames, idle, idle_with_allocations, allocated_in_idle, allocated_otherwise, position_allocations, (double)spent[frames / 2] / 1e3,
         (double)spent[frames * 99 / 100] / 1e3, (double)spent[frames - 1] / 1e3);
  unisono_context_destroy(ben.context);
  unisono_context_destroy(ann.context);
  free(spent);
  return 0;
}
