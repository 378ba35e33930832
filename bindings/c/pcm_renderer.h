/* pcm_renderer.h: a sound card in a file. It writes what it would play, sample by sample, and when each is heard.
 *
 * Everything is computed from the host's clock: the card is at sample n at a certain host time, whenever the program gets
 * round to writing it. So what two of these write can be compared to the sample, on however busy a machine.
 */
#ifndef PCM_RENDERER_H
#define PCM_RENDERER_H
#include <stdint.h>
#include <stdio.h>

#include "unisono_player.h"

#define PCM_RATE 48000

typedef struct pcm_renderer {
  unisono_context *context;
  unisono_player *player;

  /* what is played: samples of a WAV file, or, without one, noise that is a function of the position */
  int16_t *samples; /* one channel, PCM_RATE */
  int64_t sample_count, duration;

  /* the card: sample n is heard at `first` + n / (PCM_RATE * card_speed) seconds */
  double card_speed;
  int64_t late; /* ns; 0: it keeps the instant of a start. Else it begins that much later than it is told, as Bluetooth does */
  int64_t first, written;
  FILE *out, *times;
  int is_wav;

  /* what it plays: position = at + rate * nudge * card_speed * (host time - since) */
  int64_t at, since;
  double rate, nudge, volume;
  unisono_renderer_command start; /* still to come; request 0: none */
  int ended;
} pcm_renderer;

/* `out` (samples; a name that ends in .wav makes it such a file) and `times` may be NULL. `drift`: how much faster than the host's clock the card runs, parts per million.
 * Returns 0, or -1 after saying what is wrong with the WAV file (16 bit, PCM_RATE, any number of channels). */
int pcm_open(pcm_renderer *renderer, const char *wav, const char *out, const char *times, double drift);
/* As `late` is then. */
unisono_renderer pcm_functions(const pcm_renderer *renderer);
/* Where it is at a host time, ns, and how fast that moves; 0: it stands. */
int64_t pcm_position(const pcm_renderer *renderer, int64_t at);
double pcm_rate(const pcm_renderer *renderer);
/* Writes what was heard since the last time; call it every 10 ms or so. */
void pcm_run(pcm_renderer *renderer);
void pcm_close(pcm_renderer *renderer);

#endif
