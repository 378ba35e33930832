/* Attachments between two participants of one process, over sockets (F42). */
#include "harness.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int joined, added, removed, progress, loaded, failed, notices;
  int status; /* of the last that failed */
  uint64_t request, transferred, length;
  unisono_attachment_id id;
  unisono_participant_id owner;
  char name[256], media_type[128], message[256];
  int available;
} listener;

static unisono_context *context;
static unisono_session *ann, *ben;
static listener of_ann, of_ben;
static char folder[64];

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((listener *)user)->joined = 1;
}

static void on_message(void *user, const unisono_message *event) {
  (void)event;
  ((listener *)user)->notices++;
}

static void on_attachment(void *user, const unisono_attachment_event *event) {
  listener *l = (listener *)user;
  switch (event->change) {
    case UNISONO_ATTACHMENT_ADDED: l->added++; break;
    case UNISONO_ATTACHMENT_REMOVED: l->removed++; break;
    case UNISONO_ATTACHMENT_PROGRESS:
      l->progress++;
      CHECK(event->transferred >= l->transferred);
      break;
    case UNISONO_ATTACHMENT_LOADED: l->loaded++; break;
    case UNISONO_ATTACHMENT_FAILED:
      l->failed++;
      l->status = event->status;
      break;
    default: CHECK(0);
  }
  CHECK(event->message != NULL && event->attachment != NULL);
  l->request = event->request;
  l->transferred = event->transferred;
  l->length = event->attachment->length;
  l->id = event->attachment->id;
  l->owner = event->attachment->owner;
  l->available = event->attachment->is_available;
  snprintf(l->name, sizeof l->name, "%s", event->attachment->name);
  snprintf(l->media_type, sizeof l->media_type, "%s", event->attachment->media_type);
  snprintf(l->message, sizeof l->message, "%s", event->message);
}

/* bytes_per_second: what the hub reads of each. */
static void begin(uint32_t bytes_per_second) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  char invite[4096];
  size_t length = sizeof invite;
  memset(&of_ann, 0, sizeof of_ann);
  memset(&of_ben, 0, sizeof of_ben);
  snprintf(folder, sizeof folder, "/tmp/unisono-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  callbacks.state = on_state;
  callbacks.message = on_message;
  callbacks.attachment = on_attachment;
  hub.listen = address;
  hub.listen_count = 1;
  hub.bytes_per_second = bytes_per_second;
  options.hub_options = &hub;
  options.display_name = "Ann";
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &of_ann, &ann), UNISONO_OK);
  EQUAL(unisono_session_attach_bytes(ann, "x", 1, "x", NULL, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  options.hub_options = NULL;
  options.display_name = "Ben";
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &of_ben, &ben), UNISONO_OK);
  EQUAL(unisono_session_join(ann), UNISONO_OK);
  EQUAL(unisono_session_join(ben), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.joined, 1));
  CHECK(pump_until(context, &of_ben.joined, 1));
}

static void path_of(char *path, size_t size, const char *name) { snprintf(path, size, "%s/%s", folder, name); }

static void finish(void) {
  static const char *const names[] = {"film", "copy", "copy.part", "again", "there"};
  char path[128];
  size_t i;
  unisono_context_destroy(context);
  for (i = 0; i < sizeof names / sizeof names[0]; i++) {
    path_of(path, sizeof path, names[i]);
    unlink(path);
  }
  EQUAL(rmdir(folder), 0); /* nothing else is left */
}

/* Bytes that do not repeat. */
static void make_file(const char *name, size_t length) {
  char path[128];
  FILE *file;
  uint64_t value = 88172645463325252u;
  path_of(path, sizeof path, name);
  file = fopen(path, "wb");
  CHECK(file != NULL);
  while (file != NULL && length > 0) {
    size_t count = length < sizeof value ? length : sizeof value;
    value ^= value << 13, value ^= value >> 7, value ^= value << 17;
    fwrite(&value, 1, count, file);
    length -= count;
  }
  if (file != NULL) fclose(file);
}

static int same_files(const char *one, const char *other) {
  char first[128], second[128], a[4096], b[4096];
  FILE *left, *right;
  int same;
  path_of(first, sizeof first, one);
  path_of(second, sizeof second, other);
  left = fopen(first, "rb");
  right = fopen(second, "rb");
  same = left != NULL && right != NULL;
  while (same) {
    size_t count = fread(a, 1, sizeof a, left);
    same = fread(b, 1, sizeof b, right) == count && memcmp(a, b, count) == 0;
    if (count == 0) break;
  }
  if (left != NULL) fclose(left);
  if (right != NULL) fclose(right);
  return same;
}

