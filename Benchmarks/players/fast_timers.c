/* Loaded before libfaketime, which turns absolute timers of every clock into such of the wall clock: a timerfd of
 * CLOCK_MONOTONIC would never fire. Here it is set by what is left until then on the clock that the program sees, at that
 * clock's rate (FAST_TIMERS_RATE).
 *
 *   cc -shared -fPIC -O2 fast_timers.c -o fast_timers.so; LD_PRELOAD=./fast_timers.so:libfaketime.so.1 ... */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  struct itimerspec left = *value;
  if ((flags & TFD_TIMER_ABSTIME) != 0 && (value->it_value.tv_sec != 0 || value->it_value.tv_nsec != 0)) {
    struct timespec now;
    const char *rate = getenv("FAST_TIMERS_RATE");
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(value->it_value.tv_sec - now.tv_sec);
    seconds = (seconds + (double)(value->it_value.tv_nsec - now.tv_nsec) / 1e9) / (rate == NULL ? 1 : atof(rate));
    long long nanoseconds = seconds <= 0 ? 1 : (long long)(seconds * 1e9);
    left.it_value.tv_sec = nanoseconds / 1000000000;
    left.it_value.tv_nsec = nanoseconds % 1000000000;
    if (nanoseconds == 0) left.it_value.tv_nsec = 1; /* all zero would disarm */
    flags &= ~TFD_TIMER_ABSTIME;
  }
  return (int)syscall(SYS_timerfd_settime, fd, flags, &left, old);
}
