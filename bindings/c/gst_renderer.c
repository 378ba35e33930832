/* gst_renderer.c: see gst_renderer.h.
 *
 * GStreamer shows a buffer when the pipeline's clock shows base time + running time. Two things make that the group's:
 *
 *   - the clock is the session's (gst_session_clock.c), so all pipelines of the group run at one pace, however far their
 *     machines' clocks drift, and what the library learns about the clock reaches the pipeline by itself;
 *   - GStreamer does not choose the base time (start time NONE). It is set from what the player says, "item_time plays at
 *     host_time", before the pipeline goes to PLAYING. Sinks then wait for the first frame's moment by themselves, or drop
 *     what is too late to be shown.
 *
 * The player's seeks are flushing and accurate, one at a time; what is wished meanwhile waits for it. A change of rate is
 * a seek, too, as its instant has to be exact. Nudges change the clock's pace; they are needed only where the session's
 * clock has become another, as when its hub has gone.
 */
#include "gst_renderer.h"
#include "renderer_functions.h"

#include <math.h>
#include <stdlib.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define NEAR (40 * MILLISECOND)        /* from a place this close one starts without a seek: a frame is skipped at most */
#define GREATEST_COST (2 * SECOND)     /* no seek is expected to take longer */

static void go_on(gst_renderer *r);

static int64_t now(const gst_renderer *r) { return unisono_context_host_time(r->context); }

/* ---- The line ---------------------------------------------------------------------------------------------- */

static int64_t line_at(const gst_renderer *r, int64_t host_time) {
  int64_t since = gst_session_clock_at(&r->clock, host_time) - r->line_clock;
  return r->line_item + (int64_t)llround(r->rate * (double)since);
}

int64_t gst_renderer_position(const gst_renderer *r, int64_t host_time) {
  if (r->phase == GST_PHASE_EMPTY) return UNISONO_TIME_INVALID;
  if (r->phase != GST_PHASE_RUNNING || r->buffering) return r->stand;
  int64_t here = line_at(r, host_time);
  return (r->rate > 0) == (here > r->stand) ? here : r->stand; /* before its start it stands */
}

double gst_renderer_rate(const gst_renderer *r) {
  return r->phase == GST_PHASE_RUNNING && !r->buffering && r->start_timer == 0 ? r->rate * r->clock.nudge : 0;
}

/* item_time plays at clock_time from now on. */
static void set_line(gst_renderer *r, int64_t item_time, int64_t clock_time) {
  r->line_item = item_time;
  r->line_clock = clock_time;
  int64_t played = (int64_t)llround((double)(item_time - r->segment) / r->rate);
  gst_element_set_base_time(r->pipeline, (GstClockTime)(clock_time - played));
}

/* ---- What it tells the player ------------------------------------------------------------------------------- */

static int64_t duration(const gst_renderer *r) {
  gint64 length = 0;
  if (r->pipeline == NULL || !gst_element_query_duration(r->pipeline, GST_FORMAT_TIME, &length)) return 0;
  return length > 0 ? length : 0;
}

static void tell(gst_renderer *r, unisono_renderer_state state, uint64_t request, const char *failure) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  report.state = state;
  report.request = request;
  report.duration = duration(r);
  report.host_time = now(r);
  report.item_time = gst_renderer_position(r, report.host_time);
  report.flags = UNISONO_HAS_POSITION;
  report.status = failure == NULL ? UNISONO_OK : UNISONO_EIO;
  report.message = failure;
  unisono_player_report(r->player, &report);
}

static void answer(gst_renderer *r) {
  uint64_t request = r->wish.request;
  r->wish.request = 0;
  if (request != 0) tell(r, r->wish.answer, request, NULL);
}

static void fail(gst_renderer *r, const char *failure) {
  uint64_t request = r->wish.request;
  r->wish.request = 0;
  r->phase = GST_PHASE_STANDING;
  tell(r, UNISONO_RENDERER_FAILED, request, failure);
}

/* ---- Standing, seeking, running ------------------------------------------------------------------------------ */

static void halt(gst_renderer *r) {
  if (r->start_timer != 0) unisono_context_cancel(r->context, r->start_timer);
  r->start_timer = 0;
  if (r->phase != GST_PHASE_RUNNING) return;
  r->stand = gst_renderer_position(r, now(r));
  r->phase = GST_PHASE_STANDING;
  gst_element_set_state(r->pipeline, GST_STATE_PAUSED);
}

