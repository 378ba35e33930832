/* telling.c: see telling.h. The words are the library's (unisono_notice_text, messages of events); here is when to say them. */
#define _POSIX_C_SOURCE 200809L
#include "telling.h"

#include <stdio.h>
#include <string.h>

#include "participant_name.h"

#define PATIENCE INT64_C(700000000) /* ns; a start that takes less is nothing to talk about */

/* A line for the terminal. */
static void print(telling *told, const char *mark, const char *line) {
  char whole[5120];
  snprintf(whole, sizeof whole, "%s%s", mark, line);
  if (told->print != NULL) {
    told->print(told->user, whole);
    return;
  }
  printf("%s\n", whole);
  fflush(stdout);
}

void telling_say(telling *told, const char *sentence) {
  char line[2304];
  snprintf(line, sizeof line, "%s", sentence);
  for (char *c = line; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
  if (!told->is_quiet) print(told, "* ", line);
  if (told->show != NULL) told->show(told->user, line);
}

static void say_notice(telling *told, const unisono_notice *notice) {
  char sentence[1024];
  size_t length = sizeof sentence;
  if (unisono_notice_text(notice, sentence, &length) == UNISONO_OK) telling_say(told, sentence);
}

static void say_of(telling *told, unisono_notice_kind kind, const char *name, const char *text) {
  unisono_notice notice = UNISONO_NOTICE_INIT;
  notice.kind = kind;
  notice.name = name;
  notice.text = text;
  say_notice(told, &notice);
}

/* ---- The invite --------------------------------------------------------------------------------------------- */

static int read_invite(unisono_session *session, char invite[4096]) {
  size_t length = 4096;
  return session != NULL && unisono_session_invite(session, invite, &length) == UNISONO_OK;
}

/* "unisono://HOST:PORT", which people would have to reach. */
static void first_hub_of(const char *invite, char *out, size_t room) {
  const char *host = strstr(invite, "://");
  size_t length = host == NULL ? 0 : (size_t)(host + 3 - invite) + strcspn(host + 3, "/");
  snprintf(out, room, "%.*s", (int)length, invite);
}

void telling_invite(telling *told, unisono_session *session) {
  char invite[4096];
  if (!read_invite(session, invite)) return;
  first_hub_of(invite, told->first_hub, sizeof told->first_hub);
  print(told, "invite ", invite); /* whatever is_quiet says: it is what the host is run for */
  int32_t reach = unisono_invite_reach(invite);
  if (reach == UNISONO_REACH_MACHINE) printf("(this invite leads to this machine alone: only programs here can join)\n");
  if (reach == UNISONO_REACH_NETWORK)
    print(told, "", "(all addresses of this invite are private: only who is in the same network can join)");
}

void telling_invite_changed(telling *told, unisono_session *session) {
  char invite[4096], first[sizeof told->first_hub];
  if (told->first_hub[0] == '\0' || !read_invite(session, invite)) return; /* none was shown */
  first_hub_of(invite, first, sizeof first);
  if (strcmp(first, told->first_hub) != 0) telling_invite(told, session);
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static const char *ending(const unisono_session_state_event *event) {
  switch (event->reason) {
    case UNISONO_OK: return "You left the session";
    case UNISONO_EENDED: return "The session was ended for everybody";
    default: return NULL; /* the message says it */
  }
}

void telling_state(telling *told, unisono_session *session, const unisono_session_state_event *event) {
  char line[sizeof told->trouble + 64];
  if (session != NULL) unisono_session_local_participant(session, &told->self);
  if (event->state == UNISONO_SESSION_INVALIDATED) {
    const char *end = ending(event);
    snprintf(line, sizeof line, "The session is over: %.*s", (int)sizeof told->trouble - 1, event->message);
    telling_say(told, end != NULL ? end : line);
  } else if (event->connection == UNISONO_CONNECTION_CONNECTED) {
    if (told->trouble[0] != '\0') telling_say(told, told->was_connected ? "Connected again" : "Connected");
    told->was_connected = 1;
    told->trouble[0] = '\0';
  } else if (event->reason != UNISONO_OK && strncmp(told->trouble, event->message, sizeof told->trouble - 1) != 0) {
    snprintf(told->trouble, sizeof told->trouble, "%s", event->message);
    snprintf(line, sizeof line, "%s: %s", told->was_connected ? "The connection is lost, trying again" : "Not connected, trying again",
             told->trouble);
    telling_say(told, line);
  }
  const int is_closed = event->closed != 0;
  if (event->state == UNISONO_SESSION_JOINED && is_closed != told->is_closed) {
    telling_say(told, is_closed ? "The group is closed: nobody new is let in" : "The group is open again");
    told->is_closed = is_closed;
  }
}

void telling_notice(telling *told, const unisono_notice_event *event) { say_notice(told, event->notice); }

static void say_waiting(telling *told, unisono_session *session, const unisono_waiting_for *waiting, size_t count) {
  const unisono_participants *all = NULL;
  if (session != NULL) unisono_session_participants(session, &all);
  for (size_t w = 0; w < count; w++) {
    const int is_self = memcmp(&waiting[w].participant, &told->self, sizeof told->self) == 0;
    say_of(told, UNISONO_NOTICE_WAITED_FOR, is_self ? "this player" : participant_name(all, &waiting[w].participant), waiting[w].reason);
  }
  unisono_free(all);
}

void telling_chat(telling *told, const unisono_chat_event *event) {
  char line[2304]; /* a text of 2,000 bytes, a name of 63 */
  const unisono_chat_entry *entry = event->entry;
  snprintf(line, sizeof line, "%s: %s", entry->name != NULL ? entry->name : "somebody", entry->text);
  telling_say(told, line);
}

void telling_attachment(telling *told, const unisono_attachment_event *event) {
  char line[1024];
  const char *name = event->attachment->name;
  switch (event->change) {
    case UNISONO_ATTACHMENT_ADDED:
      snprintf(line, sizeof line, "Offered: %s, %.1f MB", name, (double)event->attachment->length / 1e6);
      break;
    case UNISONO_ATTACHMENT_REMOVED: snprintf(line, sizeof line, "Not offered any more: %s", name); break;
    case UNISONO_ATTACHMENT_LOADED: snprintf(line, sizeof line, "Loaded: %s", name); break;
    case UNISONO_ATTACHMENT_FAILED:
    case UNISONO_ATTACHMENT_FORGED:
    case UNISONO_ATTACHMENT_LOST: snprintf(line, sizeof line, "%s: %s", name, event->message); break;
    default: return;
  }
  telling_say(told, line);
}

void telling_schedule(telling *told, const unisono_schedule_event *event) {
  char line[1200];
  const long left = (long)((event->remaining + 500000000) / 1000000000);
  switch (event->change) {
    case UNISONO_SCHEDULE_SET: snprintf(line, sizeof line, "%s begins in %ld s", event->start->item, left); break;
    case UNISONO_SCHEDULE_CANCELED: snprintf(line, sizeof line, "The start of %s was called off", event->start->item); break;
    case UNISONO_SCHEDULE_REMAINING: snprintf(line, sizeof line, "%ld s", left); break;
    case UNISONO_SCHEDULE_DUE: snprintf(line, sizeof line, "%s begins", event->start->item); break;
    default: return;
  }
  telling_say(told, line);
}

void telling_waiting(telling *told, unisono_coordinator *coordinator, unisono_session *session, int64_t now) {
  const unisono_waiting_for *waiting = NULL;
  size_t count = 0;
  if (unisono_coordinator_waiting_for(coordinator, &waiting, &count) < 0) count = 0;
  if (count == 0) {
    told->waited_since = 0;
    told->waits_told = 0;
  } else if (told->waited_since == 0) {
    told->waited_since = now;
  } else if (!told->waits_told && now - told->waited_since >= PATIENCE) {
    told->waits_told = 1;
    say_waiting(told, session, waiting, count);
  }
  unisono_free(waiting);
}
