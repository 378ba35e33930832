/* A foreign project's first program: builds against the installed copy with pkg-config alone. */
#include <stdio.h>
#include <unisono.h>
#include <unisono_nearby.h>
#include <unisono_player.h>

int main(void) {
  unisono_context *context = NULL;
  unisono_session *session = NULL;
  char invite[4096];
  size_t length = sizeof invite;
  if (unisono_api_version() != UNISONO_API_VERSION) return 1;
  if (unisono_context_create(NULL, NULL, NULL, &context) != UNISONO_OK) return 2;
  if (unisono_session_host(context, NULL, NULL, NULL, &session) != UNISONO_OK) return 3;
  if (unisono_session_invite(session, invite, &length) != UNISONO_OK) return 4;
  printf("unisono %s: %.10s...\n", unisono_version(), invite);
  unisono_context_destroy(context);
  return 0;
}
