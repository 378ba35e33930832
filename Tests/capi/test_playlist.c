/* The playlist that a group shares, and copies of what is on it. Two sessions over loopback. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  int joined, changes, currents, copies, errors;
  unisono_playlist_event last;
  char item[64], message[128], failed[64];
  uint32_t differs;
  int status, skips; /* skips: notices of a range that the group left out */
  unisono_copy copy;
  unisono_notice skipped;
  char sentence[256], kind[16];
} watcher;

static unisono_context *context;
static unisono_session *ann, *ben;
static watcher of_ann, of_ben;

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((watcher *)user)->joined = 1;
}
static void on_playlist(void *user, const unisono_playlist_event *event) {
  watcher *w = (watcher *)user;
  w->changes++;
  w->currents += event->current_changed;
  w->last = *event;
  snprintf(w->item, sizeof w->item, "%s", event->item != NULL ? event->item : "");
}
static void on_copy(void *user, const unisono_copy_event *event) {
  watcher *w = (watcher *)user;
  w->copies++;
  w->differs = event->differs;
  w->copy = *event->copy;
  snprintf(w->message, sizeof w->message, "%s", event->message);
}
static void on_error(void *user, const unisono_error_event *event) {
  watcher *w = (watcher *)user;
  w->errors++;
  w->status = event->status;
  snprintf(w->failed, sizeof w->failed, "%s", event->operation);
}

static void on_notice(void *user, const unisono_notice_event *event) {
  watcher *w = (watcher *)user;
  size_t room = sizeof w->sentence;
  if (event->notice->kind != UNISONO_NOTICE_RANGE_SKIPPED) return;
  w->skipped = *event->notice;
  snprintf(w->kind, sizeof w->kind, "%s", event->notice->text != NULL ? event->notice->text : "");
  EQUAL(unisono_notice_text(event->notice, w->sentence, &room), UNISONO_OK);
  w->skips++;
}

static void begin(void) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  char invite[4096];
  size_t length = sizeof invite;
  memset(&of_ann, 0, sizeof of_ann);
  memset(&of_ben, 0, sizeof of_ben);
  callbacks.state = on_state;
  callbacks.playlist = on_playlist;
  callbacks.copy = on_copy;
  callbacks.error = on_error;
  callbacks.notice = on_notice;
  hub.listen = address;
  hub.listen_count = 1;
  options.hub_options = &hub;
  options.display_name = "Ann";
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &of_ann, &ann), UNISONO_OK);
  entry.item = "early";
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_next_entry(ann, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_set_copy(ann, NULL, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_join(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.joined, 1));
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  options.hub_options = NULL;
  options.display_name = "Ben";
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &of_ben, &ben), UNISONO_OK);
  EQUAL(unisono_session_join(ben), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.joined, 1));
}

static unisono_entry_id add(unisono_session *session, const char *item, const unisono_entry_id *before) {
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_entry_id id;
  memset(&id, 0, sizeof id);
  entry.item = item;
  EQUAL(unisono_session_add_entry(session, &entry, before, &id), UNISONO_OK);
  return id;
}

/* The items, one after the other, with a space behind each. */
static void programme(unisono_session *session, char *text, size_t size) {
  const unisono_playlist *list = NULL;
  size_t i, length = 0;
  text[0] = '\0';
  EQUAL(unisono_session_playlist(session, &list), UNISONO_OK);
  for (i = 0; list != NULL && i < list->count && length + 1 < size; i++)
    length += (size_t)snprintf(text + length, size - length, "%s ", list->items[i]->item);
  unisono_free(list);
}

static int has(unisono_session *session, const char *wanted) {
  char text[256];
  int64_t end = unisono_host_time() + milliseconds(5000);
  do {
    programme(session, text, sizeof text);
    if (strcmp(text, wanted) == 0) return 1;
    unisono_context_poll(context, milliseconds(10));
  } while (unisono_host_time() < end);
  fprintf(stderr, "the list is \"%s\", not \"%s\"\n", text, wanted);
  return 0;
}

