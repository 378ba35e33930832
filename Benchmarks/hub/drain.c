/* drain.c: reads what comes on connections that it was started with, and looks at nothing of it: those who listen in a benchmark, at the
 * least cost. Ends with its input. Says how many bytes came, and how many connections were hung up on.
 *
 *   drain FD [FD ...] */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char bytes[1 << 18];

/* What came on a connection; negative: it was hung up on. */
static long drain(int connection) {
  const ssize_t count = recv(connection, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count > 0) return count;
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

int main(int count, char **arguments) {
  const int events = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = STDIN_FILENO}};
  if (events < 0 || epoll_ctl(events, EPOLL_CTL_ADD, STDIN_FILENO, &event) < 0) return perror("epoll"), 1;
  for (int i = 1; i < count; i++) {
    event.data.fd = atoi(arguments[i]);
    if (epoll_ctl(events, EPOLL_CTL_ADD, event.data.fd, &event) < 0) return perror(arguments[i]), 1;
  }
  long long read_in_all = 0;
  int lost = 0;
  for (;;) {
    struct epoll_event found[256];
    const int ready = epoll_wait(events, found, 256, -1);
    if (ready < 0 && errno != EINTR) return perror("epoll_wait"), 1;
    for (int i = 0; i < ready; i++) {
      const int connection = found[i].data.fd;
      if (connection == STDIN_FILENO) return printf("%lld %d\n", read_in_all, lost) < 0;
      const long came = drain(connection);
      if (came >= 0) {
        read_in_all += came;
        continue;
      }
      epoll_ctl(events, EPOLL_CTL_DEL, connection, NULL);
      lost++;
    }
  }
}
