/* host_file.c: what the hosts that play files have in common. See host_shell.h. */
#define _POSIX_C_SOURCE 200809L
#include "host_shell.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int host_file_option(host_shell *shell, const char *word) {
  if (word[0] == '-') return 0;
  shell->file = word;
  return 1;
}

int host_file_given(host_shell *shell, const char *program) {
  if (shell->file == NULL) {
    fprintf(stderr, "%s: which file? try --help\n", program);
    return 2;
  }
  const char *slash = strrchr(shell->file, '/');
  if (shell->first_item == NULL) shell->first_item = slash == NULL ? shell->file : slash + 1;
  return 0;
}

int host_file_load(host_shell *shell, const char *item) {
  unisono_player_item media = UNISONO_PLAYER_ITEM_INIT;
  media.identifier = item;
  media.uri = strcmp(item, shell->first_item) == 0 ? shell->file : item;
  if (strstr(media.uri, "://") == NULL && access(media.uri, R_OK) != 0) {
    fprintf(stderr, "the group moved to %s, which is not here\n", item);
    return 0;
  }
  return host_check(unisono_player_replace_current_item(shell->media, &media), item) == UNISONO_OK;
}
