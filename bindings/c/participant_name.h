/* participant_name.h: who somebody is, for people, in a list of participants. */
#ifndef PARTICIPANT_NAME_H
#define PARTICIPANT_NAME_H

#include <string.h>

#include "unisono.h"

/* The display name, as long as `all` is not freed; NULL: it is not in the list, which may be NULL itself. */
static inline const char *participant_name(const unisono_participants *all, const unisono_participant_id *id) {
  for (size_t i = 0; all != NULL && i < all->count; i++)
    if (memcmp(&all->items[i]->id, id, sizeof *id) == 0) return all->items[i]->display_name;
  return NULL;
}

#endif
