/* pcm_renderer.c: see pcm_renderer.h. */
#define _POSIX_C_SOURCE 200809L
#include "pcm_renderer.h"
#include "renderer_functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define BLOCK 480 /* samples between two lines of times */
#define NOISE_LENGTH (600 * SECOND)

/* ---- The source ------------------------------------------------------------------------------------------ */

static uint32_t little(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

/* Finds the format and the samples in a RIFF file. */
static int read_chunks(pcm_renderer *r, FILE *file, const char *path) {
  unsigned char head[12], format[16] = {0};
  if (fread(head, 1, 12, file) != 12 || memcmp(head, "RIFF", 4) != 0 || memcmp(head + 8, "WAVE", 4) != 0) {
    fprintf(stderr, "%s is no WAV file\n", path);
    return -1;
  }
  while (fread(head, 1, 8, file) == 8) {
    uint32_t length = little(head + 4, 4);
    if (memcmp(head, "fmt ", 4) == 0 && length >= 16) {
      if (fread(format, 1, 16, file) != 16) break;
      length -= 16;
    } else if (memcmp(head, "data", 4) == 0) {
      uint32_t channels = little(format + 2, 2);
      if (little(format, 2) != 1 || little(format + 14, 2) != 16 || little(format + 4, 4) != PCM_RATE || channels == 0) {
        fprintf(stderr, "%s: only 16 bit PCM at %d samples a second is played\n", path, PCM_RATE);
        return -1;
      }
      int64_t count = length / (2 * channels);
      r->samples = malloc((size_t)count * sizeof *r->samples + 1);
      unsigned char *frame = malloc(2 * channels);
      while (r->samples != NULL && frame != NULL && r->sample_count < count &&
             fread(frame, 2 * channels, 1, file) == 1)
        r->samples[r->sample_count++] = (int16_t)little(frame, 2);
      free(frame);
      return r->samples == NULL ? -1 : 0;
    }
    if (fseek(file, (long)(length + (length & 1)), SEEK_CUR) != 0) break;
  }
  fprintf(stderr, "%s has no samples\n", path);
  return -1;
}

static void put(unsigned char *bytes, uint32_t value, int count) {
  for (int i = 0; i < count; i++) bytes[i] = (unsigned char)(value >> 8 * i);
}

/* In front of the samples of a .wav; written again when their number is known. */
static void write_header(FILE *file, int64_t samples) {
  unsigned char head[44] = "RIFF....WAVEfmt ....................data";
  uint32_t bytes = samples > (UINT32_MAX - 44) / 2 ? UINT32_MAX - 44 : (uint32_t)(2 * samples);
  put(head + 4, bytes + 36, 4);
  put(head + 16, 16, 4); /* the format: PCM, one channel, samples and bytes a second, bytes and bits a sample */
  put(head + 20, 1, 2);
  put(head + 22, 1, 2);
  put(head + 24, PCM_RATE, 4);
  put(head + 28, 2 * PCM_RATE, 4);
  put(head + 32, 2, 2);
  put(head + 34, 16, 2);
  put(head + 40, bytes, 4);
  fwrite(head, sizeof head, 1, file);
}

/* The sample at a position of the item, ns. */
static int16_t source(const pcm_renderer *r, int64_t position) {
  int64_t index = (position * (PCM_RATE / 1000)) / (SECOND / 1000);
  if (position < 0 || position >= r->duration) return 0;
  if (r->samples != NULL) return index < r->sample_count ? r->samples[index] : 0;
  uint64_t hash = ((uint64_t)index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  hash = (hash ^ hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  return (int16_t)((int64_t)(hash >> 48) / 4 - 8192);
}

int pcm_open(pcm_renderer *r, const char *wav, const char *out, const char *times, double drift) {
  memset(r, 0, sizeof *r);
  r->card_speed = 1 + drift / 1e6;
  r->nudge = r->volume = 1;
  r->duration = NOISE_LENGTH;
  if (wav != NULL) {
    FILE *file = fopen(wav, "rb");
    int failed = file == NULL || read_chunks(r, file, wav) != 0;
    if (file == NULL) fprintf(stderr, "%s: %s\n", wav, strerror(errno));
    else fclose(file);
    if (failed) return -1;
    r->duration = r->sample_count * (SECOND / 1000) / (PCM_RATE / 1000);
  }
  if (out != NULL && (r->out = fopen(out, "wb")) == NULL) fprintf(stderr, "%s: %s\n", out, strerror(errno));
  const char *dot = out == NULL ? NULL : strrchr(out, '.');
  r->is_wav = r->out != NULL && dot != NULL && strcmp(dot, ".wav") == 0;
  if (r->is_wav) write_header(r->out, 0);
  if (times != NULL && (r->times = fopen(times, "w")) == NULL) fprintf(stderr, "%s: %s\n", times, strerror(errno));
  return (out != NULL && r->out == NULL) || (times != NULL && r->times == NULL) ? -1 : 0;
}

void pcm_close(pcm_renderer *r) {
  free(r->samples);
  if (r->is_wav && fseek(r->out, 0, SEEK_SET) == 0) write_header(r->out, r->written);
  if (r->out != NULL) fclose(r->out);
  if (r->times != NULL) fclose(r->times);
  memset(r, 0, sizeof *r);
}

/* ---- The card -------------------------------------------------------------------------------------------- */

static int64_t now(const pcm_renderer *r) { return unisono_context_host_time(r->context); }

static int64_t heard_at(const pcm_renderer *r, int64_t sample) {
  return r->first + (int64_t)((double)sample * 1e9 / (PCM_RATE * r->card_speed));
}

static double speed(const pcm_renderer *r) { return r->rate * r->nudge * r->card_speed; }
static int64_t position(const pcm_renderer *r, int64_t at) {
  return r->at + (int64_t)((double)(at - r->since) * speed(r));
}

static void say(pcm_renderer *r, unisono_renderer_state state, uint64_t request, int64_t at) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  report.state = state;
  report.request = request;
  report.item_time = position(r, at);
  report.host_time = at;
  report.flags = UNISONO_HAS_POSITION;
  report.duration = r->duration;
  unisono_player_report(r->player, &report);
}

/* From `at` on another course. */
static void move(pcm_renderer *r, int64_t to, double rate, int64_t at) {
  r->at = to;
  r->since = at;
  r->rate = rate;
}

static void write_block(pcm_renderer *r, int64_t count, int64_t until) {
  int16_t block[BLOCK];
  int64_t heard = heard_at(r, r->written);
  for (int64_t i = 0; i < count; i++) {
    int64_t when = heard_at(r, r->written + i);
    int plays = r->rate != 0 && when < until;
    block[i] = plays ? (int16_t)(r->volume * source(r, position(r, when))) : 0;
  }
  if (r->out != NULL) fwrite(block, sizeof *block, (size_t)count, r->out);
  if (r->times != NULL) /* sample, when it is heard, where the item is then, how fast that moves */
    fprintf(r->times, "%" PRId64 " %" PRId64 " %" PRId64 " %.9f\n", r->written, heard, position(r, heard), speed(r));
  r->written += count;
}

int64_t pcm_position(const pcm_renderer *r, int64_t at) { return position(r, at); }
double pcm_rate(const pcm_renderer *r) { return r->rate * r->nudge; }

/* Everything that is heard before `until`, as things are. */
static void write_until(pcm_renderer *r, int64_t until) {
  while (r->out != NULL || r->times != NULL) {
    int64_t count = (int64_t)((double)(until - r->first) * PCM_RATE * r->card_speed / 1e9) - r->written;
    if (count <= 0) return;
    write_block(r, count < BLOCK ? count : BLOCK, until);
  }
}

void pcm_run(pcm_renderer *r) {
  int64_t to = now(r);
  if (r->first == 0) r->first = to;
  if (r->start.request != 0 && r->start.host_time <= to) {
    unisono_renderer_command start = r->start;
    r->start.request = 0;
    write_until(r, start.host_time);
    move(r, start.item_time, start.rate, start.host_time);
    say(r, UNISONO_RENDERER_PLAYING, start.request, start.host_time);
  }
  write_until(r, to);
  if (r->rate > 0 && !r->ended && position(r, to) >= r->duration) {
    r->ended = 1;
    move(r, r->duration, 0, to);
    say(r, UNISONO_RENDERER_ENDED, 0, to);
  }
  if (r->times != NULL) fflush(r->times);
}

/* ---- What the player tells it ------------------------------------------------------------------------------ */

/* What was heard so far stays as it was. */
static int64_t before_change(pcm_renderer *r) {
  pcm_run(r);
  r->start.request = 0;
  r->ended = 0;
  return now(r);
}

static void on_load(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  r->nudge = 1;
  move(r, command->item_time, 0, at);
  say(r, UNISONO_RENDERER_READY, command->request, at);
}

static void on_cue(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  move(r, command->item_time, 0, at);
  say(r, UNISONO_RENDERER_READY, command->request, at);
}

/* What runs goes on at the rate; what stands begins when the sound is through. */
static void play_late(pcm_renderer *r, const unisono_renderer_command *command, int64_t at) {
  if (r->rate != 0) {
    move(r, position(r, at), command->rate, at);
    say(r, UNISONO_RENDERER_PLAYING, command->request, at);
    return;
  }
  r->start = *command;
  r->start.item_time = r->at;
  r->start.host_time = at + r->late;
}

/* Exactly: item_time is heard at host_time, whether that is to come or past. */
static void on_play(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  if (r->late > 0) {
    play_late(r, command, at);
    return;
  }
  if (command->host_time > at) {
    r->start = *command;
    return;
  }
  move(r, command->item_time + (int64_t)((double)(at - command->host_time) * command->rate), command->rate, at);
  say(r, UNISONO_RENDERER_PLAYING, command->request, at);
}

static void on_pause(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  move(r, position(r, at), 0, at);
  say(r, UNISONO_RENDERER_PAUSED, command->request, at);
}

static void on_seek(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  move(r, command->item_time, r->rate, at);
  say(r, UNISONO_RENDERER_SEEKED, command->request, at);
}

static void on_nudge(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  pcm_run(r);
  int64_t at = now(r);
  move(r, position(r, at), r->rate, at);
  r->nudge = command->rate;
}

static void on_volume(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  pcm_run(r);
  r->volume = command->volume;
}

static void on_stop(void *user, const unisono_renderer_command *command) {
  pcm_renderer *r = user;
  int64_t at = before_change(r);
  (void)command;
  move(r, position(r, at), 0, at);
}

static int32_t on_now(void *user, int64_t *item_time, int64_t *host_time) {
  pcm_renderer *r = user;
  *host_time = now(r);
  *item_time = position(r, *host_time);
  return UNISONO_OK;
}

unisono_renderer pcm_functions(const pcm_renderer *r) {
  return RENDERER_FUNCTIONS((r->late > 0 ? 0 : UNISONO_RENDERER_EXACT_START) | UNISONO_RENDERER_REVERSE |
                                UNISONO_RENDERER_NUDGES,
                            SECOND / 1000);
}
