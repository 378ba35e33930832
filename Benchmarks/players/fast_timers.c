/* Loaded before libfaketime, which turns absolute waits on every clock into such on the wall clock: those on
 * CLOCK_MONOTONIC would never end. Here they last for what is left until then on the clock that the program sees, at that
 * clock's rate (FAST_TIMERS_RATE). libuv has such timers (timerfd), GStreamer's clock such sleeps and futexes.
 *
 *   cc -shared -fPIC -O2 fast_timers.c -o fast_timers.so; LD_PRELOAD=./fast_timers.so:libfaketime.so.1 ... */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* How long it really takes until the program's clock shows `then`; never nothing, which would mean something else. */
static struct timespec left_until(const struct timespec *then) {
  struct timespec now;
  const char *rate = getenv("FAST_TIMERS_RATE");
  clock_gettime(CLOCK_MONOTONIC, &now);
  double seconds = (double)(then->tv_sec - now.tv_sec) + (double)(then->tv_nsec - now.tv_nsec) / 1e9;
  long long nanoseconds = (long long)(seconds * 1e9 / (rate == NULL ? 1 : atof(rate)));
  if (nanoseconds < 1) nanoseconds = 1;
  return (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
}

/* FUTEX_WAIT_BITSET waits until an instant, FUTEX_WAIT for a while. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  va_list list;
  long a[6];
  struct timespec left;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (number == SYS_futex && (a[1] & ~FUTEX_PRIVATE_FLAG) == FUTEX_WAIT_BITSET && a[3] != 0) {
    left = left_until((const struct timespec *)a[3]);
    a[1] = FUTEX_WAIT | (a[1] & FUTEX_PRIVATE_FLAG);
    a[3] = (long)&left;
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  struct itimerspec left = *value;
  if ((flags & TFD_TIMER_ABSTIME) != 0 && (value->it_value.tv_sec != 0 || value->it_value.tv_nsec != 0)) {
    left.it_value = left_until(&value->it_value);
    flags &= ~TFD_TIMER_ABSTIME;
  }
  return (int)syscall(SYS_timerfd_settime, fd, flags, &left, old);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remain) {
  struct timespec left = (flags & TIMER_ABSTIME) != 0 ? left_until(request) : *request;
  return syscall(SYS_clock_nanosleep, clock, 0, &left, remain) == 0 ? 0 : errno;
}
