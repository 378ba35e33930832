/* host_shell.h: what the sample hosts have in common, so that each of them only shows its player.
 *
 * A host has four parts. This shell is three of them: the command line, the loop that waits (libunisono's
 * descriptor, the keyboard, and one descriptor of the player), and the status lines that other programs read.
 * The fourth part, the player, is what the hosts are about. There are two ways to it: console_host.c answers the four
 * commands of a coordinator itself (play, pause, seek, buffer); mpv_host.c has a renderer under libunisono's player.
 *
 * A host struct begins with a host_shell, so the `user` pointer of every callback is both:
 *
 *     struct my_host { host_shell shell; ...my player... };
 */
#ifndef HOST_SHELL_H
#define HOST_SHELL_H
#include <stddef.h>
#include <stdint.h>

#include "unisono.h"

#define HOST_MILLISECOND INT64_C(1000000)
#define HOST_SECOND INT64_C(1000000000)
#define HOST_SUSPENSIONS 8

typedef struct host_shell host_shell;

/* What the shell needs to know of the player. Everything but `position` may be NULL. */
typedef struct host_player {
  /* Makes shell->media; the shell then uses its coordinator. NULL: the delegate of host_shell_run is commanded. */
  int32_t (*open)(host_shell *shell);
  void (*ended)(host_shell *shell); /* shell->media is no more */
  /* Where the player is at `host_time` in nanoseconds, or UNISONO_TIME_INVALID while that is not known. */
  int64_t (*position)(host_shell *shell, int64_t host_time);
  double (*rate)(host_shell *shell); /* as it really runs now; 0 paused */
  int (*stalled)(host_shell *shell);
  /* The group moved to this item, which is never NULL. Returns 0 when it cannot be played here; the host then
   * stays where it is. Otherwise the shell tells the coordinator; a host with shell->media tells that itself. */
  int (*load)(host_shell *shell, const char *item);
  /* A line from the keyboard that the shell does not know. Returns 0 when the player does not know it either. */
  int (*command)(host_shell *shell, const char *word, const char *argument);
  /* An option of the command line that the shell does not know. Returns how many words it took, 0 if unknown. */
  int (*option)(host_shell *shell, const char *word, const char *value);
  void (*readable)(host_shell *shell); /* `player_fd` has something to read */
  void (*keep)(host_shell *shell);     /* 10 times a second */
  const char *usage;                   /* its own options and commands, for --help */
} host_player;

struct host_shell {
  unisono_context *context;
  unisono_session *session; /* NULL after `leave` */
  unisono_coordinator *coordinator;
  unisono_player *media; /* NULL: the host has no player of libunisono */
  const host_player *player;
  unisono_suspension *suspensions[HOST_SUSPENSIONS]; /* the newest is the last */
  size_t suspension_count;

  /* from the command line */
  const char *name, *hub, *listen, *invite, *first_item, *invite_file;
  int hosting, verbose, read_keyboard, snap;

  /* what the group last told us */
  char item[1024];
  char waiting_for[2048]; /* a JSON list, ready to print */
  char reasons[2048];     /* a JSON list of our suspensions */
  unisono_timing_status group_status;
  int joined;

  /* the loop */
  int player_fd; /* -1: none */
  int status_fd; /* -1: none */
  int status_changed, finished, exit_code;
  int64_t next_status, give_up_at;
  char input[1024];
  size_t input_length;
};

/* Reads the command line. Returns 0, or what main should end with: -1 after --help, 2 after a mistake. */
int host_shell_options(host_shell *shell, const host_player *player, int argc, char **argv);
/* Opens the session and runs until `quit`. `delegate` needs play, pause, seek and buffer, the shell fills in the rest; NULL
 * where `open` makes a player. Returns the exit status of the program. */
int host_shell_run(host_shell *shell, const unisono_playback_delegate *delegate);
/* For the player's callbacks: prints what went wrong. `user` is not looked at. */
void host_on_error(void *user, const unisono_error_event *event);

/* 1 while this participant is suspended, for whatever reason. */
int host_is_apart(const host_shell *shell);
/* Prints "what: last error" when `status` is an error. Returns `status`. */
int32_t host_check(int32_t status, const char *what);
/* Tells the group where the player is; call it whenever something changed. The shell does so 10 times a second. */
void host_report(host_shell *shell);
/* A status line soon, because something changed. */
void host_changed(host_shell *shell);
int64_t host_now(host_shell *shell);
/* The position of the line through (item_time, host_time) at another instant. */
int64_t host_line(int64_t item_time, int64_t host_time, double rate, int64_t at);

#endif
