#include "harness.h"

/* "host:port" of a hub's line; cuts it off there. */
static const char *host_and_port(char *line) {
  char *host = line + strlen("unisono-hub://");
  *strchr(host, '/') = 0;
  return host;
}

static void loopback_hub(void) {
  unisono_context *context = NULL;
  unisono_hub *hub = NULL, *second = NULL;
  unisono_hub_options options = UNISONO_HUB_OPTIONS_INIT;
  unisono_hub_statistics stats = UNISONO_HUB_STATISTICS_INIT;
  const char *listen[1];
  char line[128], small[4];
  size_t length = sizeof line;
  listen[0] = "127.0.0.1:0";
  options.listen = listen;
  options.listen_count = 1;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_OK);
  EQUAL(unisono_hub_line(hub, 0, line, &length), UNISONO_OK);
  EQUAL(length, strlen(line) + 1);
  CHECK(strncmp(line, "unisono-hub://127.0.0.1:", 24) == 0);
  CHECK(strncmp(line, "unisono-hub://127.0.0.1:0/", 26) != 0);
  length = sizeof small;
  memset(small, 'x', sizeof small);
  EQUAL(unisono_hub_line(hub, 0, small, &length), UNISONO_ETOOBIG);
  EQUAL(small[0], 0);
  EQUAL(length, strlen(line) + 1);
  length = 0;
  EQUAL(unisono_hub_line(hub, 0, NULL, &length), UNISONO_ETOOBIG);
  EQUAL(unisono_hub_line(hub, 1, line, &length), UNISONO_ENOTFOUND);
  EQUAL(unisono_hub_line(hub, SIZE_MAX, line, &length), UNISONO_ENOTFOUND);
  EQUAL(unisono_hub_get_statistics(hub, &stats), UNISONO_OK);
  EQUAL(stats.connections, 0);
  /* The same address cannot be bound twice. */
  listen[0] = host_and_port(line);
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &second), UNISONO_ENETWORK);
  CHECK(second == NULL);
  unisono_hub_destroy(hub);
  EQUAL(unisono_hub_get_statistics(hub, &stats), UNISONO_ECLOSED);
  pump(context);
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &second), UNISONO_OK);
  unisono_context_destroy(context);
}

static void hub_limits(void) {
  unisono_context *context = NULL;
  unisono_hub *hub = NULL;
  unisono_hub_options options = UNISONO_HUB_OPTIONS_INIT;
  const char *listen[1];
  listen[0] = "not an address";
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  options.participants_per_room = 100001;
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_EINVAL);
  options.participants_per_room = 0;
  options.listen_count = 17;
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_EINVAL);
  options.listen_count = SIZE_MAX;
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_EINVAL);
  options.listen = listen;
  options.listen_count = 1;
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_ENETWORK);
  options.listen = NULL;
  options.listen_count = 0;
  options.memory = UINT64_MAX;
  options.room_bytes_per_second = UINT64_MAX;
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_OK);
  unisono_context_destroy(context);
}

static void own_thread_hub(void) {
  unisono_context *context = NULL;
  unisono_hub *hub = NULL;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  char line[128];
  size_t length = sizeof line;
  options.own_thread = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_hub_create(context, NULL, NULL, NULL, &hub), UNISONO_OK);
  EQUAL(unisono_hub_line(hub, 0, line, &length), UNISONO_OK);
  unisono_hub_destroy(hub);
  unisono_context_destroy(context);
}

void test_hub(void) {
  run_test("a hub is bound when create returns, and the line that leads to it can be read", loopback_hub);
  run_test("hub options are checked", hub_limits);
  run_test("a hub on an own-thread context is made and destroyed from outside", own_thread_hub);
}