static void shared(void) {
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_copy copy = UNISONO_COPY_INIT;
  const unisono_playlist *list = NULL;
  const char *addresses[] = {"https://example.org/a.mp4", "magnet:?xt=a"};
  const unisono_range ranges[] = {{0, 90000000000, UNISONO_RANGE_INTRO, 0}, {90000000000, 91000000000, UNISONO_RANGE_CREDITS, 0}};
  unisono_entry_id first, second, third;
  begin();
  copy.duration = 5400000000000;
  copy.file_size = 700;
  copy.has_hash = 1;
  copy.hash[31] = 9;
  entry.item = "A";
  entry.title = "A film";
  entry.copy = &copy;
  entry.addresses = addresses;
  entry.address_count = 2;
  entry.ranges = ranges;
  entry.range_count = 2;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, &first), UNISONO_OK);
  CHECK(has(ben, "A "));
  third = add(ben, "C", NULL);
  CHECK(has(ann, "A C "));
  second = add(ann, "B", &third);
  CHECK(has(ben, "A B C "));
  EQUAL(unisono_session_playlist(ben, &list), UNISONO_OK);
  EQUAL(list->count, 3);
  if (list->count != 3) {
    unisono_free(list);
    unisono_context_destroy(context);
    return;
  }
  CHECK(memcmp(&list->items[0]->id, &first, sizeof first) == 0);
  CHECK(strcmp(list->items[0]->title, "A film") == 0);
  CHECK(list->items[0]->copy != NULL && list->items[0]->copy->duration == copy.duration);
  CHECK(list->items[0]->copy->file_size == 700 && list->items[0]->copy->hash[31] == 9);
  EQUAL(list->items[0]->address_count, 2);
  CHECK(strcmp(list->items[0]->addresses[1], addresses[1]) == 0);
  EQUAL(list->items[0]->range_count, 2);
  CHECK(memcmp(list->items[0]->ranges, ranges, sizeof ranges) == 0);
  CHECK(list->items[1]->ranges == NULL && list->items[1]->range_count == 0);
  CHECK(list->items[1]->title == NULL && list->items[1]->copy == NULL && list->items[1]->addresses == NULL);
  unisono_free(list);
  EQUAL(unisono_session_select_entry(ben, &first), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.currents, 1));
  CHECK(strcmp(of_ann.item, "A") == 0 && !of_ann.last.by_end);
  CHECK(memcmp(&of_ann.last.current, &first, sizeof first) == 0);
  EQUAL(unisono_session_next_entry(ann, &first), UNISONO_OK);
  EQUAL(unisono_session_next_entry(ben, &first), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.currents, 2));
  CHECK(pump_until(context, &of_ben.currents, 2));
  CHECK(strcmp(of_ann.item, "B") == 0 && strcmp(of_ben.item, "B") == 0);
  EQUAL(unisono_session_move_entry(ann, &third, &first), UNISONO_OK);
  CHECK(has(ben, "C A B "));
  EQUAL(unisono_session_remove_entry(ben, &first), UNISONO_OK);
  CHECK(has(ann, "C B "));
  EQUAL(unisono_session_next_entry(ann, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.errors, 1));
  EQUAL(of_ann.status, UNISONO_ENOTFOUND);
  CHECK(strcmp(of_ann.failed, "unisono_session_next_entry") == 0);
  EQUAL(unisono_session_move_entry(ann, &first, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.errors, 2));
  EQUAL(of_ann.currents, 2);
  (void)second;
  unisono_context_destroy(context);
}