/* 20 MB, at a hub that reads 8 MiB a second of each; the way there takes about five seconds. */
static void large(void) {
  const unisono_attachments *list = NULL;
  uint64_t request = 0;
  char path[128];
  int64_t end, slowest = 0;
  begin(8u << 20);
  make_file("film", 20000000);
  path_of(path, sizeof path, "film");
  EQUAL(unisono_session_attach(ann, path, NULL, "video/x-raw", &request), UNISONO_OK);
  EQUAL(request, 1);
  CHECK(pump_until(context, &of_ann.added, 1));
  CHECK(pump_until(context, &of_ben.added, 1));
  EQUAL(of_ann.request, 1);
  EQUAL(of_ann.available, 1);
  EQUAL(of_ben.request, 0);
  EQUAL(of_ben.available, 0);
  EQUAL(of_ben.length, 20000000);
  CHECK(strcmp(of_ben.name, "film") == 0 && strcmp(of_ben.media_type, "video/x-raw") == 0);
  EQUAL(unisono_session_attachments(ben, &list), UNISONO_OK);
  EQUAL(list->count, 1);
  CHECK(memcmp(&list->items[0]->id, &of_ann.id, sizeof of_ann.id) == 0);
  path_of(path, sizeof path, "copy");
  EQUAL(unisono_session_load_attachment(ben, &list->items[0]->id, path), UNISONO_OK);
  unisono_free(list);
  CHECK(pump_until(context, &of_ben.progress, 1));
  end = unisono_host_time() + milliseconds(60000);
  /* What is said meanwhile does not wait behind it. */
  while (of_ben.loaded == 0 && of_ben.failed == 0 && unisono_host_time() < end) {
    int64_t start = unisono_host_time();
    int seen = of_ben.notices;
    EQUAL(unisono_session_send(ann, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
    CHECK(pump_until(context, &of_ben.notices, seen + 1));
    if (unisono_host_time() - start > slowest) slowest = unisono_host_time() - start;
    unisono_context_poll(context, milliseconds(50));
  }
  EQUAL(of_ben.loaded, 1);
  EQUAL(of_ben.transferred, 20000000);
  CHECK(of_ben.progress > 4);
  CHECK(same_files("film", "copy"));
  CHECK(slowest < milliseconds(400));
  /* What is here already is copied. */
  path_of(path, sizeof path, "again");
  EQUAL(unisono_session_load_attachment(ben, &of_ben.id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.loaded, 2));
  CHECK(same_files("film", "again"));
  finish();
}

static void judged(void) {
  static char text[300];
  unisono_attachment_id nothing;
  char path[128];
  uint64_t request = 0;
  begin(0);
  memset(text, 'x', sizeof text - 1);
  memset(&nothing, 9, sizeof nothing);
  path_of(path, sizeof path, "film");
  EQUAL(unisono_session_attach(ann, NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, "", NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, "/", NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, "a/b", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, "..", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, "", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, "\x1b[2J", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, text, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(ann, path, "film", text, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach_bytes(ann, NULL, 1, "x", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach_bytes(ann, "x", 1, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach_bytes(ann, text, 1048577, "x", NULL, NULL), UNISONO_ETOOBIG);
  EQUAL(unisono_session_load_attachment(ann, &nothing, path), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_remove_attachment(ann, &nothing), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_cancel_attachment(ann, &nothing), UNISONO_OK);
  /* Only looking tells that it is not there. */
  EQUAL(unisono_session_attach(ann, path, NULL, NULL, &request), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.failed, 1));
  EQUAL(of_ann.status, UNISONO_EIO);
  EQUAL(of_ann.request, request);
  CHECK(strstr(of_ann.message, "no such file") != NULL);
  /* Nothing at all is something. */
  EQUAL(unisono_session_attach_bytes(ann, NULL, 0, "empty", NULL, &request), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.added, 1));
  EQUAL(of_ben.length, 0);
  path_of(path, sizeof path, "copy");
  EQUAL(unisono_session_load_attachment(ben, &of_ben.id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.loaded, 1));
  EQUAL(unisono_session_load_attachment(ben, &of_ben.id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.failed, 1));
  EQUAL(of_ben.status, UNISONO_EIO);
  finish();
}

static void taken_back(void) {
  static char bytes[600000];
  unisono_attachment_id id;
  char path[128];
  begin(0);
  EQUAL(unisono_session_attach_bytes(ann, bytes, sizeof bytes, "poster.png", "image/png", NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.added, 1));
  id = of_ben.id;
  path_of(path, sizeof path, "copy");
  EQUAL(unisono_session_load_attachment(ben, &id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.progress, 1));
  EQUAL(unisono_session_cancel_attachment(ben, &id), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.failed, 1));
  EQUAL(of_ben.status, UNISONO_ECANCELED);
  of_ben.transferred = 0;
  of_ben.progress = 0;
  EQUAL(unisono_session_load_attachment(ben, &id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.progress, 1));
  EQUAL(unisono_session_set_control_policy(ann, UNISONO_CONTROL_HOSTS_ONLY), UNISONO_OK);
  pump(context);
  while (unisono_session_remove_attachment(ben, &id) == UNISONO_OK && of_ann.removed == 0) unisono_context_poll(context, milliseconds(5));
  EQUAL(unisono_session_remove_attachment(ann, &id), of_ann.removed ? UNISONO_ENOTFOUND : UNISONO_OK);
  CHECK(pump_until(context, &of_ben.failed, 2));
  EQUAL(of_ben.status, UNISONO_ENOTFOUND);
  CHECK(pump_until(context, &of_ann.removed, 1));
  finish();
}

void test_attachments(void) {
  run_test("F42 a file of 20 MB comes whole, and what is said meanwhile does not wait", large);
  run_test("F42 names, paths, lengths and ids are judged; what cannot be done is told with its reason", judged);
  run_test("F42 loading is ended, and an attachment is taken back by who may", taken_back);
}
