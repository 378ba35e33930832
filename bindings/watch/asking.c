/* asking.c: see asking.h. */
#include "asking.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../c/participant_name.h"

static void name_of(unisono_session *session, const unisono_participant_id *id, char *out, size_t room) {
  const unisono_participants *all = NULL;
  unisono_session_participants(session, &all);
  const char *name = participant_name(all, id);
  snprintf(out, room, "%s", name != NULL && name[0] != '\0' ? name : "somebody");
  unisono_free(all);
}

/* "pause", "play", "go to 1:02:03". */
static void wish_of(const unisono_request_event *event, char *out, size_t room) {
  const int64_t seconds = event->item_time / INT64_C(1000000000);
  if (event->kind == UNISONO_REQUEST_SEEK)
    snprintf(out, room, "go to %" PRId64 ":%02d:%02d", seconds / 3600, (int)(seconds / 60 % 60), (int)(seconds % 60));
  else snprintf(out, room, "%s", event->kind == UNISONO_REQUEST_PAUSE ? "pause" : event->kind == UNISONO_REQUEST_PLAY ? "play" : "do something");
}

static int is_own(unisono_session *session, const unisono_participant_id *id) {
  unisono_participant_id own;
  return unisono_session_local_participant(session, &own) >= 0 && memcmp(&own, id, sizeof own) == 0;
}

void asking_heard(asking *what, unisono_session *session, const unisono_request_event *event, const char *keys, char *line, size_t room) {
  char name[64], wish[64];
  const int is_mine = is_own(session, &event->asker), is_the_open_one =
      event->number == what->number && memcmp(&event->asker, &what->asker, sizeof what->asker) == 0;
  wish_of(event, wish, sizeof wish);
  line[0] = '\0';
  if (is_mine) {
    name_of(session, &event->answerer, name, sizeof name);
    if (event->status == UNISONO_REQUEST_GRANTED) snprintf(line, room, "%s did as you asked", name);
    else if (event->status == UNISONO_REQUEST_DECLINED) snprintf(line, room, "You asked to %s: %s declined", wish, name);
    else if (event->status == UNISONO_REQUEST_UNANSWERED) snprintf(line, room, "You asked to %s: nobody answered", wish);
    return;
  }
  name_of(session, &event->asker, name, sizeof name);
  if (event->status == UNISONO_REQUEST_OPEN) {
    *what = (asking){.asker = event->asker, .number = event->number};
    snprintf(line, room, "%s asks to %s%s%.200s%s%s", name, wish, event->text != NULL ? ": " : "", event->text != NULL ? event->text : "",
             keys != NULL ? "; " : "", keys != NULL ? keys : "");
  } else if (is_the_open_one) {
    *what = (asking){.number = 0};
  }
}

int32_t asking_ask(unisono_session *session, int is_paused) {
  unisono_request request = UNISONO_REQUEST_INIT;
  request.kind = is_paused ? UNISONO_REQUEST_PLAY : UNISONO_REQUEST_PAUSE;
  return unisono_session_request_command(session, &request, NULL);
}

int32_t asking_answer(asking *what, unisono_session *session, int granted) {
  const asking open = *what;
  if (open.number == 0) return UNISONO_ENOTFOUND;
  *what = (asking){.number = 0};
  return unisono_session_answer_request(session, &open.asker, open.number, granted);
}