/* Each of these is no range where it stands, and nothing is written out of memory for them. */
static void no_ranges(unisono_playlist_entry *entry) {
  static const unisono_range wrong[][2] = {
      {{-1, 5000000000, UNISONO_RANGE_INTRO, 0}, {6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
      {{0, 999999999, UNISONO_RANGE_INTRO, 0}, {6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
      {{0, 5000000000, UNISONO_RANGE_INTRO, 0}, {4000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
      {{6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}, {0, 5000000000, UNISONO_RANGE_INTRO, 0}},
      {{0, 5000000000, UNISONO_RANGE_INTRO, 0}, {6000000000, INT64_MAX, UNISONO_RANGE_INTRO, 0}},
      {{INT64_MIN, INT64_MAX, UNISONO_RANGE_INTRO, 0}, {INT64_MAX, INT64_MIN, UNISONO_RANGE_INTRO, 0}},
      {{0, 5000000000, (unisono_range_kind)0, 0}, {6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
      {{0, 5000000000, (unisono_range_kind)3, 0}, {6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
      {{0, 5000000000, (unisono_range_kind)256, 0}, {6000000000, 9000000000, UNISONO_RANGE_INTRO, 0}},
  };
  static const unisono_range later = {0, 5000000000, UNISONO_RANGE_INTRO, 1};
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    entry->ranges = wrong[i];
    entry->range_count = 2;
    EQUAL(unisono_session_add_entry(ann, entry, NULL, NULL), UNISONO_EINVAL);
    CHECK(strstr(unisono_last_error(), "entry.ranges[") != NULL);
  }
  entry->range_count = 17;
  EQUAL(unisono_session_add_entry(ann, entry, NULL, NULL), UNISONO_EINVAL);
  entry->range_count = SIZE_MAX;
  EQUAL(unisono_session_add_entry(ann, entry, NULL, NULL), UNISONO_EINVAL);
  entry->ranges = NULL;
  entry->range_count = 1;
  EQUAL(unisono_session_add_entry(ann, entry, NULL, NULL), UNISONO_EINVAL);
  entry->ranges = &later;
  EQUAL(unisono_session_add_entry(ann, entry, NULL, NULL), UNISONO_ENOTSUP);
  entry->ranges = NULL;
  entry->range_count = 0;
}

static void refused(void) {
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_copy copy = UNISONO_COPY_INIT;
  const char *many[9] = {"a", "a", "a", "a", "a", "a", "a", "a", "a"};
  const unisono_playlist *list = NULL;
  unisono_entry_id nobody;
  char *large = (char *)malloc(1048577);
  int i, taken = 0, full = 0;
  memset(&nobody, 0, sizeof nobody);
  memset(large, 'x', 1048576);
  large[1048576] = '\0';
  begin();
  EQUAL(unisono_session_add_entry(ann, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL); /* no item */
  entry.item = large;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_ETOOBIG);
  entry.item = "\xff";
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.item = "A";
  entry.title = large;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_ETOOBIG);
  CHECK(strstr(unisono_last_error(), "entry.title is longer than 255 bytes") != NULL);
  entry.title = "\x1b[2J";
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.title = NULL;
  entry.addresses = many;
  entry.address_count = 9;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.address_count = SIZE_MAX;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.addresses = NULL;
  entry.address_count = 1;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  many[0] = large;
  entry.addresses = many;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_ETOOBIG);
  entry.addresses = NULL;
  entry.address_count = 0;
  no_ranges(&entry);
  copy.duration = -1;
  entry.copy = &copy;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  copy.size = 0;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.copy = NULL;
  entry.size = 4;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, NULL), UNISONO_EINVAL);
  entry.size = sizeof entry;
  EQUAL(unisono_session_move_entry(ann, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_remove_entry(ann, &nobody), UNISONO_EINVAL);
  EQUAL(unisono_session_select_entry(ann, &nobody), UNISONO_EINVAL);
  pump(context);
  EQUAL(of_ann.changes, 0);
  /* Ten thousand: a thousand are taken, the others refused, at once or late, and each of them once. */
  for (i = 0; i < 10000; i++) {
    const int status = unisono_session_add_entry(ann, &entry, NULL, NULL);
    if (status == UNISONO_EFULL) {
      full++;
    } else {
      EQUAL(status, UNISONO_OK);
      taken++;
    }
    unisono_context_poll(context, 0);
  }
  CHECK(taken >= 1000 && full > 0);
  CHECK(pump_until(context, &of_ann.errors, taken - 1000));
  EQUAL(of_ann.errors, taken - 1000);
  if (taken > 1000) EQUAL(of_ann.status, UNISONO_EFULL);
  EQUAL(unisono_session_playlist(ann, &list), UNISONO_OK);
  EQUAL(list->count, 1000);
  unisono_free(list);
  free(large);
  unisono_context_destroy(context);
}

static void write_file(const char *path, size_t size, size_t mark) {
  FILE *file = fopen(path, "wb");
  size_t i;
  CHECK(file != NULL);
  if (file == NULL) return;
  for (i = 0; i < size; i++) fputc(i == mark ? 'M' : (int)(i % 251), file);
  fclose(file);
}

static void copies(void) {
  unisono_copy one = UNISONO_COPY_INIT, other = UNISONO_COPY_INIT;
  unisono_entry_id id, unknown;
  char path[128], second[128];
  snprintf(path, sizeof path, "/tmp/unisono-copy-%ld-a", (long)getpid());
  snprintf(second, sizeof second, "/tmp/unisono-copy-%ld-b", (long)getpid());
  EQUAL(unisono_copy_of_file(NULL, &one), UNISONO_EINVAL);
  EQUAL(unisono_copy_of_file("", &one), UNISONO_EINVAL);
  EQUAL(unisono_copy_of_file("/tmp", &one), UNISONO_EINVAL);
  EQUAL(unisono_copy_of_file("/dev/null", &one), UNISONO_EINVAL);
  EQUAL(unisono_copy_of_file(path, &one), UNISONO_ENOTFOUND);
  write_file(path, 0, 1);
  EQUAL(unisono_copy_of_file(path, &one), UNISONO_EINVAL);
  write_file(path, 1000000, SIZE_MAX);
  write_file(second, 1000000, 500000); /* in the middle */
  EQUAL(unisono_copy_of_file(path, NULL), UNISONO_EINVAL);
  one.duration = 5000;
  EQUAL(unisono_copy_of_file(path, &one), UNISONO_OK);
  EQUAL(unisono_copy_of_file(second, &other), UNISONO_OK);
  EQUAL(one.file_size, 1000000);
  EQUAL(one.duration, 5000);
  CHECK(one.has_hash && other.has_hash && memcmp(one.hash, other.hash, 32) != 0);
  write_file(second, 1000000, SIZE_MAX);
  EQUAL(unisono_copy_of_file(second, &other), UNISONO_OK);
  CHECK(memcmp(one.hash, other.hash, 32) == 0);
  remove(path);
  remove(second);

  begin();
  id = add(ann, "film", NULL);
  one.duration = other.duration = 5400000000000;
  EQUAL(unisono_session_set_copy(ann, &id, &one), UNISONO_OK);
  EQUAL(unisono_session_set_copy(ben, &id, &other), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.copies, 1));
  CHECK(pump_until(context, &of_ben.copies, 1));
  EQUAL(of_ann.differs, 0);
  EQUAL(of_ben.differs, 0);
  CHECK(strcmp(of_ann.message, "Ben has the same copy") == 0);
  other.hash[0] ^= 1;
  other.duration += 30000000000;
  EQUAL(unisono_session_set_copy(ben, &id, &other), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.copies, 2));
  CHECK(pump_until(context, &of_ben.copies, 2));
  EQUAL(of_ann.differs, UNISONO_DIFFERS_DURATION | UNISONO_DIFFERS_HASH);
  EQUAL(of_ann.copy.duration, other.duration);
  EQUAL(of_ben.differs, UNISONO_DIFFERS_DURATION | UNISONO_DIFFERS_HASH);
  EQUAL(of_ben.copy.duration, one.duration);
  other.duration = one.duration;
  EQUAL(unisono_session_set_copy(ben, &id, &other), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.copies, 3));
  EQUAL(of_ann.differs, UNISONO_DIFFERS_HASH | UNISONO_DIFFERS_CONTAINER);
  other.duration = -5;
  EQUAL(unisono_session_set_copy(ben, &id, &other), UNISONO_EINVAL);

  memset(&unknown, 7, sizeof unknown);
  /* Of another cut everybody sees by how much it is ahead. */
  EQUAL(unisono_session_select_entry(ann, &id), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.currents, 1));
  EQUAL(unisono_session_set_cut_offset(ben, NULL, INT64_C(21600000000000)), UNISONO_OK);
  EQUAL(unisono_session_set_cut_offset(ben, &unknown, 5), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.errors, 1));
  EQUAL(of_ben.status, UNISONO_ENOTFOUND);
  CHECK(strcmp(of_ben.failed, "unisono_session_set_cut_offset") == 0);
  unisono_context_destroy(context);
}

static player of_hers, of_his;

static int is_nobody(const unisono_participant_id *id) {
  static const unisono_participant_id nobody = {{0}};
  return memcmp(id, &nobody, sizeof nobody) == 0;
}

/* Whether this one knows the session's time, the film's timing and that the other is at it. */
static int sees_the_other_at(unisono_coordinator *coordinator, unisono_session *session, const char *film) {
  unisono_session_statistics figures = UNISONO_SESSION_STATISTICS_INIT;
  unisono_timing timing = UNISONO_TIMING_INIT;
  const unisono_participants *others = NULL;
  int sees;
  EQUAL(unisono_session_get_statistics(session, &figures), UNISONO_OK);
  EQUAL(unisono_coordinator_other_participants(coordinator, &others), UNISONO_OK);
  sees = others->count == 1 && others->items[0]->item != NULL && strcmp(others->items[0]->item, film) == 0;
  unisono_free(others);
  return sees && figures.clock_state == UNISONO_CLOCK_SYNCHRONIZED && unisono_coordinator_timing(coordinator, &timing) == UNISONO_OK;
}

static void meet(unisono_coordinator *hers, unisono_coordinator *his, const char *film) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  int met = 0;
  while (!met && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(20));
    met = sees_the_other_at(hers, ann, film) && sees_the_other_at(his, ben, film);
  }
  CHECK(met);
}

