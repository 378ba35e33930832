/* host_status.c: the status lines of the sample hosts. README.md says what is in them. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host_shell.h"
#include "participant_name.h"

/* Text that grows in a fixed buffer and never overflows it. */
typedef struct text {
  char *bytes;
  size_t capacity, length;
} text;

static void put(text *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(out->bytes + out->length, out->capacity - out->length, format, arguments);
  va_end(arguments);
  if (n < 0) return;
  out->length += (size_t)n;
  if (out->length >= out->capacity) out->length = out->capacity - 1;
}

static void put_string(text *out, const char *string) {
  put(out, "\"");
  for (const char *c = string; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') put(out, "\\%c", *c);
    else if ((unsigned char)*c < 0x20) put(out, "\\u%04x", (unsigned)(unsigned char)*c);
    else put(out, "%c", *c);
  }
  put(out, "\"");
}

/* Nanoseconds as seconds, or null. */
static void put_time(text *out, const char *key, int64_t time) {
  if (time == UNISONO_TIME_INVALID) put(out, ",\"%s\":null", key);
  else put(out, ",\"%s\":%.6f", key, (double)time / 1e9);
}

/* ---- Who is there, and for whom the group waits ------------------------------------------------------------ */

/* The display name of a participant; "?" when it has left meanwhile. */
static const char *name_of(const unisono_participants *all, const unisono_participant_id *id) {
  const char *name = participant_name(all, id);
  return name != NULL ? name : "?";
}

static const unisono_participants *snapshot(const host_shell *shell) {
  const unisono_participants *all = NULL;
  if (shell->session == NULL || unisono_session_participants(shell->session, &all) < 0) return NULL;
  return all;
}

static void put_waiting_for(text *out, const host_shell *shell, const unisono_participants *all) {
  const unisono_waiting_for *waiting = NULL;
  size_t count = 0;
  if (unisono_coordinator_waiting_for(shell->coordinator, &waiting, &count) < 0) count = 0;
  put(out, ",\"waiting_for\":[");
  for (size_t i = 0; i < count && out->length + 512 < out->capacity; i++) {
    put(out, "%s{\"name\":", i == 0 ? "" : ",");
    put_string(out, name_of(all, &waiting[i].participant));
    put(out, ",\"reason\":");
    put_string(out, waiting[i].reason);
    put(out, "}");
  }
  put(out, "]");
  unisono_free(waiting);
}

static void put_suspensions(text *out, const host_shell *shell) {
  const char *const *reasons = NULL;
  size_t count = 0;
  if (unisono_coordinator_suspension_reasons(shell->coordinator, &reasons, &count) < 0) count = 0;
  put(out, ",\"suspended\":[");
  for (size_t i = 0; i < count && out->length + 512 < out->capacity; i++) {
    put(out, i == 0 ? "" : ",");
    put_string(out, reasons[i]);
  }
  put(out, "]");
  unisono_free(reasons);
}

int host_is_apart(const host_shell *shell) {
  const char *const *reasons = NULL;
  size_t count = 0;
  if (unisono_coordinator_suspension_reasons(shell->coordinator, &reasons, &count) < 0) return 0;
  unisono_free(reasons);
  return count > 0;
}

/* ---- The line ------------------------------------------------------------------------------------------------ */

static double player_rate(host_shell *shell) { return shell->player->rate == NULL ? 0 : shell->player->rate(shell); }
static int player_stalled(host_shell *shell) {
  return shell->player->stalled == NULL ? 0 : shell->player->stalled(shell);
}

const char *host_state(host_shell *shell) {
  unisono_timing timing = UNISONO_TIMING_INIT;
  if (player_rate(shell) != 0) return "playing";
  if (shell->media != NULL)
    return unisono_player_time_control(shell->media) == UNISONO_TIME_CONTROL_PAUSED ? "paused" : "waiting";
  if (unisono_coordinator_timing(shell->coordinator, &timing) < 0) return "paused";
  return timing.state == UNISONO_TIMING_WAITING && !host_is_apart(shell) ? "waiting" : "paused";
}

static const char *connection_name(host_shell *shell) {
  switch (shell->session == NULL ? 0 : unisono_session_connection(shell->session)) {
    case UNISONO_CONNECTION_CONNECTING: return "connecting";
    case UNISONO_CONNECTION_CONNECTED: return "connected";
    case UNISONO_CONNECTION_RECONNECTING: return "reconnecting";
    default: return "none";
  }
}

/* One line of JSON. Positions are seconds, skew and clock_error milliseconds, host_time nanoseconds. */
void host_write_status(host_shell *shell) {
  char line[4096];
  text out = {line, sizeof line, 0};
  int64_t now = host_now(shell), position = shell->player->position(shell, now), expected = UNISONO_TIME_INVALID;
  if (unisono_coordinator_expected_item_time(shell->coordinator, now, &expected) < 0) expected = UNISONO_TIME_INVALID;
  put(&out, "{\"name\":");
  put_string(&out, shell->name);
  put(&out, ",\"host_time\":%" PRId64 ",\"item\":", now);
  put_string(&out, shell->item);
  put_time(&out, "position", position);
  put_time(&out, "expected", expected);
  const unisono_participants *all = snapshot(shell);
  put(&out, ",\"rate\":%g,\"state\":\"%s\",\"stalled\":%s", player_rate(shell), host_state(shell),
      player_stalled(shell) ? "true" : "false");
  put_waiting_for(&out, shell, all);
  put_suspensions(&out, shell);
  put(&out, ",\"connection\":\"%s\",\"joined\":%s,\"participants\":[", connection_name(shell),
      shell->joined ? "true" : "false");
  for (size_t i = 0; all != NULL && i < all->count && out.length + 512 < out.capacity; i++) {
    if (i > 0) put(&out, ",");
    put_string(&out, all->items[i]->display_name);
  }
  unisono_free(all);
  put(&out, "]");
  /* Apart from the group there is nothing to be off against. */
  int comparable = position != UNISONO_TIME_INVALID && expected != UNISONO_TIME_INVALID;
  if (comparable && !host_is_apart(shell)) put(&out, ",\"skew\":%.3f", (double)(position - expected) / 1e6);
  else put(&out, ",\"skew\":null");
  unisono_session_statistics statistics = UNISONO_SESSION_STATISTICS_INIT;
  if (shell->session != NULL && unisono_session_get_statistics(shell->session, &statistics) == UNISONO_OK &&
      statistics.clock_error != UNISONO_TIME_INVALID)
    put(&out, ",\"clock_error\":%.3f", (double)statistics.clock_error / 1e6);
  else put(&out, ",\"clock_error\":null");
  put(&out, "}\n");
  if (write(shell->status_fd, line, out.length) < 0 && errno != EAGAIN && errno != EINTR) {
    fprintf(stderr, "status: %s; no more status lines\n", strerror(errno));
    shell->status_fd = -1;
  }
}
