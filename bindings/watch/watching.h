/* watching.h: one participant who watches films with others, whatever the player is: the session, what the group watches and its list, the
 * own copy of it, what is said about it, and what is kept for another day. A program puts a player's own options, screen and keys to it,
 * and a renderer: bindings/mpv/unisono.c, bindings/vlc/unisono_vlc.c.
 *
 *     watching_option(...)                what the person gave
 *     watching_open(&w)                   context and session
 *     watching_join(&w, &functions, r)    the player layer over the renderer, and in
 *     watching_turn(&w)                   each time that the context's descriptor is readable, and ten times a second
 *     watching_close(&w) */
#ifndef WATCHING_H
#define WATCHING_H
#include "asking.h"
#include "going_on.h"
#include "shared_list.h"

#include "../c/telling.h"

#include "unisono_player.h"

#define WATCHING_NOT_HERE 66 /* the status where the film is not here: EX_NOINPUT, with which no player ends by itself */

typedef struct own_film own_film;

/* What a player shows, and is asked for. All of them are there; `user` is the watching's. */
typedef struct watching_screen {
  void (*show)(void *user, const char *text);  /* over the film for some seconds; may have more lines than one */
  void (*print)(void *user, const char *line); /* in the terminal */
  void (*quit)(void *user, int status);        /* the player is to end, with this exit status */
  int64_t (*duration)(void *user);             /* ns, of what is open; 0: not known */
  int (*is_loaded)(void *user);                /* what is open is what the player layer was given */
  void (*title)(void *user, char *out, size_t room); /* of what is open; "": it has none */
  void (*path)(void *user, char *out, size_t room);  /* the same */
  const char *answer_keys; /* how what somebody asks for is answered, for people; NULL: by no keys */
  const char *ask_keys;    /* how who may not command asks those who may; NULL: by no keys */
} watching_screen;

typedef struct watching {
  unisono_context *context;
  unisono_session *session;
  unisono_player *player;
  unisono_coordinator *coordinator;
  telling told;
  const watching_screen *screen;
  void *user; /* for the screen's functions */

  /* options, by watching_option; NULL: not given */
  char *invite, *invite_file, *name, *hub, *folders, *trusted_hosts, *host, *quit, *brings, *start, *leaving, *control, *continuation,
      *continuation_key;
  struct going_on kept;
  asking asked;
  int hosting;
  int is_bringing;   /* what the person opens first is what the group watches, whatever it watched before */

  char *opened;      /* by the person, and not yet looked at */
  char *given;       /* what the player was given for `current`; NULL: nothing yet */
  char *copy;        /* what was given or opened before it was known what the group watches: the copy of that */
  own_film *own;     /* the newest first */
  film current;      /* of the group */
  unisono_entry_id entry; /* of the group's list; all zero: what the group watches is not from it */
  int moves;         /* this one took the group along the list, and is to say what it watches now */
  int is_copy_said;
  int is_asked;      /* the person is to open a copy of `current` */
  int ever_played, is_compared, joined, finished;
  int is_not_kept;   /* which was said */
} watching;

/* Before any option: `screen` and `user` for its functions. */
void watching_begin(watching *w, const watching_screen *screen, void *user);
/* An option by its name ("host", "invite", "name", ...). 0, or -1: there is none of that name. */
int watching_option(watching *w, const char *name, const char *value);
/* Opens context and session. 0, or -1 after saying why. */
int watching_open(watching *w);
/* Makes the player over a renderer, and takes part. 0, or -1 after saying why. */
int watching_join(watching *w, const unisono_renderer *functions, void *renderer);
/* Lets the library do what is due, and looks at what has been opened meanwhile. */
void watching_turn(watching *w);
/* Leaves, and gives everything up. `status`: where it never came so far, what the player is to end with; 0: it did. */
void watching_close(watching *w, int status);

/* The person opened a file or an address. */
void watching_opened(watching *w, const char *path);
/* What a key is for: "status", "list", "ready", "go", "undo", "next", "previous"; "ask" those who may command to pause, or to play; "yes"
 * and "no" to what somebody asked last. */
void watching_key(watching *w, const char *name);
/* What the person writes, for the group. */
void watching_chat(watching *w, const char *text);
void watching_react(watching *w, const char *text);
/* The own copy is another cut, so many seconds ahead of the group's. */
void watching_offset(watching *w, const char *seconds);
/* All devices of the one who is called so leave, for good. */
void watching_remove(watching *w, const char *name);

/* Whether films can go on the group's list: it is known what the group watches, and nothing that was opened waits to be looked at. */
int watching_has_list(const watching *w);
/* Puts a film on it. 0, or -1 where the group's list does not take it, which was said. */
int watching_share(watching *w, const char *path, shared_place place);

/* A sentence for the person here. */
void watching_say(watching *w, const char *sentence);
/* Says what failed. Returns `status`. */
int32_t watching_check(watching *w, int32_t status, const char *what);

#endif
