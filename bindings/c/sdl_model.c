/* sdl_model.c: see sdl_model.h. */
#include "sdl_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *in_words(const char *reason) {
  static const char *const words[][2] = {
      {UNISONO_REASON_AUDIO_SESSION_INTERRUPTED, "interrupted"},
      {UNISONO_REASON_STALL_RECOVERY, "catching up"},
      {UNISONO_REASON_PLAYING_INTERSTITIAL, "watching something else"},
      {UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE, "cannot play this"},
      {UNISONO_REASON_USER_ACTION_REQUIRED, "has to do something first"},
      {UNISONO_REASON_USER_IS_CHANGING_CURRENT_TIME, "looking for a place"},
      {UNISONO_REASON_NOT_READY, "not ready yet"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(reason, words[i][0]) == 0) return words[i][1];
  return reason;
}

/* Why the group waits for this one; NULL: it does not. */
static const char *waits_for(const unisono_waiting_for *waiting, size_t count, const unisono_participant_id *id) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(&waiting[i].participant, id, sizeof *id) == 0)
      return waiting[i].reason[0] == '\0' ? "getting ready" : in_words(waiting[i].reason);
  return NULL;
}

static void describe(sdl_person *person, const unisono_participant *p, const char *waits, const char *item) {
  const char *words = "";
  person->mood = SDL_MOOD_IN_STEP;
  if (!p->is_local && p->connection != UNISONO_CONNECTION_CONNECTED) {
    person->mood = SDL_MOOD_AWAY;
    words = "out of reach";
  } else if (waits != NULL) {
    person->mood = SDL_MOOD_PREPARING;
    words = waits;
  } else if (p->suspension_reason_count > 0) {
    person->mood = SDL_MOOD_APART;
    words = in_words(p->suspension_reasons[0]);
  } else if (p->item == NULL || strcmp(p->item, item) != 0) {
    person->mood = SDL_MOOD_APART;
    words = "not here yet";
  }
  snprintf(person->name, sizeof person->name, "%s%s", p->display_name, p->is_local ? " (you)" : "");
  snprintf(person->words, sizeof person->words, "%s", words);
}

static void read_people(sdl_model *model, const host_shell *shell) {
  const unisono_participants *all = NULL;
  const unisono_waiting_for *waiting = NULL;
  size_t waiting_count = 0;
  model->people_count = 0;
  model->waiting_for[0] = '\0';
  if (shell->session == NULL || unisono_session_participants(shell->session, &all) < 0) return;
  if (unisono_coordinator_waiting_for(shell->coordinator, &waiting, &waiting_count) < 0) waiting_count = 0;
  for (size_t i = 0; i < all->count && model->people_count < SDL_VIEW_PEOPLE; i++) {
    const unisono_participant *p = all->items[i];
    const char *waits = waits_for(waiting, waiting_count, &p->id);
    describe(&model->people[model->people_count++], p, waits, shell->item);
    size_t length = strlen(model->waiting_for);
    if (waits != NULL)
      snprintf(model->waiting_for + length, sizeof model->waiting_for - length, "%s%s", length == 0 ? "" : ", ",
               p->is_local ? "you" : p->display_name);
  }
  unisono_free(waiting);
  unisono_free(all);
}

static void read_sync(sdl_model *model, const host_shell *shell, int64_t position) {
  unisono_session_statistics session = UNISONO_SESSION_STATISTICS_INIT;
  int64_t expected = UNISONO_TIME_INVALID, now = unisono_context_host_time(shell->context);
  char clock[48] = "";
  const char *state = NULL;
  if (shell->session == NULL || !shell->joined) state = "not in a session";
  else if (unisono_session_connection(shell->session) != UNISONO_CONNECTION_CONNECTED) state = "looking for the others";
  else if (host_is_apart(shell)) state = "apart from the others";
  else if (model->rate == 0) state = "";
  if (state != NULL) {
    snprintf(model->sync, sizeof model->sync, "%s", state);
    return;
  }
  unisono_coordinator_expected_item_time(shell->coordinator, now, &expected);
  if (unisono_session_get_statistics(shell->session, &session) == UNISONO_OK && session.clock_error > 0)
    snprintf(clock, sizeof clock, ",  clock ± %.1f ms", (double)session.clock_error / 1e6);
  double skew = expected == UNISONO_TIME_INVALID ? 0 : (double)(position - expected) / 1e6;
  if (fabs(skew) < 0.1) snprintf(model->sync, sizeof model->sync, "in step%s", clock);
  else snprintf(model->sync, sizeof model->sync, "%.1f ms %s%s", fabs(skew), skew > 0 ? "ahead" : "behind", clock);
}

void sdl_model_read(sdl_model *model, const host_shell *shell, int64_t position, double rate) {
  model->seconds = position == UNISONO_TIME_INVALID ? 0 : (double)position / 1e9;
  model->rate = rate;
  model->is_waiting = unisono_player_time_control(shell->media) == UNISONO_TIME_CONTROL_WAITING;
  snprintf(model->item, sizeof model->item, "%.*s", (int)sizeof model->item - 1, shell->item);
  read_people(model, shell);
  read_sync(model, shell, position);
}
