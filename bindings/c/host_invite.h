/* host_invite.h: invites in and out of files. What a command line says everybody on the machine can read (ps), so an invite may also come
 * from a file or from the input, and the file that one is written into is its owner's alone. */
#ifndef HOST_INVITE_H
#define HOST_INVITE_H

#include "private_file.h"

#include <string.h>

/* The invite that an argument of `join` means: "@FILE" the first line of a file, "-" that of the input, else itself. NULL: it cannot be
 * read, which was said. Good until the next call. */
static inline const char *host_invite_read(const char *argument) {
  static char line[4096];
  int is_input = strcmp(argument, "-") == 0;
  if (!is_input && argument[0] != '@') return argument;
  int file = is_input ? 0 : open(argument + 1, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  /* Byte by byte: what follows in the input are commands. */
  ssize_t count = file < 0 ? -1 : 0;
  while (file >= 0 && length < sizeof line - 1 && (count = read(file, line + length, 1)) == 1 && line[length] != '\n') length++;
  line[length] = '\0';
  if (count < 0) fprintf(stderr, "%s: %s\n", is_input ? "the input" : argument + 1, strerror(errno));
  else if (length == 0) fprintf(stderr, "%s: there is no invite in the first line\n", is_input ? "the input" : argument + 1);
  if (file > 0) close(file);
  return count < 0 || length == 0 ? NULL : line;
}

/* Writes an invite as a line into a file that nobody else can read. 0, or -1 and errno. */
static inline int host_invite_write(const char *path, const char *invite) {
  char line[4097];
  int length = snprintf(line, sizeof line, "%s\n", invite);
  return length >= (int)sizeof line ? (errno = EMSGSIZE, -1) : private_file_write(path, line, (size_t)length);
}

#endif
