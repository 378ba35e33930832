/* Attachments between two participants of one process, over sockets (F42). */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  int joined, added, removed, progress, loaded, failed, notices;
  int forged, lost, expects_bad_news; /* without that a test fails where bytes are forged or a file is lost */
  int status; /* of the last that failed, was forged or lost */
  uint64_t request, transferred, length;
  unisono_attachment_id id;
  unisono_participant_id owner, participant;
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
    case UNISONO_ATTACHMENT_FORGED:
    case UNISONO_ATTACHMENT_LOST:
      CHECK(l->expects_bad_news);
      *(event->change == UNISONO_ATTACHMENT_FORGED ? &l->forged : &l->lost) += 1;
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
  l->participant = event->participant;
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
  static const char *const names[] = {"film", "copy", "again", "there"};
  const int64_t end = unisono_host_time() + milliseconds(10000);
  char path[128];
  size_t i;
  unisono_context_destroy(context);
  for (i = 0; i < sizeof names / sizeof names[0]; i++) {
    path_of(path, sizeof path, names[i]);
    unlink(path);
  }
  /* Nothing else is left; what was given up is removed by a thread of its own. */
  while (rmdir(folder) != 0 && unisono_host_time() < end) usleep(1000);
  EQUAL(access(folder, F_OK), -1);
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

static void say_joined(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) *(int *)user = 1;
}

static void say_attachment(void *user, const unisono_attachment_event *event) {
  static const char *const changes[] = {"added", "removed", "progress", "loaded", "failed", "forged", "lost"};
  const unisono_participant_id nobody = {{0}};
  int blamed = memcmp(&event->participant, &nobody, sizeof nobody) != 0;
  (void)user;
  printf("%s %llu %d %d\n", changes[event->change], (unsigned long long)event->transferred, (int)event->status, blamed);
  fflush(stdout);
}

int load_attachment(const char *invite, const char *path) {
  unisono_context *own;
  unisono_session *session;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  const unisono_attachments *list = NULL;
  int joined = 0;
  callbacks.state = say_joined;
  callbacks.attachment = say_attachment;
  options.display_name = "Ben";
  if (unisono_context_create(NULL, NULL, NULL, &own) != UNISONO_OK) return 1;
  if (unisono_session_open(own, invite, &options, &callbacks, &joined, &session) != UNISONO_OK) return 1;
  if (unisono_session_join(session) != UNISONO_OK || !pump_until(own, &joined, 1)) return 1;
  do {
    unisono_context_poll(own, milliseconds(20));
    unisono_free(list);
    if (unisono_session_attachments(session, &list) != UNISONO_OK) return 1;
  } while (list->count == 0);
  if (unisono_session_load_attachment(session, &list->items[0]->id, path) != UNISONO_OK) return 1;
  /* Until it is killed. */
  for (;;) unisono_context_poll(own, milliseconds(100));
}

/* A process that loads, and what it said last. */
typedef struct {
  pid_t pid;
  FILE *said;
  char change[16];
  unsigned long long first, transferred; /* of its PROGRESS */
  int status, blamed, forged;
} loader;

