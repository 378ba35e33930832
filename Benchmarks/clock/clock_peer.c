/* One end of the live clock benchmark.
 *
 *   clock_peer host ADDRESS             makes a session with a hub at ADDRESS, prints "invite TEXT" and, once it is there,
 *                                       "offset NS": session time minus host time, exactly; until input ends
 *   clock_peer guest INVITE SECONDS     prints twenty times a second "s SINCE_OPEN HOST_TIME SESSION_TIME BOUND TRUE_TIME", ns;
 *                                       the last is the kernel's clock, also where libfaketime makes the host time run fast or slow
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unisono.h>
#include <unistd.h>

static int64_t at(const unisono_clock *clock, int64_t host) {
  int64_t age = host - clock->host_time;
  return clock->session_time + age + (int64_t)((clock->rate - 1) * (double)age);
}

static void must(int32_t status, const char *what) {
  if (status >= 0) return;
  fprintf(stderr, "clock_peer: %s: %s (%s)\n", what, unisono_last_error(), unisono_strerror(status));
  exit(1);
}

/* CLOCK_MONOTONIC past the C library, and whatever stands in front of it. */
static int64_t true_time(void) {
  struct timespec t = {0, 0};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void rest(long milliseconds) {
  struct timespec moment = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&moment, NULL);
}

int main(int argc, char **argv) {
  int is_host = argc == 3 && strcmp(argv[1], "host") == 0;
  if (!is_host && !(argc == 4 && strcmp(argv[1], "guest") == 0)) {
    fprintf(stderr, "usage: clock_peer host ADDRESS | guest INVITE SECONDS\n");
    return 2;
  }
  unisono_context *context = NULL;
  unisono_session *session = NULL;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_clock clock = UNISONO_CLOCK_INIT;
  options.own_thread = 1;
  must(unisono_context_create(&options, NULL, NULL, &context), "context");
  int64_t opened = unisono_host_time();
  if (is_host) {
    unisono_session_options hosting = UNISONO_SESSION_OPTIONS_INIT;
    unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
    const char *listen[] = {argv[2]};
    hub.listen = listen;
    hub.listen_count = 1;
    hosting.hub_options = &hub;
    must(unisono_session_host(context, &hosting, NULL, NULL, &session), "host");
    char invite[4096];
    size_t length = sizeof invite;
    must(unisono_session_invite(session, invite, &length), "invite");
    printf("invite %s\n", invite);
  } else {
    must(unisono_session_open(context, argv[2], NULL, NULL, NULL, &session), "open");
  }
  must(unisono_session_join(session), "join");
  if (is_host) {
    while (unisono_session_clock(session, &clock) < 0 || clock.state != UNISONO_CLOCK_SYNCHRONIZED) rest(1);
    printf("offset %" PRId64 "\n", clock.session_time - clock.host_time);
    fflush(stdout);
    while (getchar() != EOF) continue;
  } else {
    int64_t end = opened + (int64_t)(atof(argv[3]) * 1e9), now = opened;
    for (; now < end; rest(50)) {
      int64_t truth = true_time();
      now = unisono_host_time();
      truth += (true_time() - truth) / 2;
      clock.size = sizeof clock;
      if (unisono_session_clock(session, &clock) < 0) continue;
      int64_t bound = clock.error_bound;
      if (now > clock.host_time) bound += (int64_t)(clock.error_growth * (double)(now - clock.host_time));
      printf("s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", now - opened, now, at(&clock, now), bound, truth);
    }
  }
  unisono_context_destroy(context);
  return 0;
}