/* Both are at the film, and complete what they are told at once. */
static void watch(unisono_coordinator **hers, unisono_coordinator **his, const char *film) {
  unisono_playback_delegate delegate = player_delegate();
  memset(&of_hers, 0, sizeof of_hers);
  memset(&of_his, 0, sizeof of_his);
  of_hers.completes = of_his.completes = 1;
  EQUAL(unisono_coordinator_create(context, &delegate, &of_hers, hers), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &of_his, his), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(*hers, ann), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(*his, ben), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(*hers, film, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(*his, film, NULL), UNISONO_OK);
  meet(*hers, *his, film);
}

static void pump_past(int64_t host_time) {
  while (unisono_host_time() <= host_time) unisono_context_poll(context, milliseconds(5));
}

static int64_t place_of(unisono_coordinator *coordinator, int64_t host_time) {
  int64_t place = UNISONO_TIME_INVALID;
  EQUAL(unisono_coordinator_expected_item_time(coordinator, host_time, &place), UNISONO_OK);
  return place;
}

static int close_to(int64_t have, int64_t want, int64_t by) {
  if (have >= want - by && have <= want + by) return 1;
  fprintf(stderr, "%lld ms is not %lld ms\n", (long long)(have / 1000000), (long long)(want / 1000000));
  return 0;
}