static void seek(gst_renderer *r, int64_t place, double rate) {
  GstSeekFlags flags = GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE;
  int64_t start = rate > 0 ? place : 0, stop = rate > 0 ? (int64_t)GST_CLOCK_TIME_NONE : place;
  r->phase = GST_PHASE_BUSY;
  r->stand = r->segment = place;
  r->rate = rate;
  r->drained = 0;
  r->sought_at = now(r);
  if (!gst_element_seek(r->pipeline, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_SET, stop))
    fail(r, "this cannot be sought in");
}

static void on_start_due(void *user, const unisono_timer_event *event) {
  gst_renderer *r = user;
  if (event->status != UNISONO_OK || event->token != r->start_timer) return;
  r->start_timer = 0;
  answer(r);
}

/* The frames of the place are there: sinks show them when their moment comes. */
static void start(gst_renderer *r) {
  int64_t at = r->wish.host_time == 0 ? now(r) : r->wish.host_time;
  set_line(r, r->wish.host_time == 0 ? r->stand : r->wish.item_time, gst_session_clock_at(&r->clock, at));
  r->phase = GST_PHASE_RUNNING;
  gst_element_set_state(r->pipeline, GST_STATE_PLAYING);
  if (at <= now(r)) answer(r);
  else unisono_context_call_at(r->context, at, on_start_due, r, &r->start_timer);
}

/* Where a play begins: where the line is when a seek could be over. */
static int64_t meeting_place(const gst_renderer *r) {
  const gst_wish *w = &r->wish;
  int64_t late = now(r) + r->seek_cost - w->host_time;
  return w->item_time + (late > 0 ? (int64_t)llround(w->rate * (double)late) : 0);
}

/* Takes the next step towards what is wished; none while frames are on their way. */
static void go_on(gst_renderer *r) {
  gst_wish *w = &r->wish;
  if (w->request == 0 || r->phase == GST_PHASE_BUSY || r->phase == GST_PHASE_EMPTY || r->buffering) return;
  if (r->drained && w->place == UNISONO_TIME_INVALID && w->runs) w->place = meeting_place(r);
  if (w->place != UNISONO_TIME_INVALID) {
    int64_t place = w->place;
    int there = !r->drained && place == r->stand && w->rate == r->rate;
    w->place = UNISONO_TIME_INVALID;
    if (!there) {
      seek(r, place, w->rate);
      return;
    }
  }
  if (w->runs) start(r);
  else answer(r);
}

static void wish(gst_renderer *r, const unisono_renderer_command *command, unisono_renderer_state answer) {
  r->wish = (gst_wish){.request = command->request, .answer = answer, .place = UNISONO_TIME_INVALID, .rate = r->rate};
}

/* ---- What the player tells it --------------------------------------------------------------------------------- */

static void unload(gst_renderer *r) {
  halt(r);
  r->phase = GST_PHASE_EMPTY;
  r->buffering = r->drained = 0;
  if (r->pipeline != NULL) gst_element_set_state(r->pipeline, GST_STATE_NULL);
  g_clear_pointer(&r->bus, gst_object_unref);
  g_clear_pointer(&r->pipeline, gst_object_unref);
}

/* Runs in a thread of the pipeline, right after the sink has waited for the frame's moment. */
static void on_rendered(GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user) {
  gst_renderer *r = user;
  int64_t host_time = unisono_host_time();
  GstEvent *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment = NULL;
  if (event == NULL) return;
  gst_event_parse_segment(event, &segment);
  guint64 item_time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  if (GST_CLOCK_TIME_IS_VALID(item_time))
    fprintf(r->rendered, "%s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT "\n", GST_OBJECT_NAME(sink), item_time,
            host_time);
  gst_event_unref(event);
}

/* A sink that shows nothing and says when it would have. */
static GstElement *writing_sink(gst_renderer *r, const char *name) {
  GstElement *sink = gst_element_factory_make("fakesink", name);
  g_object_set(sink, "sync", TRUE, "signal-handoffs", TRUE, "qos", TRUE, NULL);
  g_signal_connect(sink, "handoff", G_CALLBACK(on_rendered), r);
  return sink;
}

static void set_sink(gst_renderer *r, const char *property, const char *description) {
  if (description == NULL) return;
  GError *error = NULL;
  GstElement *sink = gst_parse_bin_from_description_full(description, TRUE, NULL, GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS,
                                                         &error);
  if (sink != NULL) g_object_set(r->pipeline, property, sink, NULL);
  else fprintf(stderr, "%s %s: %s\n", property, description, error->message);
  g_clear_error(&error);
}

