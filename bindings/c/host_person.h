/* host_person.h: what the others see of who gave no name: the login, else the machine's name. */
#ifndef HOST_PERSON_H
#define HOST_PERSON_H

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

/* USER, then LOGNAME, then the system's list of users; NULL: the library takes the device's name. */
static inline const char *host_person(void) {
  const char *names[] = {getenv("USER"), getenv("LOGNAME")};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i] != NULL && names[i][0] != '\0') return names[i];
  const struct passwd *user = getpwuid(getuid());
  return user != NULL && user->pw_name[0] != '\0' ? user->pw_name : NULL;
}

#endif