/* Of Ben's copy there is nothing before the group's 2 s. */
static void cut_that_begins_later(void) {
  static const char film[] = "film";
  unisono_coordinator *hers, *his;
  unisono_entry_id id;
  int64_t begins, place = -1;
  begin();
  id = add(ann, film, NULL);
  EQUAL(unisono_session_select_entry(ann, &id), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.currents, 1));
  EQUAL(unisono_session_set_cut_offset(ben, NULL, -milliseconds(2000)), UNISONO_OK);
  watch(&hers, &his, film);

  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.plays, 1));
  EQUAL(of_hers.last.item_time, 0);
  begins = of_hers.last.host_time + milliseconds(2000);
  CHECK(pump_until(context, &of_his.plays, 1));
  /* He is told to play from his beginning, when the group comes there, and knows that it plays until then. */
  EQUAL(of_his.last.item_time, 0);
  CHECK(of_his.last.host_time > begins - milliseconds(20) && of_his.last.host_time < begins + milliseconds(20));
  CHECK(unisono_host_time() < begins);
  EQUAL(of_his.last_timing_status, UNISONO_TIMING_PLAYING);
  EQUAL(unisono_coordinator_expected_item_time(his, unisono_host_time(), &place), UNISONO_OK);
  EQUAL(place, 0);
  EQUAL(unisono_coordinator_expected_item_time(his, of_his.last.host_time + milliseconds(500), &place), UNISONO_OK);
  CHECK(place > milliseconds(480) && place < milliseconds(520));
  EQUAL(of_his.plays, 1);
  EQUAL(of_hers.plays, 1);
  unisono_context_destroy(context);
}

/* 1.5 s of an advertisement are cut into Ben's copy at 1 s. */
static void interstitial(void) {
  static const char film[] = "film";
  const unisono_interstitial cut_in = {milliseconds(1000), milliseconds(2500)};
  unisono_playback_delegate delegate = player_delegate();
  unisono_coordinator *hers, *his;
  int64_t began, now, her_place = -1, his_place = -1;
  begin();
  memset(&of_hers, 0, sizeof of_hers);
  memset(&of_his, 0, sizeof of_his);
  of_hers.completes = of_his.completes = 1;
  EQUAL(unisono_coordinator_create(context, &delegate, &of_hers, &hers), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &of_his, &his), UNISONO_OK);
  /* Given before there is a session, it moves along into that. */
  EQUAL(unisono_coordinator_set_interstitials(his, film, &cut_in, 1), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(hers, ann), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(his, ben), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(hers, film, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(his, film, NULL), UNISONO_OK);
  meet(hers, his, film);

  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.plays, 1));
  CHECK(pump_until(context, &of_his.plays, 1));
  began = of_his.last.host_time;
  EQUAL(of_his.last.item_time, 0);
  of_his.suspensions = of_hers.suspensions = 0;
  CHECK(pump_until(context, &of_his.suspensions, 1));
  now = unisono_host_time();
  CHECK(now > began + milliseconds(900) && now < began + milliseconds(1300));
  EQUAL(of_his.suspension_count, 1);
  CHECK(pump_until(context, &of_his.suspensions, 2));
  now = unisono_host_time();
  CHECK(now > began + milliseconds(2400) && now < began + milliseconds(2900));
  EQUAL(of_his.suspension_count, 0);
  /* He is where she is, in a copy that is longer by then; she was told nothing. */
  CHECK(pump_until(context, &of_his.plays, 2));
  EQUAL(of_his.last.cause, UNISONO_CAUSE_REJOIN);
  CHECK(is_nobody(&of_his.last.originator));
  now = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(hers, now, &her_place), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(his, now, &his_place), UNISONO_OK);
  CHECK(his_place - her_place > milliseconds(1490) && his_place - her_place < milliseconds(1510));
  CHECK(her_place > milliseconds(2400));
  EQUAL(of_hers.plays, 1);
  EQUAL(of_hers.suspensions, 0);
  unisono_context_destroy(context);
}

