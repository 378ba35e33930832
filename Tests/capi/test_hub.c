#include "harness.h"

static void loopback_hub(void) {
  unisono_context *context = NULL;
  unisono_hub *hub = NULL, *second = NULL;
  unisono_hub_options options = UNISONO_HUB_OPTIONS_INIT;
  unisono_hub_statistics stats = UNISONO_HUB_STATISTICS_INIT;
  const char *listen[1];
  char address[64], small[4];
  size_t length = sizeof address;
  listen[0] = "127.0.0.1:0";
  options.listen = listen;
  options.listen_count = 1;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_hub_create(context, &options, NULL, NULL, &hub), UNISONO_OK);
  EQUAL(unisono_hub_address(hub, 0, address, &length), UNISONO_OK);
  EQUAL(length, strlen(address) + 1);
  CHECK(strncmp(address, "127.0.0.1:", 10) == 0);
  CHECK(strcmp(address, "127.0.0.1:0") != 0);
  length = sizeof small;
  memset(small, 'x', sizeof small);
  EQUAL(unisono_hub_address(hub, 0, small, &length), UNISONO_ETOOBIG);
  EQUAL(small[0], 0);
  EQUAL(length, strlen(address) + 1);
  length = 0;
  EQUAL(unisono_hub_address(hub, 0, NULL, &length), UNISONO_ETOOBIG);
  EQUAL(unisono_hub_address(hub, 1, address, &length), UNISONO_ENOTFOUND);
  EQUAL(unisono_hub_address(hub, SIZE_MAX, address, &length), UNISONO_ENOTFOUND);
  EQUAL(unisono_hub_get_statistics(hub, &stats), UNISONO_OK);
  EQUAL(stats.connections, 0);
  /* The same address cannot be bound twice. */
  listen[0] = address;
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
  char address[128];
  size_t length = sizeof address;
  options.own_thread = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_hub_create(context, NULL, NULL, NULL, &hub), UNISONO_OK);
  EQUAL(unisono_hub_address(hub, 0, address, &length), UNISONO_OK);
  unisono_hub_destroy(hub);
  unisono_context_destroy(context);
}

void test_hub(void) {
  run_test("a hub is bound when create returns, and its address can be read and taken again", loopback_hub);
  run_test("hub options are checked", hub_limits);
  run_test("a hub on an own-thread context is made and destroyed from outside", own_thread_hub);
}
