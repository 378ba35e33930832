/* A network of its own for benchmarks: one TUN device per host, every packet delayed, lost and kept in order as the
 * profile of its host says. A packet from X to Y takes out(X) + in(Y).
 *
 *   emulator SEED HOST...        devices uPID_0, uPID_1, ... in the order of the hosts; 10.78.0.1, .2, ...
 *
 * The caller moves the devices into network namespaces (emulated_network.py does). Commands come as lines on standard
 * input, each answered by one line on standard output:
 *   profile HOST NAME            none lan wifi wan lte lopsided
 *   stats                        packets carried, dropped, mean and greatest lateness in microseconds
 * End of input ends the program. Linux, root. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MAX_HOSTS = 16, MAX_PACKET = 2048, MAX_QUEUED = 65536, MILLISECOND = 1000000 };

/* One direction of a host's link; times in milliseconds. Uniform: base +- jitter. Queueing: a floor of base - jitter
 * and a Gamma(2) tail with mean base. A burst is a two-state Markov chain drawn per packet. */
struct profile {
  const char *name;
  double base, jitter;
  int queueing;
  double burst_enter, burst_leave, burst_low, burst_high, loss, burst_loss;
  double base_in; /* towards the host, where that is not as from it; 0: as from it */
};

static const struct profile profiles[] = {
    {"none", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"lan", 0.20, 0.10, 1, 0, 0, 0, 0, 0, 0, 0},
    {"wifi", 3, 2, 1, 0.02, 0.15, 20, 150, 0.001, 0.05, 0},
    {"wan", 50, 20, 0, 0, 0, 0, 0, 0, 0, 0},
    {"lte", 80, 60, 1, 0, 0, 0, 0, 0.005, 0, 0},
    {"lopsided", 40, 2, 1, 0, 0, 0, 0, 0, 0, 10},
};

struct direction {
  const struct profile *profile;
  int inwards; /* towards its host */
  uint64_t random;
  int in_burst;
  int64_t last_release; /* keeps the direction in order */
};

struct host {
  const char *name;
  int fd;
  struct direction out, in;
};

struct packet {
  int64_t release;
  uint64_t order;
  int host, length;
  unsigned char *bytes;
};

