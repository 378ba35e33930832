/* host_file.c: what the hosts that play files have in common. See host_shell.h. */
#define _POSIX_C_SOURCE 200809L
#include "host_shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES 16

/* What was given here, and for which of the group's items; one item of the group is asked for at a time. */
static struct {
  struct {
    char item[HOST_ITEM];
    char *path;
  } known[FILES];
  size_t count;
  char asked[HOST_ITEM]; /* "": none */
} files;

static void give(const char *item, const char *path) {
  size_t at = files.count % FILES;
  for (size_t i = 0; i < files.count && i < FILES; i++)
    if (strcmp(files.known[i].item, item) == 0) at = i;
  if (at == files.count % FILES) files.count++; /* the oldest goes where all places are taken */
  free(files.known[at].path);
  snprintf(files.known[at].item, sizeof files.known[at].item, "%s", item);
  files.known[at].path = strdup(path);
}

static const char *given(const char *item) {
  for (size_t i = 0; i < files.count && i < FILES; i++)
    if (strcmp(files.known[i].item, item) == 0) return files.known[i].path;
  return NULL;
}

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
  if (strstr(shell->file, "://") == NULL && access(shell->file, R_OK) != 0) {
    fprintf(stderr, "%s: %s: %s\n", program, shell->file, strerror(errno));
    return 2;
  }
  const char *slash = strrchr(shell->file, '/');
  if (shell->hosting && shell->first_item == NULL) shell->first_item = slash == NULL ? shell->file : slash + 1;
  return 0;
}

int host_file_load(host_shell *shell, const char *item) {
  unisono_player_item media = UNISONO_PLAYER_ITEM_INIT;
  if (files.count == 0) give(item, shell->file);
  media.identifier = item;
  media.uri = given(item);
  if (media.uri == NULL) {
    char question[sizeof files.asked + 128];
    snprintf(files.asked, sizeof files.asked, "%s", item);
    snprintf(question, sizeof question, "The group is at \"%s\". Which file here is it? Type: file PATH", item);
    telling_say(&shell->told, question);
    return 0;
  }
  if (strstr(media.uri, "://") == NULL && access(media.uri, R_OK) != 0) {
    perror(media.uri);
    return 0;
  }
  files.asked[0] = '\0';
  return host_check(unisono_player_replace_current_item(shell->media, &media), item) == UNISONO_OK;
}

int host_file_command(host_shell *shell, const char *word, const char *argument) {
  if (strcmp(word, "file") != 0) return 0;
  if (argument[0] == '\0' || files.asked[0] == '\0') {
    fprintf(stderr, "file: %s\n", argument[0] == '\0' ? "give a path or an address" : "no file is asked for");
    return 1;
  }
  char item[sizeof files.asked];
  snprintf(item, sizeof item, "%s", files.asked);
  give(item, argument);
  host_move_to_item(shell, item);
  return 1;
}