/* Ann's starts wait for whoever has an advertisement; what runs goes on. Ben has one of 2 s. */
static void interstitial_that_is_waited_for(void) {
  static const char film[] = "film";
  static const char *const reasons[] = {UNISONO_REASON_PLAYING_INTERSTITIAL};
  const unisono_interstitial cut_in = {milliseconds(500), milliseconds(2500)};
  unisono_coordinator *hers, *his;
  int64_t until, her_place = -1, his_place = -1;
  begin();
  watch(&hers, &his, film);
  EQUAL(unisono_coordinator_set_interstitials(his, film, &cut_in, 1), UNISONO_OK);
  EQUAL(unisono_coordinator_set_waiting_reasons(hers, reasons, 1), UNISONO_OK);
  of_his.suspensions = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_his.suspensions, 1));
  until = unisono_host_time() + milliseconds(500);
  while (unisono_host_time() < until) unisono_context_poll(context, milliseconds(20));
  EQUAL(of_hers.last_timing_status, UNISONO_TIMING_PLAYING);
  of_hers.pauses = of_hers.plays = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.pauses, 1));
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  until = unisono_host_time() + milliseconds(500);
  while (unisono_host_time() < until) unisono_context_poll(context, milliseconds(20));
  EQUAL(of_hers.last_timing_status, UNISONO_TIMING_WAITING);
  EQUAL(of_hers.plays, 0);
  EQUAL(of_his.suspension_count, 1);
  /* It is over: both begin, he in a copy that is longer by then. */
  CHECK(pump_until(context, &of_hers.plays, 1));
  EQUAL(of_his.suspension_count, 0);
  until = of_hers.last.host_time + milliseconds(100);
  while (unisono_host_time() < until) unisono_context_poll(context, milliseconds(20));
  EQUAL(unisono_coordinator_expected_item_time(hers, until, &her_place), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(his, until, &his_place), UNISONO_OK);
  CHECK(his_place - her_place > milliseconds(1990) && his_place - her_place < milliseconds(2010));
  unisono_context_destroy(context);
}

