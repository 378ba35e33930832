/* gst_renderer.h: a GStreamer pipeline as a renderer of unisono_player.
 *
 * The pipeline runs on the session's clock and its base time is set from the line that the group plays along, so it shows
 * what the group shows for as long as it plays, and nothing ever has to be corrected. See gst_renderer.c.
 */
#ifndef GST_RENDERER_H
#define GST_RENDERER_H
#include <stdio.h>

#include "gst_session_clock.h"
#include "unisono_player.h"

typedef enum gst_phase {
  GST_PHASE_EMPTY,
  GST_PHASE_BUSY,     /* getting its first frames, or those of another place */
  GST_PHASE_STANDING, /* they are there, at `stand` */
  GST_PHASE_RUNNING
} gst_phase;

/* What the player told it last, until that is answered. */
typedef struct gst_wish {
  uint64_t request;              /* 0: it is answered */
  unisono_renderer_state answer; /* what it becomes when it is done */
  int64_t place;                 /* where to stand first; UNISONO_TIME_INVALID: wherever it is */
  double rate;                   /* the rate to get ready for */
  int runs;                      /* then go, so that item_time plays at host_time; 0: at once */
  int64_t item_time, host_time;
} gst_wish;

typedef struct gst_renderer {
  unisono_context *context;
  unisono_player *player; /* set it when there is one */
  gst_session_clock clock;
  GstElement *pipeline; /* NULL: nothing is loaded */
  GstBus *bus;
  const char *video_sink, *audio_sink; /* as for gst-launch; NULL: GStreamer's choice */
  FILE *rendered;                      /* every frame and when it was shown; NULL: no */
  /* A key was pressed in the window of the video sink ("space", "Left", ...); may be NULL. */
  void (*on_key)(void *user, const char *key);
  void *user;

  gst_phase phase;
  gst_wish wish;
  int64_t stand;    /* where it stands, or is going to */
  double rate;      /* of the segment that plays */
  int64_t segment;  /* item time at which that begins */
  int64_t sought_at, seek_cost;
  int drained;      /* at its end: only a seek brings it back */
  int buffering;    /* the network does not keep up */
  int64_t line_item, line_clock; /* line_item plays at line_clock */
  uint64_t start_timer;
} gst_renderer;

/* `rendered` not NULL: nothing is seen or heard; instead every frame and every block of sound is written down with its
 * stream (v or a), item time and the host time at which it was rendered, ns; a line each, at once. */
void gst_renderer_open(gst_renderer *renderer, unisono_context *context, unisono_session *session, FILE *rendered);
unisono_renderer gst_renderer_functions(void);
/* Becomes readable when gst_renderer_run has something to do; -1: nothing is loaded. Ask again after each run. */
int gst_renderer_fd(const gst_renderer *renderer);
/* What the pipeline has to say, and the session's clock; call it when readable and ten times a second. */
void gst_renderer_run(gst_renderer *renderer);
/* Where it is at a host time, or UNISONO_TIME_INVALID, and how fast that moves; 0: it stands. */
int64_t gst_renderer_position(const gst_renderer *renderer, int64_t host_time);
double gst_renderer_rate(const gst_renderer *renderer);
void gst_renderer_close(gst_renderer *renderer);

#endif
