/* A process that writes the same bytes to many connections and does nothing else: what a hub's delivery is measured by.
 *
 *     writer RECEIVERS LENGTH
 *
 * Says the port it listens on, accepts so many connections (no delay, not blocking, as a hub's), and then, for each line "FRAMES RATE" on its
 * standard input, writes LENGTH bytes to each of them, FRAMES times, RATE a second, and says "done". Ends with its input. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void check(int result, const char *what) {
  if (result >= 0) return;
  perror(what);
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  int receivers = atoi(arguments[1]);
  size_t length = strtoul(arguments[2], NULL, 10);
  char *bytes = calloc(1, length);
  int *sockets = calloc((size_t)receivers, sizeof *sockets);
  if (!bytes || !sockets) return 1;

  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  check(bind(listener, (struct sockaddr *)&address, size), "bind");
  check(listen(listener, 4096), "listen");
  check(getsockname(listener, (struct sockaddr *)&address, &size), "getsockname");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int i = 0; i < receivers; i++) {
    check(sockets[i] = accept4(listener, NULL, NULL, SOCK_NONBLOCK), "accept");
    check(setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)), "TCP_NODELAY");
  }

  int frames, rate;
  while (scanf("%d %d", &frames, &rate) == 2 && rate > 0) {
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int frame = 0; frame < frames; frame++) {
      for (int i = 0; i < receivers; i++) {
        for (size_t done = 0; done < length;) {
          ssize_t written = write(sockets[i], bytes + done, length - done);
          if (written >= 0) {
            done += (size_t)written;
          } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = sockets[i], .events = POLLOUT}, 1, -1);
          } else {
            check(-1, "write");
          }
        }
      }
      due.tv_nsec += 1000000000 / rate;
      if (due.tv_nsec >= 1000000000) {
        due.tv_nsec -= 1000000000;
        due.tv_sec++;
      }
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
    puts("done");
    fflush(stdout);
  }
  return 0;
}
