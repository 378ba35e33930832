/* telling.h: what happens in a session, as sentences for the people of the sample hosts: who joined, left, paused, sought, whom
 * the group waits for, that a hub cannot be reached, how it ended. A host gives its events on and shows the sentences, on its
 * screen or in its terminal. */
#ifndef TELLING_H
#define TELLING_H
#include "unisono.h"

typedef struct telling {
  /* Where a sentence goes: one line, without what controls a terminal. NULL: the terminal alone. */
  void (*show)(void *user, const char *sentence);
  void *user;
  /* Where a line for the terminal goes, for who shares it with a player that draws there. NULL: to the output. */
  void (*print)(void *user, const char *line);
  int is_quiet; /* 1: not in the terminal */

  unisono_participant_id self;
  int was_connected;
  int is_closed; /* an owner closed the group */
  char trouble[256]; /* the last that was said of the link; "": it is fine */
  int64_t waited_since;
  int waits_told;
  char first_hub[512]; /* of the invite that was shown last */
} telling;

/* One sentence, also of the host's own; in the terminal behind a "* ". What controls a terminal in it becomes a space. */
void telling_say(telling *told, const char *sentence);
/* The invite as a line that can be pasted as it is, "invite unisono://...", and who can use it. */
void telling_invite(telling *told, unisono_session *session);
/* After SESSION_INVITE: the invite once more where it leads to another hub first. */
void telling_invite_changed(telling *told, unisono_session *session);

/* Of the session's events. */
void telling_state(telling *told, unisono_session *session, const unisono_session_state_event *event);
void telling_notice(telling *told, const unisono_notice_event *event);
/* Who said what in writing. */
void telling_chat(telling *told, const unisono_chat_event *event);
/* What is offered to the group, and what came of loading it. */
void telling_attachment(telling *told, const unisono_attachment_event *event);
/* That a start was scheduled or called off, and how long it is until then. */
void telling_schedule(telling *told, const unisono_schedule_event *event);
/* A few times a second: whom a start waits for, once that takes longer than a start usually does. */
void telling_waiting(telling *told, unisono_coordinator *coordinator, unisono_session *session, int64_t now);

#endif
