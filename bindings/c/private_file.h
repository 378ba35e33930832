/* private_file.h: files that nobody but their owner can read, written whole or not at all: whoever waits for one never sees half of it. */
#ifndef PRIVATE_FILE_H
#define PRIVATE_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int private_file_fill(int number, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(number, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return -1;
    bytes += count;
    length -= (size_t)count;
  }
  return 0;
}

/* 0, or -1 and errno. */
static inline int private_file_write(const char *path, const void *bytes, size_t length) {
  char unfinished[4096];
  if (snprintf(unfinished, sizeof unfinished, "%s.part", path) >= (int)sizeof unfinished) return errno = ENAMETOOLONG, -1;
  int number = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (number < 0) return -1;
  int status = fchmod(number, S_IRUSR | S_IWUSR); /* it may have been there */
  if (status == 0) status = private_file_fill(number, bytes, length);
  if (close(number) != 0) status = -1;
  if (status == 0) status = rename(unfinished, path);
  if (status == 0) return 0;
  int why = errno;
  unlink(unfinished);
  return errno = why, -1;
}

#endif
