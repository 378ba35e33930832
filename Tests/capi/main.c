#include "harness.h"

#include <stdlib.h>

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "load") == 0) return load_attachment(arguments[2], arguments[3]);
  /* A hang is a failure that says where it was. */
  setvbuf(stdout, NULL, _IOLBF, 0);
  test_null();
  test_input();
  test_context();
  test_queue();
  test_events();
  test_coordinator();
  test_times();
  test_lifetime();
  test_hub();
  test_nearby();
  test_session();
  test_player();
  test_latency();
  test_surface();
  test_messages();
  test_playlist();
  test_attachments();
  test_activation();
  test_succession();
  test_simulation();
  test_continuation();
  test_audience();
  return summary();
}