/* The film's intro is from 1 s to 60 s. */
static void intro(void) {
  static const char film[] = "film";
  static const unisono_range range = {INT64_C(1000000000), INT64_C(60000000000), UNISONO_RANGE_INTRO, 0};
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_coordinator *hers, *his;
  unisono_entry_id id;
  const player *both[] = {&of_hers, &of_his};
  const watcher *told[] = {&of_ann, &of_ben};
  int64_t until, began;
  int i;
  begin();
  entry.item = film;
  entry.ranges = &range;
  entry.range_count = 1;
  EQUAL(unisono_session_add_entry(ann, &entry, NULL, &id), UNISONO_OK);
  EQUAL(unisono_session_select_entry(ann, &id), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.currents, 1));
  watch(&hers, &his, film);
  EQUAL(unisono_coordinator_set_skipped_ranges(hers, 16), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_skipped_ranges(hers, UNISONO_RANGE_INTRO | UNISONO_RANGE_CREDITS), UNISONO_OK);
  until = unisono_host_time() + milliseconds(10000);
  while (unisono_coordinator_skipped_ranges(his) == 0 && unisono_host_time() < until) unisono_context_poll(context, milliseconds(20));
  EQUAL(unisono_coordinator_skipped_ranges(his), UNISONO_RANGE_INTRO | UNISONO_RANGE_CREDITS);

  of_hers.seeks = of_his.seeks = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(his, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.plays, 1));
  began = of_hers.play.host_time;
  EQUAL(of_hers.play.cause, UNISONO_CAUSE_PLAY);
  EQUAL(of_hers.play.item_time, 0);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &both[i]->plays, 2));
    EQUAL(both[i]->plays, 2);
    EQUAL(both[i]->seeks, 1);
    EQUAL(both[i]->seek.cause, UNISONO_CAUSE_RANGE);
    EQUAL(both[i]->seek.item_time, range.end);
    CHECK(is_nobody(&both[i]->seek.originator));
    EQUAL(both[i]->play.cause, UNISONO_CAUSE_RANGE);
    EQUAL(both[i]->play.item_time, range.end);
    EQUAL(both[i]->play.rate, 1);
    CHECK(is_nobody(&both[i]->play.originator));
    CHECK(both[i]->play.host_time >= began + range.begin);
  }
  CHECK(close_to(of_hers.play.host_time, of_his.play.host_time, milliseconds(20)));
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &told[i]->skips, 1));
    CHECK(strcmp(told[i]->kind, "intro") == 0);
    EQUAL(told[i]->skipped.item_time, range.end);
    CHECK((told[i]->skipped.flags & UNISONO_HAS_POSITION) != 0);
    CHECK(close_to(told[i]->skipped.amount, range.end - range.begin, milliseconds(500)));
    CHECK(is_nobody(&told[i]->skipped.originator));
    CHECK(strcmp(told[i]->sentence, "The intro was skipped, to 1:00") == 0);
  }
  /* Who did not ask for it takes it back: both see the intro, which plays on. Jumps of the same two seconds would be one. */
  pump_past(of_his.play.host_time + milliseconds(2100));
  EQUAL(unisono_coordinator_undo_jump(hers), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &both[i]->plays, 3));
    EQUAL(both[i]->seeks, 2);
    EQUAL(both[i]->seek.cause, UNISONO_CAUSE_SEEK);
    CHECK(close_to(both[i]->seek.item_time, range.begin, milliseconds(500)));
  }
  pump_past(of_his.play.host_time + milliseconds(1500));
  EQUAL(of_hers.seeks + of_his.seeks, 4);
  until = unisono_host_time();
  CHECK(close_to(place_of(hers, until), range.begin + milliseconds(1500), milliseconds(600)));
  CHECK(close_to(place_of(his, until), place_of(hers, until), milliseconds(20)));
  /* Each was told of it once. */
  EQUAL(of_ann.skips + of_ben.skips, 2);
  unisono_context_destroy(context);
}

static void plays_to_its_end(unisono_coordinator *coordinator) {
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  report.host_time = unisono_host_time();
  report.item_time = report.latest = place_of(coordinator, report.host_time);
  report.flags = UNISONO_HAS_POSITION | UNISONO_HAS_RANGE;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
}

/* Nobody commands it: both have played "film", and the list goes on to "short". */
static void goes_on_at_the_end(void) {
  static const char film[] = "film";
  const watcher *told[] = {&of_ann, &of_ben};
  unisono_coordinator *hers, *his;
  unisono_entry_id first, second;
  int i;
  begin();
  first = add(ann, film, NULL);
  second = add(ann, "short", NULL);
  CHECK(has(ben, "film short "));
  EQUAL(unisono_session_select_entry(ann, &first), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &told[i]->currents, 1));
    EQUAL(told[i]->last.by_end, 0);
  }
  watch(&hers, &his, film);
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.plays, 1));
  CHECK(pump_until(context, &of_his.plays, 1));
  pump_past(of_his.play.host_time + milliseconds(500));
  plays_to_its_end(hers);
  plays_to_its_end(his);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &told[i]->currents, 2));
    EQUAL(told[i]->last.current_changed, 1);
    EQUAL(told[i]->last.by_end, 1);
    CHECK(strcmp(told[i]->item, "short") == 0);
    CHECK(memcmp(&told[i]->last.current, &second, sizeof second) == 0);
  }
  unisono_context_destroy(context);
}