static void on_element(GstElement *playbin, GstElement *element, gpointer user) {
  (void)playbin, (void)user;
  /* A sound card that follows the clock by resampling is never off by more than a sample or two. */
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), "slave-method") != NULL)
    gst_util_set_object_arg(G_OBJECT(element), "slave-method", "resample");
}

static int make_pipeline(gst_renderer *r, const char *uri) {
  r->pipeline = gst_element_factory_make("playbin3", NULL);
  if (r->pipeline == NULL) return 0;
  gchar *address = gst_uri_is_valid(uri) ? g_strdup(uri) : gst_filename_to_uri(uri, NULL);
  g_object_set(r->pipeline, "uri", address, NULL);
  g_free(address);
  g_signal_connect(r->pipeline, "element-setup", G_CALLBACK(on_element), NULL);
  if (r->rendered != NULL) {
    g_object_set(r->pipeline, "video-sink", writing_sink(r, "v"), "audio-sink", writing_sink(r, "a"), NULL);
  } else {
    set_sink(r, "video-sink", r->video_sink);
    set_sink(r, "audio-sink", r->audio_sink);
  }
  r->bus = gst_element_get_bus(r->pipeline);
  gst_pipeline_use_clock(GST_PIPELINE(r->pipeline), r->clock.clock);
  gst_element_set_start_time(r->pipeline, GST_CLOCK_TIME_NONE); /* the base time is ours */
  return 1;
}

static void on_load(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  unload(r);
  r->stand = r->segment = 0;
  r->rate = 1;
  gst_session_clock_nudge(&r->clock, 1);
  wish(r, command, UNISONO_RENDERER_READY);
  r->wish.place = command->item_time;
  if (!make_pipeline(r, command->uri)) {
    fail(r, "GStreamer's playbin3 is missing (Debian: gstreamer1.0-plugins-base)");
    return;
  }
  r->phase = GST_PHASE_BUSY;
  r->sought_at = now(r);
  gst_element_set_state(r->pipeline, GST_STATE_PAUSED); /* a failure comes over the bus */
}

static void on_cue(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  halt(r);
  wish(r, command, UNISONO_RENDERER_READY);
  r->wish.place = command->item_time;
  r->wish.rate = command->rate;
  go_on(r);
}

static void on_play(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  gst_session_clock_follow(&r->clock);
  int64_t far = gst_renderer_position(r, command->host_time) - command->item_time;
  wish(r, command, UNISONO_RENDERER_PLAYING);
  r->wish.rate = command->rate;
  r->wish.runs = 1;
  r->wish.item_time = command->item_time;
  r->wish.host_time = command->host_time;
  int is_there = r->phase != GST_PHASE_EMPTY && !r->drained && command->rate == r->rate && llabs(far) <= NEAR;
  if (is_there && r->phase == GST_PHASE_RUNNING) r->stand = r->segment;
  if (!is_there) {
    halt(r);
    r->wish.place = meeting_place(r);
  }
  go_on(r);
}

static void on_pause(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  halt(r);
  wish(r, command, UNISONO_RENDERER_PAUSED);
  go_on(r);
}

static void on_seek(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  int runs = r->phase == GST_PHASE_RUNNING || (r->wish.request != 0 && r->wish.runs);
  halt(r);
  wish(r, command, UNISONO_RENDERER_SEEKED);
  r->wish.place = command->item_time;
  r->wish.runs = runs;
  go_on(r);
}

static void on_nudge(void *user, const unisono_renderer_command *command) {
  gst_session_clock_nudge(&((gst_renderer *)user)->clock, command->rate);
}

static void on_volume(void *user, const unisono_renderer_command *command) {
  gst_renderer *r = user;
  if (r->pipeline != NULL) g_object_set(r->pipeline, "volume", command->volume, NULL);
}

static int32_t on_now(void *user, int64_t *item_time, int64_t *host_time) {
  gst_renderer *r = user;
  if (r->phase != GST_PHASE_RUNNING && r->phase != GST_PHASE_STANDING) return UNISONO_ESTATE;
  gst_session_clock_follow(&r->clock);
  *host_time = now(r);
  *item_time = gst_renderer_position(r, *host_time);
  return UNISONO_OK;
}

static void on_stop(void *user, const unisono_renderer_command *command) {
  (void)command;
  unload(user);
}

unisono_renderer gst_renderer_functions(void) {
  return RENDERER_FUNCTIONS(UNISONO_RENDERER_EXACT_START | UNISONO_RENDERER_REVERSE | UNISONO_RENDERER_NUDGES,
                            MILLISECOND / 2);
}

