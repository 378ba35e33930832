/* film.h: what is watched, as the activity's payload says it, and how a friend's own copy of it is found. Everything that comes
 * from others is judged here. */
#ifndef FILM_H
#define FILM_H
#include <stddef.h>
#include <stdint.h>

#define FILM_ITEM 1024
#define FILM_URL 2048
#define FILM_PAYLOAD 4096

typedef struct film {
  char item[FILM_ITEM]; /* what the group compares: the file's name, or the address. "": none */
  char url[FILM_URL];   /* "": a file, of which everybody has a copy */
  int64_t size;         /* bytes; 0: not known */
  int64_t duration;     /* ns; 0: not known */
} film;

/* What mpv opened: a path or an address. 0, or -1 where its name is too long for a group. */
int film_of(const char *path, int64_t duration, film *out);

/* The payload: the item, a zero byte, and then "size=BYTES", "duration=NANOSECONDS" and "url=ADDRESS", each as far as it is known and
 * with a zero byte behind it. Hosts that read the payload as a string, as the samples do, have the item. Returns its length. */
size_t film_write(const film *what, char payload[FILM_PAYLOAD]);
/* 0, or -1 where there is no item in it. What it does not know, and what cannot be so, is left out. */
int film_read(const void *payload, size_t length, film *out);

/* The copy in one of these folders ("/a:/b") or in a folder below them: a file of that name, where the size is known rather one of that
 * size. Returns 1 for one of that size, 2 for one of another size, 0 for none. */
int film_find(const film *what, const char *folders, char *path, size_t room);

/* The host of an address of http or https; 0: there is none that every reader would read in the same way. */
int film_host(const char *url, char *host, size_t room);
/* Whether that host is in a list ("a.example:b.example"). */
int film_is_trusted(const char *url, const char *hosts);

#endif