/* 0.8 s are cut into Ann's copy at 1 s, 1.5 s into Ben's at 1.5 s. */
static void interstitials_of_two(void) {
  static const char film[] = "film";
  const unisono_interstitial of_ann_alone = {milliseconds(1000), milliseconds(1800)};
  const unisono_interstitial of_ben_alone = {milliseconds(1500), milliseconds(3000)};
  unisono_coordinator *hers, *his;
  int64_t began, now;
  begin();
  watch(&hers, &his, film);
  EQUAL(unisono_coordinator_set_interstitials(hers, film, &of_ann_alone, 1), UNISONO_OK);
  EQUAL(unisono_coordinator_set_interstitials(his, film, &of_ben_alone, 1), UNISONO_OK);
  of_hers.suspensions = of_his.suspensions = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.plays, 1));
  CHECK(pump_until(context, &of_his.plays, 1));
  began = of_his.play.host_time;
  /* She is apart first, and he is not moved by it. */
  CHECK(pump_until(context, &of_hers.suspensions, 1));
  EQUAL(of_hers.suspension_count, 1);
  CHECK(unisono_host_time() >= began + milliseconds(900));
  /* Then he is. She comes back meanwhile, 0.8 s further in her copy than the group is in the film. */
  CHECK(pump_until(context, &of_his.suspensions, 1));
  EQUAL(of_his.suspension_count, 1);
  CHECK(unisono_host_time() >= began + milliseconds(1400));
  EQUAL(of_his.plays, 1);
  CHECK(pump_until(context, &of_hers.plays, 2));
  EQUAL(of_hers.suspension_count, 0);
  EQUAL(of_hers.play.cause, UNISONO_CAUSE_REJOIN);
  CHECK(is_nobody(&of_hers.play.originator));
  EQUAL(of_his.suspension_count, 1);
  now = unisono_host_time();
  CHECK(close_to(place_of(hers, now), now - began + milliseconds(800), milliseconds(20)));
  /* He comes back, and she is not moved by it. */
  CHECK(pump_until(context, &of_his.plays, 2));
  EQUAL(of_his.suspension_count, 0);
  EQUAL(of_his.play.cause, UNISONO_CAUSE_REJOIN);
  CHECK(is_nobody(&of_his.play.originator));
  EQUAL(of_hers.plays, 2);
  EQUAL(of_hers.suspensions, 2);
  EQUAL(of_his.suspensions, 2);
  now = unisono_host_time();
  CHECK(close_to(place_of(his, now), now - began + milliseconds(1500), milliseconds(20)));
  CHECK(close_to(place_of(his, now) - place_of(hers, now), milliseconds(700), milliseconds(20)));

  /* Whoever seeks into a range of its own: all go to where it was cut in, and that player to the range's beginning. */
  of_hers.pauses = of_his.pauses = of_hers.seeks = of_his.seeks = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(hers, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.pauses, 1));
  CHECK(pump_until(context, &of_his.pauses, 1));
  EQUAL(unisono_coordinator_coordinate_seek(hers, milliseconds(1400), 0), UNISONO_OK);
  CHECK(pump_until(context, &of_his.seeks, 1));
  CHECK(pump_until(context, &of_hers.seeks, 1));
  EQUAL(of_hers.seek.item_time, milliseconds(1000));
  EQUAL(of_his.seek.item_time, milliseconds(1000));
  EQUAL(unisono_coordinator_coordinate_seek(his, milliseconds(2900), 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.seeks, 2));
  CHECK(pump_until(context, &of_his.seeks, 2));
  EQUAL(of_his.seek.item_time, milliseconds(1500));
  EQUAL(of_hers.seek.item_time, milliseconds(2300)); /* behind hers, which she is not shown by that */
  /* Another's seek to the place of a range lands on its beginning as well. */
  EQUAL(unisono_coordinator_coordinate_seek(his, milliseconds(1000), 0), UNISONO_OK);
  CHECK(pump_until(context, &of_hers.seeks, 3));
  EQUAL(of_hers.seek.item_time, milliseconds(1000));
  unisono_context_destroy(context);
}

void test_playlist(void) {
  run_test("F86 what one puts on the playlist, moves, removes or chooses, all have", shared);
  run_test("F86 what is too much or no text is refused with its reason: ten thousand entries, titles of 1 MB", refused);
  run_test("F87 two files are compared by size and samples, and both sides told once what differs", copies);
  run_test("G70 whose cut begins later is told to play from its beginning when the group comes there", cut_that_begins_later);
  run_test("G26 F86 who have played an entry to its end go on to the next one, and are told why", goes_on_at_the_end);
  run_test("G49 G50 F95 all go on behind an intro and are told what was left out; undo takes it back", intro);
  run_test("G77 F89 who has an advertisement cut in is apart for its length, and then where the group is", interstitial);
  run_test("G84 F89 starts wait for an advertisement where asked to, and a group that plays is not held",
           interstitial_that_is_waited_for);
  run_test("G77 G79 G80 F89 two with own ranges are apart in turn; a seek into one lands on its start", interstitials_of_two);
}
