/* group_lines.h: a line that a person types to the group, with the same words as in the sample hosts in C ("say hello", "ready", "add
 * ITEM"), and what the group shares as sentences. One thread: the one that takes the context's events. */
#ifndef GROUP_LINES_H
#define GROUP_LINES_H

#include <unisono.h>

/* What lines are about, and who is told: a sentence, without what controls a terminal. */
typedef struct group_lines {
  unisono_context *context;
  unisono_session *session;
  unisono_coordinator *coordinator;
  void (*tell)(void *user, const char *sentence);
  void *user;
  int *is_closed; /* what was told last of that; begins as 0 */
} group_lines;

/* Tells what an event says of chat, the playlist, copies, attachments and scheduled starts, and whether the group is closed; the coordinator
 * goes where the group is on the playlist. Of other events nothing. */
void group_lines_hear(const group_lines *lines, const unisono_context_event *event);

/* Does what a line says; what is refused is told. 0: the person wants to quit. */
int group_lines_run(const group_lines *lines, const char *line);

#endif
