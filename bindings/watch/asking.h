/* asking.h: who may not command asks those who may, and what these answer (SESSION_REQUEST). */
#ifndef ASKING_H
#define ASKING_H
#include "unisono.h"

#include <stddef.h>

/* The one request that a key answers: the newest that is open here. */
typedef struct asking {
  unisono_participant_id asker;
  uint64_t number; /* 0: none is open */
} asking;

/* What is to be said of it. `keys`: how it is answered here, for people; NULL: not by keys. */
void asking_heard(asking *what, unisono_session *session, const unisono_request_event *event, const char *keys, char *line, size_t room);
/* Asks those who may command to pause, or to play where `is_paused`. A status. */
int32_t asking_ask(unisono_session *session, int is_paused);
/* Grants (1) or declines (0) what is open. A status; UNISONO_ENOTFOUND: nothing is. */
int32_t asking_answer(asking *what, unisono_session *session, int granted);

#endif