/* ---- What the pipeline says ------------------------------------------------------------------------------------ */

/* Frames are there. A message may be of an older preroll: the state tells. */
static void on_frames(gst_renderer *r) {
  if (r->phase != GST_PHASE_BUSY) return;
  if (gst_element_get_state(r->pipeline, NULL, NULL, 0) != GST_STATE_CHANGE_SUCCESS) return;
  int64_t took = now(r) - r->sought_at;
  r->seek_cost = took > GREATEST_COST ? GREATEST_COST : took > r->seek_cost ? took : (3 * r->seek_cost + took) / 4;
  r->phase = GST_PHASE_STANDING;
  go_on(r);
}

static void on_end(gst_renderer *r) {
  if (r->phase != GST_PHASE_RUNNING) return;
  int64_t length = duration(r);
  halt(r);
  r->drained = 1;
  if (r->rate < 0 || length > 0) r->stand = r->rate < 0 ? 0 : length;
  tell(r, UNISONO_RENDERER_ENDED, 0, NULL);
}

/* What comes over a network may run dry. */
static void on_buffering(gst_renderer *r, GstMessage *message) {
  gint percent = 100;
  gst_message_parse_buffering(message, &percent);
  if (percent < 100 && !r->buffering) {
    r->stand = gst_renderer_position(r, now(r));
    r->buffering = 1;
    if (r->phase != GST_PHASE_RUNNING) return;
    gst_element_set_state(r->pipeline, GST_STATE_PAUSED);
    tell(r, UNISONO_RENDERER_STALLED, 0, NULL);
  } else if (percent == 100 && r->buffering) {
    r->buffering = 0;
    if (r->phase == GST_PHASE_RUNNING) { /* from where it stopped; the player brings it back to the group */
      set_line(r, r->stand, gst_session_clock_at(&r->clock, now(r)));
      gst_element_set_state(r->pipeline, GST_STATE_PLAYING);
      tell(r, UNISONO_RENDERER_RECOVERED, 0, NULL);
    }
    go_on(r);
  }
}

static void on_failure(gst_renderer *r, GstMessage *message) {
  GError *error = NULL;
  gst_message_parse_error(message, &error, NULL);
  fail(r, error->message);
  g_clear_error(&error);
  unload(r);
}

static void on_navigation(gst_renderer *r, GstMessage *message) {
  const GstStructure *told = gst_message_get_structure(message), *what = NULL;
  GstEvent *event = NULL;
  if (r->on_key == NULL || !gst_structure_has_name(told, "GstNavigationMessage")) return;
  if (gst_structure_get(told, "event", GST_TYPE_EVENT, &event, NULL)) what = gst_event_get_structure(event);
  if (what != NULL && g_strcmp0(gst_structure_get_string(what, "event"), "key-press") == 0)
    r->on_key(r->user, gst_structure_get_string(what, "key"));
  if (event != NULL) gst_event_unref(event);
}

void gst_renderer_run(gst_renderer *r) {
  GstMessage *message;
  gst_session_clock_follow(&r->clock);
  while (r->bus != NULL && (message = gst_bus_pop(r->bus)) != NULL) {
    switch (GST_MESSAGE_TYPE(message)) {
      case GST_MESSAGE_ASYNC_DONE: on_frames(r); break;
      case GST_MESSAGE_EOS: on_end(r); break;
      case GST_MESSAGE_BUFFERING: on_buffering(r, message); break;
      case GST_MESSAGE_ERROR: on_failure(r, message); break;
      case GST_MESSAGE_ELEMENT: on_navigation(r, message); break;
      case GST_MESSAGE_LATENCY: gst_bin_recalculate_latency(GST_BIN(r->pipeline)); break;
      default: break;
    }
    gst_message_unref(message);
  }
}

int gst_renderer_fd(const gst_renderer *r) {
  GPollFD poll = {.fd = -1};
  if (r->bus != NULL) gst_bus_get_pollfd(r->bus, &poll);
  return poll.fd;
}

void gst_renderer_open(gst_renderer *r, unisono_context *context, unisono_session *session, FILE *rendered) {
  r->context = context;
  r->rendered = rendered;
  if (rendered != NULL) setvbuf(rendered, NULL, _IOLBF, 0); /* whoever reads it while it grows sees whole lines */
  r->seek_cost = 50 * MILLISECOND;
  gst_session_clock_open(&r->clock, session);
}

void gst_renderer_close(gst_renderer *r) {
  r->player = NULL;
  unload(r);
  gst_session_clock_close(&r->clock);
}
