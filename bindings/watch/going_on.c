/* going_on.c: see going_on.h. The file is a line, "unisono-continuation 1 PORT", and behind it what the library sealed. */
#define _POSIX_C_SOURCE 200809L
#include "going_on.h"

#include "../c/private_file.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define FIRST_LINE 64
#define LARGEST (1 << 20) /* of a unisono_continuation */
#define HEAD "unisono-continuation 1 "

/* Its length, at most `room`; -1 with a sentence. */
static long read_private(const char *path, char *bytes, size_t room, char *why, size_t why_room) {
  struct stat status;
  int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  long length = 0;
  ssize_t count = 1;
  if (number < 0 || fstat(number, &status) != 0) {
    snprintf(why, why_room, "%s cannot be read: %s", path, strerror(errno));
    if (number >= 0) close(number);
    return -1;
  }
  if (!S_ISREG(status.st_mode)) snprintf(why, why_room, "%s is no file", path);
  else if (status.st_uid != geteuid()) snprintf(why, why_room, "%s is another user's; name a file of your own", path);
  else if ((status.st_mode & 077) != 0)
    snprintf(why, why_room, "%s can be read by others, who could take part as you: chmod 600 it", path);
  else {
    while (count > 0 && (size_t)length < room) {
      count = read(number, bytes + length, room - (size_t)length);
      if (count > 0) length += count;
    }
    if (count < 0) snprintf(why, why_room, "%s cannot be read: %s", path, strerror(errno));
    close(number);
    return count < 0 ? -1 : length;
  }
  close(number);
  return -1;
}

/* Takes the first line off. -1: it is none of ours. */
static int read_head(going_on *what) {
  char *end = memchr(what->bytes, '\n', what->length < FIRST_LINE ? what->length : FIRST_LINE), *behind;
  if (end == NULL || strncmp(what->bytes, HEAD, strlen(HEAD)) != 0) return -1;
  long port = strtol(what->bytes + strlen(HEAD), &behind, 10);
  if (behind != end || port < 0 || port > 65535) return -1;
  what->port = (int)port;
  what->length -= (size_t)(end + 1 - what->bytes);
  memmove(what->bytes, end + 1, what->length);
  return what->length > 0 && what->length <= LARGEST ? 0 : -1;
}

int going_on_read(going_on *what, const char *path, const char *key_path, char *why, size_t room) {
  char key[GOING_ON_KEY + 1];
  long length = read_private(key_path, key, sizeof key, why, room);
  if (length < 0) return -1;
  if (length != GOING_ON_KEY) {
    snprintf(why, room, "%s does not hold %d bytes, so that it is no key", key_path, GOING_ON_KEY);
    return -1;
  }
  memcpy(what->key, key, sizeof what->key);
  what->path = path;
  if (access(path, F_OK) != 0 && errno == ENOENT) return 0;
  what->bytes = malloc(LARGEST + FIRST_LINE + 1);
  if (what->bytes == NULL) return snprintf(why, room, "there is no memory to read %s", path), -1;
  length = read_private(path, what->bytes, LARGEST + FIRST_LINE + 1, why, room);
  what->length = length < 0 ? 0 : (size_t)length;
  if (length >= 0 && read_head(what) == 0) return 0;
  if (length >= 0) snprintf(why, room, "%s holds nothing to go on from: name another file", path);
  going_on_forget(what);
  what->path = NULL; /* what is not ours is not written over */
  return -1;
}

void going_on_use(const going_on *what, unisono_session_options *options) {
  if (what->bytes == NULL) return;
  options->continuation = what->bytes;
  options->continuation_length = what->length;
  options->continuation_key = what->key;
  options->continuation_key_length = sizeof what->key;
}

int going_on_refusal(const going_on *what, int32_t status, char *why, size_t room) {
  const char *reason = NULL;
  if (what->bytes == NULL) return 0;
  if (status == UNISONO_EAUTH) reason = "was kept by somebody else, or with another key: whose it is can go on from it, on the device it was kept on";
  else if (status == UNISONO_ETIMEDOUT) reason = "is older than 90 days: remove it, and begin anew or join by an invite";
  else if (status == UNISONO_EVERSION) reason = "was kept by a newer version: install that here, too";
  else if (status == UNISONO_EPROTOCOL) reason = "proves nothing: remove it, and begin anew or join by an invite";
  else if (status == UNISONO_EINVAL) reason = "cannot be gone on from: name another file, or leave out the invite if that is of another group";
  if (reason != NULL) snprintf(why, room, "%s %s", what->path, reason);
  return reason != NULL;
}

int going_on_free_port(void) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_ANY_INIT};
  struct sockaddr_in four = {.sin_family = AF_INET};
  socklen_t length = sizeof six;
  int number = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), is_six = number >= 0;
  if (!is_six) number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr *place = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
  if (!is_six) length = sizeof four;
  int is_bound = number >= 0 && bind(number, place, length) == 0 && getsockname(number, place, &length) == 0;
  if (number >= 0) close(number);
  return is_bound ? ntohs(is_six ? six.sin6_port : four.sin_port) : 0;
}

int going_on_keep(going_on *what, unisono_session *session, int64_t now, char *why, size_t room) {
  const unisono_continuation *sealed = NULL;
  int32_t status = unisono_session_continuation(session, what->key, sizeof what->key, &sealed);
  if (status == UNISONO_ESTATE) return 0;
  if (status < 0) {
    snprintf(why, room, "What to go on from is not kept: %s", unisono_last_error());
    return -1;
  }
  char *bytes = malloc(FIRST_LINE + sealed->length);
  int result = -1;
  if (bytes != NULL) {
    int head = snprintf(bytes, FIRST_LINE, HEAD "%d\n", what->port);
    memcpy(bytes + head, sealed->bytes, sealed->length);
    result = private_file_write(what->path, bytes, (size_t)head + sealed->length);
  }
  if (result < 0) snprintf(why, room, "What to go on from cannot be written to %s: %s", what->path, strerror(errno));
  else what->kept_at = now;
  free(bytes);
  unisono_free(sealed);
  return result < 0 ? -1 : 1;
}

void going_on_forget(going_on *what) {
  free(what->bytes);
  what->bytes = NULL;
  what->length = 0;
}
