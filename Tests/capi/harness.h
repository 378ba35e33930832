/* A test program that says what it found as TAP: "ok 3 - a sentence". Plain C11, and C++17. */
#ifndef UNISONO_TEST_HARNESS_H
#define UNISONO_TEST_HARNESS_H

#include <stdio.h>
#include <string.h>
#include <unisono_nearby.h>
#include <unisono_player.h>
#include <unisono_simulation.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Runs one test; it passed when no CHECK in it failed. */
void run_test(const char *sentence, void (*body)(void));
int failures(void);
int summary(void);
void check(int holds, const char *what, const char *file, int line);
void check_equal(long long have, long long want, const char *what, const char *file, int line);

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define EQUAL(have, want) check_equal((long long)(have), (long long)(want), #have " == " #want, __FILE__, __LINE__)

/* Polls until *flag is at least `count`, for at most ten seconds; whether it came. */
int pump_until(unisono_context *context, const int *flag, int count);
/* Polls until nothing is due any more. */
void pump(unisono_context *context);
/* Waits without polling until *flag is at least `count`, for at most ten seconds: for loops that run by themselves. */
int wait_until(const int *flag, int count);
int64_t milliseconds(int64_t count);

/* What a coordinator told, for polled and own-thread contexts. */
typedef struct {
  int plays, pauses, seeks, buffers, participants, suspensions, timings, errors, released;
  unisono_command last;
  unisono_command play, pause, seek, buffer; /* the last of each kind */
  char last_item[64];
  int last_timing_status;
  int first_participants_complete;
  size_t suspension_count;
  unisono_coordinator *coordinator;
  int completes; /* completes each command at once */
  char last_error_operation[64];
} player;

unisono_playback_delegate player_delegate(void);

/* A process that joins, loads the one attachment that is offered into a file, and says on its output how far it is. */
int load_attachment(const char *invite, const char *path);

void test_null(void);
void test_times(void);
void test_events(void);
void test_input(void);
void test_context(void);
void test_queue(void);
void test_coordinator(void);
void test_lifetime(void);
void test_hub(void);
void test_nearby(void);
void test_session(void);
void test_player(void);
void test_latency(void);
void test_surface(void);
void test_messages(void);
void test_playlist(void);
void test_attachments(void);
void test_activation(void);
void test_succession(void);
void test_simulation(void);
void test_continuation(void);
void test_audience(void);

#if defined(__cplusplus)
}
#endif
#endif