static loader start_loader(const char *invite, const char *path) {
  loader l;
  int ends[2];
  memset(&l, 0, sizeof l);
  CHECK(pipe(ends) == 0);
  l.pid = fork();
  if (l.pid == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", "capi", "load", invite, path, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  l.said = fdopen(ends[0], "r");
  return l;
}

static void kill_loader(loader *l) {
  int how = 0;
  kill(l->pid, SIGKILL);
  CHECK(waitpid(l->pid, &how, 0) == l->pid && WIFSIGNALED(how));
  fclose(l->said);
}

/* Until it has so many bytes, or says `change`; 60 s at most. */
static int follow(loader *l, unsigned long long bytes, const char *change) {
  int64_t end = unisono_host_time() + milliseconds(60000);
  while (unisono_host_time() < end) {
    char line[128];
    unisono_context_poll(context, milliseconds(5));
    while (fgets(line, sizeof line, l->said) != NULL) {
      unsigned long long transferred;
      int status, blamed;
      CHECK(sscanf(line, "%15s %llu %d %d", l->change, &transferred, &status, &blamed) == 4);
      if (strcmp(l->change, "forged") == 0) l->forged++, l->blamed += blamed;
      if (strcmp(l->change, "failed") == 0) l->status = status;
      if (strcmp(l->change, "progress") == 0) {
        if (l->first == 0) l->first = transferred;
        l->transferred = transferred;
        if (bytes > 0 && transferred >= bytes) return 1;
      }
      if (change != NULL && strcmp(l->change, change) == 0) return 1;
    }
    clearerr(l->said);
  }
  return 0;
}

static uint64_t sent_by_ann(void) {
  unisono_session_statistics statistics = UNISONO_SESSION_STATISTICS_INIT;
  EQUAL(unisono_session_get_statistics(ann, &statistics), UNISONO_OK);
  return statistics.bytes_sent;
}

/* The name of what is loaded so far of "copy". */
static void path_of_part(char *path, size_t size) {
  size_t i, length;
  path_of(path, size, "copy.");
  length = strlen(path);
  for (i = 0; i < 8; i++) length += (size_t)snprintf(path + length, size - length, "%02x", of_ann.id.bytes[i]);
  snprintf(path + length, size - length, ".part");
}

static long long length_of(const char *path) {
  struct stat state;
  return stat(path, &state) == 0 ? (long long)state.st_size : -1;
}

/* A process that loads 20 MB is killed behind 8 MB. Returns what it left. */
static long long killed(char *invite, char *part, size_t size) {
  static char path[128];
  size_t length = 4096;
  loader first;
  begin(8u << 20);
  make_file("film", 20000000);
  path_of(path, sizeof path, "film");
  EQUAL(unisono_session_attach(ann, path, NULL, NULL, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.added, 1));
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  path_of(path, sizeof path, "copy");
  path_of_part(part, size);
  first = start_loader(invite, path);
  CHECK(follow(&first, 8000000, NULL));
  kill_loader(&first);
  EQUAL(length_of(path), -1);
  CHECK(length_of(part) >= 7000000 && length_of(part) < 20000000);
  return length_of(part);
}

static void resumed(void) {
  char invite[4096], path[128], part[160];
  long long left = killed(invite, part, sizeof part);
  uint64_t sent = sent_by_ann();
  loader second;
  path_of(path, sizeof path, "copy");
  second = start_loader(invite, path);
  CHECK(follow(&second, 0, "loaded"));
  EQUAL(second.first, left);
  EQUAL(second.forged, 0);
  CHECK(same_files("film", "copy"));
  EQUAL(length_of(part), -1);
  /* With all that goes with it. */
  CHECK(sent_by_ann() - sent < (uint64_t)(20000000 - left) * 6 / 5);
  kill_loader(&second);
  finish();
}

static void tampered(void) {
  char invite[4096], path[128], part[160];
  long long left = killed(invite, part, sizeof part);
  loader second;
  FILE *file = fopen(part, "r+b");
  CHECK(file != NULL && fseek(file, (long)(left / 2), SEEK_SET) == 0);
  if (file != NULL) {
    int byte = fgetc(file);
    CHECK(fseek(file, (long)(left / 2), SEEK_SET) == 0 && fputc(byte ^ 1, file) != EOF);
    fclose(file);
  }
  path_of(path, sizeof path, "copy");
  second = start_loader(invite, path);
  CHECK(follow(&second, 0, "loaded"));
  EQUAL(second.first, left);
  EQUAL(second.forged, 1);
  EQUAL(second.blamed, 0);
  CHECK(same_files("film", "copy"));
  kill_loader(&second);
  finish();
}

/* What is in the place of a .part, and is none, is neither followed nor changed. */
static void misplaced(void) {
  char invite[4096], path[128], part[160], other[128];
  loader second;
  killed(invite, part, sizeof part);
  path_of(path, sizeof path, "copy");
  path_of(other, sizeof other, "there");
  make_file("there", 1000);
  CHECK(unlink(part) == 0 && symlink(other, part) == 0);
  second = start_loader(invite, path);
  CHECK(follow(&second, 0, "failed"));
  EQUAL(second.status, UNISONO_EIO);
  EQUAL(length_of(other), 1000);
  EQUAL(length_of(path), -1);
  kill_loader(&second);
  CHECK(unlink(part) == 0);
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

/* What came of Ann is changed on Ben's disk while the rest is on its way: it is not what was offered, and all that gave it is she. */
static void forged(void) {
  const uint64_t half = 1000000;
  const int64_t end = unisono_host_time() + milliseconds(10000);
  unisono_participant_id her;
  char path[128], part[160];
  FILE *file;
  int byte;
  begin(1u << 20);
  make_file("film", 2 * half);
  path_of(path, sizeof path, "film");
  EQUAL(unisono_session_attach(ann, path, NULL, NULL, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.added, 1));
  CHECK(pump_until(context, &of_ben.added, 1));
  EQUAL(unisono_session_local_participant(ann, &her), UNISONO_OK);
  of_ben.expects_bad_news = 1;
  path_of(path, sizeof path, "copy");
  path_of_part(part, sizeof part);
  EQUAL(unisono_session_load_attachment(ben, &of_ben.id, path), UNISONO_OK);
  while (of_ben.transferred < half / 4 && unisono_host_time() < end) unisono_context_poll(context, milliseconds(5));
  CHECK(of_ben.transferred >= half / 4 && of_ben.transferred < 2 * half);
  file = fopen(part, "r+b");
  CHECK(file != NULL && (byte = fgetc(file)) != EOF && fseek(file, 0, SEEK_SET) == 0 && fputc(byte ^ 1, file) != EOF);
  if (file != NULL) fclose(file);
  CHECK(pump_until(context, &of_ben.forged, 1));
  EQUAL(of_ben.status, UNISONO_EAUTH);
  CHECK(memcmp(&of_ben.participant, &her, sizeof her) == 0);
  CHECK(strstr(of_ben.message, "are not it; they are thrown away") != NULL);
  EQUAL(of_ben.loaded, 0);
  EQUAL(access(path, F_OK), -1);
  unisono_session_cancel_attachment(ben, &of_ben.id);
  finish();
}

/* Ann's file grows after she has offered it: nobody is given what it is now, and she is told when the first one asks for it. */
static void lost(void) {
  const unisono_participant_id nobody = {{0}};
  char path[128];
  FILE *file;
  begin(0);
  make_file("film", 300000);
  path_of(path, sizeof path, "film");
  EQUAL(unisono_session_attach(ann, path, NULL, NULL, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.added, 1));
  CHECK(pump_until(context, &of_ben.added, 1));
  file = fopen(path, "ab");
  CHECK(file != NULL && fputs("more", file) != EOF);
  if (file != NULL) fclose(file);
  of_ann.expects_bad_news = 1;
  path_of(path, sizeof path, "copy");
  EQUAL(unisono_session_load_attachment(ben, &of_ben.id, path), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.lost, 1));
  EQUAL(of_ann.status, UNISONO_EIO);
  CHECK(strcmp(of_ann.message, "the file of \"film\" has changed or is gone; the others are not given it any more") == 0);
  CHECK(memcmp(&of_ann.participant, &nobody, sizeof nobody) == 0);
  EQUAL(of_ben.loaded, 0);
  EQUAL(unisono_session_cancel_attachment(ben, &of_ben.id), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.failed, 1));
  EQUAL(of_ben.status, UNISONO_ECANCELED);
  EQUAL(of_ann.lost, 1);
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
  run_test("G65 F42 a process that loads is killed in the middle: a new one loads the rest", resumed);
  run_test("G66 F42 what a killed process left was changed: nobody is blamed, and the file comes whole", tampered);
  run_test("G67 F42 a link in the place of what was left is not followed", misplaced);
  run_test("F42 names, paths, lengths and ids are judged; what cannot be done is told with its reason", judged);
  run_test("F42 bytes that are not what was offered are thrown away, and it is said whose they were", forged);
  run_test("F42 whose file has changed since it was offered is told, and nobody is given it", lost);
  run_test("F42 loading is ended, and an attachment is taken back by who may", taken_back);
}