static struct host hosts[MAX_HOSTS];
static int host_count;
static struct packet heap[MAX_QUEUED];
static int heap_count;
static uint64_t order, carried, dropped;
static int64_t late_sum, late_max;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static double uniform(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* ns, or -1 for a lost packet. */
static int64_t draw(struct direction *d) {
  const struct profile *p = d->profile;
  double delay = d->inwards && p->base_in > 0 ? p->base_in : p->base, loss = p->loss;
  if (p->jitter > 0 && p->queueing)
    delay += -p->jitter - p->jitter / 2 * (log(1 - uniform(&d->random)) + log(1 - uniform(&d->random)));
  else if (p->jitter > 0)
    delay += (2 * uniform(&d->random) - 1) * p->jitter;
  if (p->burst_enter > 0) {
    d->in_burst = d->in_burst ? uniform(&d->random) >= p->burst_leave : uniform(&d->random) < p->burst_enter;
    if (d->in_burst) {
      delay += p->burst_low + uniform(&d->random) * (p->burst_high - p->burst_low);
      loss = loss > p->burst_loss ? loss : p->burst_loss;
    }
  }
  if (loss > 0 && uniform(&d->random) < loss) return -1;
  return delay > 0 ? (int64_t)(delay * MILLISECOND) : 0;
}

static int64_t in_order(struct direction *d, int64_t release) {
  if (release < d->last_release) release = d->last_release;
  return d->last_release = release;
}

static int earlier(const struct packet *a, const struct packet *b) {
  return a->release != b->release ? a->release < b->release : a->order < b->order;
}

static void heap_push(struct packet p) {
  int i = heap_count++;
  for (; i > 0 && earlier(&p, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
  heap[i] = p;
}

static struct packet heap_pop(void) {
  struct packet top = heap[0], last = heap[--heap_count];
  int i = 0;
  for (int child; (child = 2 * i + 1) < heap_count; i = child) {
    if (child + 1 < heap_count && earlier(&heap[child + 1], &heap[child])) child++;
    if (!earlier(&heap[child], &last)) break;
    heap[i] = heap[child];
  }
  heap[i] = last;
  return top;
}

static void carry(struct host *from, const unsigned char *bytes, int length, int64_t now) {
  if (length < 20 || bytes[0] >> 4 != 4) return; /* IPv4 only */
  int to = bytes[19] - 1, everybody = bytes[16] >= 224 || bytes[19] == 255;
  if (!everybody && (to < 0 || to >= host_count)) return;
  int64_t out = draw(&from->out);
  if (out < 0) {
    dropped++;
    return;
  }
  int64_t sent = in_order(&from->out, now + out);
  for (int i = 0; i < host_count; i++) {
    if (&hosts[i] == from || (!everybody && i != to)) continue;
    int64_t in = draw(&hosts[i].in);
    unsigned char *copy = in < 0 || heap_count == MAX_QUEUED ? NULL : malloc((size_t)length);
    if (copy == NULL) {
      dropped++;
      continue;
    }
    memcpy(copy, bytes, (size_t)length);
    heap_push((struct packet){in_order(&hosts[i].in, sent + in), order++, i, length, copy});
  }
}

static void release_due(void) {
  while (heap_count > 0 && heap[0].release <= now_ns()) {
    struct packet p = heap_pop();
    int64_t late = now_ns() - p.release;
    if (write(hosts[p.host].fd, p.bytes, (size_t)p.length) == p.length) {
      carried++;
      late_sum += late;
      if (late > late_max) late_max = late;
    } else {
      dropped++;
    }
    free(p.bytes);
  }
}

static const struct profile *find_profile(const char *name) {
  for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
    if (strcmp(profiles[i].name, name) == 0) return &profiles[i];
  return NULL;
}

/* 0 at the end of input. */
static int command(void) {
  char line[256], host[64], name[64];
  if (fgets(line, sizeof line, stdin) == NULL) return 0;
  if (strcmp(line, "stats\n") == 0) {
    printf("%llu %llu %.1f %.1f\n", (unsigned long long)carried, (unsigned long long)dropped,
           carried ? (double)late_sum / (double)carried / 1000 : 0, (double)late_max / 1000);
  } else if (sscanf(line, "profile %63s %63s", host, name) == 2 && find_profile(name) != NULL) {
    int found = 0;
    for (int i = 0; i < host_count; i++)
      if (strcmp(hosts[i].name, host) == 0) {
        hosts[i].out.profile = hosts[i].in.profile = find_profile(name);
        found = 1;
      }
    printf(found ? "ok\n" : "error: no such host\n");
  } else {
    printf("error: unknown command or profile\n");
  }
  fflush(stdout);
  return 1;
}

static int open_tun(int index) {
  struct ifreq request;
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  memset(&request, 0, sizeof request);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  snprintf(request.ifr_name, sizeof request.ifr_name, "u%d_%d", (int)getpid(), index); /* two runs may meet */
  return ioctl(fd, TUNSETIFF, &request) < 0 ? -1 : fd;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc - 2 > MAX_HOSTS) {
    fprintf(stderr, "usage: emulator SEED HOST... (at most %d)\n", MAX_HOSTS);
    return 2;
  }
  uint64_t seed = strtoull(argv[1], NULL, 10);
  int poller = epoll_create1(EPOLL_CLOEXEC), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  for (host_count = 0; host_count < argc - 2; host_count++) {
    struct host *h = &hosts[host_count];
    h->name = argv[host_count + 2];
    h->fd = open_tun(host_count);
    if (h->fd < 0) {
      fprintf(stderr, "emulator: cannot make TUN device %d: %s (root and /dev/net/tun are needed)\n", host_count,
              strerror(errno));
      return 1;
    }
    h->out.profile = h->in.profile = &profiles[0];
    h->out.random = seed * 1000003 + (uint64_t)host_count * 2;
    h->in.random = h->out.random + 1;
    h->in.inwards = 1;
    event.data.ptr = h;
    epoll_ctl(poller, EPOLL_CTL_ADD, h->fd, &event);
  }
  event.data.ptr = NULL;
  epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
  event.data.ptr = stdin;
  epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  setvbuf(stdin, NULL, _IONBF, 0); /* one command a readable event: nothing may hide in a buffer */
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  printf("ready\n");
  fflush(stdout);

  for (;;) {
    struct itimerspec at = {0};
    if (heap_count > 0) {
      at.it_value.tv_sec = heap[0].release / 1000000000;
      at.it_value.tv_nsec = heap[0].release % 1000000000;
    }
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
    struct epoll_event events[MAX_HOSTS + 2];
    int count = epoll_wait(poller, events, MAX_HOSTS + 2, -1);
    int64_t now = now_ns();
    for (int i = 0; i < count; i++) {
      if (events[i].data.ptr == NULL) {
        uint64_t expirations;
        if (read(timer, &expirations, sizeof expirations) < 0) continue;
      } else if (events[i].data.ptr == stdin) {
        if (!command()) return 0;
      } else {
        struct host *h = events[i].data.ptr;
        unsigned char bytes[MAX_PACKET];
        ssize_t length;
        for (int burst = 0; burst < 64 && (length = read(h->fd, bytes, sizeof bytes)) > 0; burst++)
          carry(h, bytes, (int)length, now);
      }
    }
    release_due();
  }
}
