/* What the kernel's receive timestamps gain: how long after the kernel a loop that waits in epoll sees a datagram.
 * One number matters to the clock filter, which takes the shortest ways: the least; the rest it leaves out anyway.
 *
 *   receive_times [DATAGRAMS]   over the loopback, 50 ms apart; default 400 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in address;
static int count;

static int64_t now(void) { /* the clock of SO_TIMESTAMPNS */
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *send_all(void *unused) {
  (void)unused;
  int out = socket(AF_INET, SOCK_DGRAM, 0);
  for (int i = 0; i < count; i++) {
    usleep(50000);
    if (sendto(out, &i, sizeof i, 0, (struct sockaddr *)&address, sizeof address) < 0) perror("sendto");
  }
  close(out);
  return NULL;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 400;
  if (count < 10) count = 10;
  int in = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), yes = 1;
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(in, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
  if (bind(in, (struct sockaddr *)&address, sizeof address) < 0 || getsockname(in, (struct sockaddr *)&address, &length) < 0) {
    perror("receive_times: bind");
    return 1;
  }
  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(poller, EPOLL_CTL_ADD, in, &event);
  double *late = calloc((size_t)count, sizeof *late);
  pthread_t sender;
  pthread_create(&sender, NULL, send_all, NULL);
  int seen = 0;
  while (seen < count && epoll_wait(poller, &event, 1, 2000) > 0) {
    char bytes[64], control[256];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(in, &message, 0) < 0) continue;
    int64_t read = now();
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c))
      if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
        late[seen++] = (double)(read - ((int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec)) / 1e3;
      }
  }
  pthread_join(sender, NULL);
  if (seen == 0) {
    fprintf(stderr, "receive_times: the kernel gave no timestamps\n");
    return 1;
  }
  qsort(late, (size_t)seen, sizeof *late, ascending);
  printf("receive   after the kernel us: least %.1f median %.1f p99 %.1f max %.1f (%d datagrams)\n", late[0], late[seen / 2],
         late[(seen - 1) * 99 / 100], late[seen - 1], seen);
  return 0;
}
