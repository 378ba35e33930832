/* shared_list.h: the playlist that the group shares, as films. What others put on it is judged where it is read. */
#ifndef SHARED_LIST_H
#define SHARED_LIST_H
#include "film.h"

#include "unisono.h"

/* A place in it. */
typedef enum shared_place { SHARED_AT_END, SHARED_BEFORE_CURRENT, SHARED_BEHIND_CURRENT } shared_place;

/* Puts a film there, unless it is on the list already; where it is, is in `id`. A status of unisono_session_add_entry. */
int32_t shared_list_add(unisono_session *session, const film *what, shared_place place, unisono_entry_id *id);
/* Where the group is. 1, or 0: nowhere, or at what is no film. */
int shared_list_current(unisono_session *session, film *out, unisono_entry_id *id);
/* Takes the group one film on (1), or one back (-1). A status; UNISONO_ENOTFOUND: there is none. */
int32_t shared_list_step(unisono_session *session, int step);
/* A line each, the current one marked. */
void shared_list_text(unisono_session *session, char *out, size_t room);

#endif
