/* film.c: see film.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "film.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define DEPTH 6        /* folders within folders */
#define ENTRIES 100000 /* looked at; the session waits meanwhile */
#define LONGEST_PATH 4096

int film_of(const char *path, int64_t duration, film *out) {
  struct stat status;
  int is_url = strstr(path, "://") != NULL;
  const char *slash = is_url ? NULL : strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  memset(out, 0, sizeof *out);
  if (name[0] == '\0' || strlen(name) >= sizeof out->item) return -1;
  strcpy(out->item, name);
  if (is_url) strcpy(out->url, name);
  else if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) out->size = status.st_size;
  if (duration > 0) out->duration = duration;
  return 0;
}

/* ---- The payload ----------------------------------------------------------------------------------------- */

size_t film_write(const film *what, char payload[FILM_PAYLOAD]) {
  size_t length = (size_t)snprintf(payload, FILM_PAYLOAD, "%s", what->item) + 1;
  if (what->size > 0)
    length += (size_t)snprintf(payload + length, FILM_PAYLOAD - length, "size=%lld", (long long)what->size) + 1;
  if (what->duration > 0)
    length += (size_t)snprintf(payload + length, FILM_PAYLOAD - length, "duration=%lld", (long long)what->duration) + 1;
  if (what->url[0] != '\0') length += (size_t)snprintf(payload + length, FILM_PAYLOAD - length, "url=%s", what->url) + 1;
  return length;
}

/* Digits alone; 0 for anything else. */
static int64_t number(const char *text) {
  char *end;
  if (!isdigit((unsigned char)text[0])) return 0;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  return *end == '\0' && errno == 0 ? value : 0;
}

int film_read(const void *payload, size_t length, film *out) {
  const char *next = payload, *end = next + length;
  size_t first = length == 0 ? 0 : strnlen(next, length);
  memset(out, 0, sizeof *out);
  if (first == 0 || first >= sizeof out->item) return -1;
  memcpy(out->item, next, first);
  for (next += first + 1; next < end; next += strnlen(next, (size_t)(end - next)) + 1) {
    char field[FILM_URL + 16];
    size_t count = strnlen(next, (size_t)(end - next));
    if (count >= sizeof field) continue;
    memcpy(field, next, count);
    field[count] = '\0';
    if (strncmp(field, "size=", 5) == 0) out->size = number(field + 5);
    else if (strncmp(field, "duration=", 9) == 0) out->duration = number(field + 9);
    else if (strncmp(field, "url=", 4) == 0 && count - 4 < sizeof out->url) strcpy(out->url, field + 4);
  }
  return 0;
}

/* ---- The copy --------------------------------------------------------------------------------------------- */

typedef struct search {
  const film *what;
  int entries, found;
  char *path;
  size_t room;
} search;

static void look_at(search *s, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || strlen(path) >= s->room) return;
  int is_same = s->what->size == 0 || status.st_size == s->what->size;
  if (!is_same && s->found != 0) return;
  s->found = is_same ? 1 : 2;
  strcpy(s->path, path);
}

static void look_into(search *s, const char *folder, int depth) {
  DIR *open = opendir(folder);
  struct dirent *entry;
  while (open != NULL && s->found != 1 && s->entries < ENTRIES && (entry = readdir(open)) != NULL) {
    char path[LONGEST_PATH];
    struct stat status;
    s->entries++;
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) continue;
    if (strcmp(entry->d_name, s->what->item) == 0) look_at(s, path);
    if (entry->d_name[0] == '.' || depth == 0) continue;
    /* Links to folders are not followed: they may lead round in a circle. */
    if (entry->d_type == DT_DIR || (entry->d_type == DT_UNKNOWN && lstat(path, &status) == 0 && S_ISDIR(status.st_mode)))
      look_into(s, path, depth - 1);
  }
  if (open != NULL) closedir(open);
}

int film_find(const film *what, const char *folders, char *path, size_t room) {
  search s = {.what = what, .path = path, .room = room};
  /* What others call their file is a name, and leads nowhere. */
  if (folders == NULL || strchr(what->item, '/') != NULL || strcmp(what->item, ".") == 0 || strcmp(what->item, "..") == 0) return 0;
  for (const char *at = folders; *at != '\0' && s.found != 1; at += strspn(at, ":")) {
    char folder[LONGEST_PATH];
    size_t length = strcspn(at, ":");
    if (length > 0 && length < sizeof folder) {
      snprintf(folder, sizeof folder, "%.*s", (int)length, at);
      look_into(&s, folder, DEPTH);
    }
    at += length;
  }
  return s.found;
}

/* ---- Addresses -------------------------------------------------------------------------------------------- */

int film_host(const char *url, char *host, size_t room) {
  size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) == 0 ? 8 : 0;
  for (const char *c = url; *c != '\0'; c++)
    if ((unsigned char)*c <= 0x20 || (unsigned char)*c >= 0x7f || *c == '\\') return 0;
  if (scheme == 0) return 0;
  const char *name = url + scheme;
  size_t whole = strcspn(name, "/?#"), length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.");
  if (length == 0 || length > whole || length >= room) return 0;
  if (length < whole) { /* a port, and nothing else: no name of a user, in which another host could pose */
    size_t digits = name[length] == ':' ? strspn(name + length + 1, "0123456789") : 0;
    if (digits == 0 || length + 1 + digits != whole) return 0;
  }
  snprintf(host, room, "%.*s", (int)length, name);
  return 1;
}

int film_is_trusted(const char *url, const char *hosts) {
  char host[256];
  if (hosts == NULL || !film_host(url, host, sizeof host)) return 0;
  for (const char *at = hosts; *at != '\0'; at += strspn(at, ":")) {
    size_t length = strcspn(at, ":");
    if (length == strlen(host) && strncasecmp(at, host, length) == 0) return 1;
    at += length;
  }
  return 0;
}
