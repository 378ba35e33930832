/* host_shell.h: what the sample hosts have in common, so that each of them only shows its player.
 *
 * A host has four parts. This shell is three of them: the command line, the loop that waits (libunisono's
 * descriptor, the keyboard, and one descriptor of the player), and the status lines that other programs read.
 * The fourth part, the player, is what console_host.c and mpv_host.c are about: a position that moves, and
 * four functions that libunisono calls: play, pause, seek and buffer. Where a unisono_player does that (gst_host.c,
 * sdl_host.c), the fourth part is its renderer.
 *
 * A host struct begins with a host_shell, so the `user` pointer of every callback is both:
 *
 *     struct my_host { host_shell shell; ...my player... };
 */
#ifndef HOST_SHELL_H
#define HOST_SHELL_H
#include <stddef.h>
#include <stdint.h>

#include "telling.h"
#include "unisono_player.h"

#define HOST_MILLISECOND INT64_C(1000000)
#define HOST_SECOND INT64_C(1000000000)
#define HOST_SUSPENSIONS 8
#define HOST_ITEM 1024

typedef struct host_shell host_shell;

/* What the shell needs to know of the player. Everything but `position` may be NULL. */
typedef struct host_player {
  /* For hosts over the player layer: makes shell->media and its renderer, with these callbacks and the shell as `user`.
   * The session is there already. */
  int32_t (*open)(host_shell *shell, const unisono_player_callbacks *callbacks);
  /* Where the player is at `host_time` in nanoseconds, or UNISONO_TIME_INVALID while that is not known. */
  int64_t (*position)(host_shell *shell, int64_t host_time);
  double (*rate)(host_shell *shell); /* as it really runs now; 0 paused */
  int (*stalled)(host_shell *shell);
  /* The group moved to this item, which is never NULL. Returns 0 when it cannot be played here; the host then
   * stays where it is. Otherwise the shell tells the coordinator; over the player layer this makes it the current item. */
  int (*load)(host_shell *shell, const char *item);
  /* A line from the keyboard that the shell does not know. Returns 0 when the player does not know it either. */
  int (*command)(host_shell *shell, const char *word, const char *argument);
  /* An option of the command line that the shell does not know. Returns how many words it took, 0 if unknown. */
  int (*option)(host_shell *shell, const char *word, const char *value);
  /* Something that people like to know of, "Ann sought to 1:02:03": for the player's own screen. The terminal has it. */
  void (*notice)(host_shell *shell, const char *sentence);
  void (*readable)(host_shell *shell); /* `player_fd` has something to read */
  void (*keep)(host_shell *shell);     /* 10 times a second: stay where the group is */
  int64_t keep_interval;               /* ns; more often than that */
  const char *usage;                   /* its own options and commands, for --help */
} host_player;

struct host_shell {
  unisono_context *context;
  unisono_session *session; /* NULL after `leave` */
  unisono_player *media; /* the player layer; NULL: the host drives its player itself */
  unisono_coordinator *coordinator;
  const host_player *player;
  unisono_suspension *suspensions[HOST_SUSPENSIONS]; /* the newest is the last */
  size_t suspension_count;

  /* from the command line */
  const char *name, *device, *hub, *listen, *invite, *first_item, *invite_file;
  uint8_t person[16]; /* the same on all devices of one person; zero: this one alone */
  const char *file; /* the one given here: this host's copy of the group's item, whatever that is called */
  int hosting, verbose, read_keyboard, snap;

  /* what the group last told us */
  char item[HOST_ITEM];
  int joined;
  telling told;

  /* the loop */
  int player_fd; /* -1: none */
  int status_fd; /* -1: none */
  int status_changed, finished, exit_code;
  int64_t next_status, next_keep;
  char input[1024];
  size_t input_length;
};

/* Reads the command line. Returns 0, or what main should end with: -1 after --help, 2 after a mistake. */
int host_shell_options(host_shell *shell, const host_player *player, int argc, char **argv);
/* Opens the session and runs until `quit`. `delegate` needs play, pause, seek and buffer; the shell fills in the
 * rest. NULL: over the player layer. Returns the exit status of the program. */
int host_shell_run(host_shell *shell, const unisono_playback_delegate *delegate);

/* Ends the loop; the library says goodbye. */
void host_shell_quit(host_shell *shell);

/* For hosts that play files (host_file.c). The identifier is what the group compares; the file belongs to this host alone, and
 * is one that was given here, on the command line or at the keyboard: what others named is never opened. */
/* A word of the command line that is no option is the file: 1, else 0. */
int host_file_option(host_shell *shell, const char *word);
/* After the options: who hosts calls the item as its file, unless --item does; who joins plays the group's item. Returns 0,
 * or 2 without a file. */
int host_file_given(host_shell *shell, const char *program);
/* host_player.load: the file that was given for this item becomes the current item. Where there is none the person is asked. */
int host_file_load(host_shell *shell, const char *item);
/* host_player.command: "file PATH" gives the file for the item that was asked for. Returns 0 for other commands. */
int host_file_command(host_shell *shell, const char *word, const char *argument);

/* 1 while this participant is suspended, for whatever reason. */
int host_is_apart(const host_shell *shell);
/* "playing", "waiting" or "paused". */
const char *host_state(host_shell *shell);
/* The status line, into shell->status_fd. */
void host_write_status(host_shell *shell);
/* Prints "what: last error" when `status` is an error. Returns `status`. */
int32_t host_check(int32_t status, const char *what);
/* Tells the group where the player is; call it whenever something changed. The shell does so 10 times a second. */
void host_report(host_shell *shell);
/* The group's item becomes the current one, if there is a file for it by now. */
void host_move_to_item(host_shell *shell, const char *item);
/* A status line soon, because something changed. */
void host_changed(host_shell *shell);
int64_t host_now(host_shell *shell);
/* The position of the line through (item_time, host_time) at another instant. */
int64_t host_line(int64_t item_time, int64_t host_time, double rate, int64_t at);

#endif
