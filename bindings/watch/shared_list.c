/* shared_list.c: see shared_list.h. */
#define _POSIX_C_SOURCE 200809L
#include "shared_list.h"

#include <stdio.h>
#include <string.h>

#define LINES 12 /* around the current one; more than that does not fit over a film */

static const unisono_playlist *list_of(unisono_session *session) {
  const unisono_playlist *list = NULL;
  return session != NULL && unisono_session_playlist(session, &list) >= 0 ? list : NULL;
}

static int is_same(const unisono_entry_id *one, const unisono_entry_id *other) { return memcmp(one, other, sizeof *one) == 0; }

/* Its place; the number of entries where the group is at none of them. */
static size_t current_of(const unisono_playlist *list) {
  size_t i = 0;
  while (i < list->count && !is_same(&list->items[i]->id, &list->current)) i++;
  return i;
}

static int32_t add(unisono_session *session, const film *what, const unisono_entry_id *before, unisono_entry_id *id) {
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_copy copy = UNISONO_COPY_INIT;
  const char *address = what->url;
  entry.item = what->item;
  entry.title = strlen(what->item) <= 255 ? what->item : NULL;
  copy.file_size = (uint64_t)what->size;
  copy.duration = what->duration;
  if (what->size > 0 || what->duration > 0) entry.copy = &copy;
  if (address[0] != '\0') {
    entry.addresses = &address;
    entry.address_count = 1;
  }
  return unisono_session_add_entry(session, &entry, before, id);
}

int32_t shared_list_add(unisono_session *session, const film *what, shared_place place, unisono_entry_id *id) {
  const unisono_playlist *list = list_of(session);
  const unisono_entry_id *before = NULL;
  int32_t status = UNISONO_OK;
  size_t there = 0;
  if (list == NULL) return UNISONO_ENOMEM;
  while (there < list->count && strcmp(list->items[there]->item, what->item) != 0) there++;
  if (there < list->count) *id = list->items[there]->id;
  else {
    size_t at = current_of(list) + (place == SHARED_BEHIND_CURRENT);
    if (place != SHARED_AT_END && at < list->count) before = &list->items[at]->id;
    status = add(session, what, before, id);
  }
  unisono_free(list);
  return status;
}

/* 0, or -1 where there is no film that this could play. */
static int film_of_entry(const unisono_playlist_entry *entry, film *out) {
  memset(out, 0, sizeof *out);
  if (entry->item[0] == '\0' || strlen(entry->item) >= sizeof out->item) return -1;
  strcpy(out->item, entry->item);
  if (entry->address_count > 0 && strlen(entry->addresses[0]) < sizeof out->url) strcpy(out->url, entry->addresses[0]);
  if (entry->copy != NULL && entry->copy->file_size <= INT64_MAX) out->size = (int64_t)entry->copy->file_size;
  if (entry->copy != NULL) out->duration = entry->copy->duration;
  return 0;
}

int shared_list_current(unisono_session *session, film *out, unisono_entry_id *id) {
  const unisono_playlist *list = list_of(session);
  size_t at = list == NULL ? 0 : current_of(list);
  int is_there = list != NULL && at < list->count && film_of_entry(list->items[at], out) == 0;
  if (is_there) *id = list->current;
  unisono_free(list);
  return is_there;
}

int32_t shared_list_step(unisono_session *session, int step) {
  const unisono_playlist *list = list_of(session);
  size_t at = list == NULL ? 0 : current_of(list);
  int32_t status = UNISONO_ENOTFOUND;
  if (list == NULL) return status;
  /* Two who press the key at once go one film on, not two. */
  if (step > 0 && at + 1 < list->count) status = unisono_session_next_entry(session, &list->current);
  if (step < 0 && at > 0 && at < list->count) status = unisono_session_select_entry(session, &list->items[at - 1]->id);
  unisono_free(list);
  return status;
}

void shared_list_text(unisono_session *session, char *out, size_t room) {
  const unisono_playlist *list = list_of(session);
  size_t length = 0, at = list == NULL ? 0 : current_of(list);
  size_t first = list == NULL || at == list->count || at < 2 ? 0 : at - 2;
  snprintf(out, room, "There is nothing on the list; open a film to put it there");
  for (size_t i = first; list != NULL && i < list->count && i < first + LINES && length + 384 < room; i++) {
    const unisono_playlist_entry *entry = list->items[i];
    length += (size_t)snprintf(out + length, room - length, "%s%s%.300s", i == first ? "" : "\n", i == at ? "> " : "   ",
        entry->title != NULL ? entry->title : entry->item);
  }
  if (list != NULL && first + LINES < list->count)
    snprintf(out + length, room - length, "\n   and %zu more", list->count - first - LINES);
  unisono_free(list);
}
