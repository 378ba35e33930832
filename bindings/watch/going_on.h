/* going_on.h: what this participant goes on from on another day, in a file of its owner's. */
#ifndef GOING_ON_H
#define GOING_ON_H
#include "unisono.h"

#include <stddef.h>
#include <stdint.h>

#define GOING_ON_KEY 32

typedef struct going_on {
  const char *path;          /* NULL: nothing is kept */
  uint8_t key[GOING_ON_KEY]; /* what it is sealed with */
  char *bytes;               /* of a unisono_continuation; NULL: the file is not there yet */
  size_t length;
  int port;                  /* of the hub in this process, by which others find it again; 0: it has none */
  int64_t kept_at;           /* host time; 0: not yet */
} going_on;

/* Reads the key's file and, where it is there, the other. 0, or -1 with a sentence that says what is wrong and what to do. */
int going_on_read(going_on *what, const char *path, const char *key_path, char *why, size_t room);
/* Lets options go on from it: of unisono_session_host, or of unisono_session_open. */
void going_on_use(const going_on *what, unisono_session_options *options);
/* Why a session did not go on from it, for people. 0: `status` is about something else. */
int going_on_refusal(const going_on *what, int32_t status, char *why, size_t room);
/* A port that is free at this moment; 0: none. */
int going_on_free_port(void);
/* Writes the file anew, for its owner alone. 1: done, 0: the session is not so far, -1 with a sentence. */
int going_on_keep(going_on *what, unisono_session *session, int64_t now, char *why, size_t room);
void going_on_forget(going_on *what);

#endif
