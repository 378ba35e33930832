/* Preloaded into a host: its calendar clock is off by as many ns as the file named by WALL_CLOCK holds, an int64_t that may
 * change at any time, as if somebody had set it. Monotonic clocks are left alone. The dates that the kernel gives to
 * datagrams move with the clock, as they would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef long syscall_fn(long number, ...);

static syscall_fn *real_syscall(void) {
  static syscall_fn *found;
  if (found == NULL) *(void **)&found = dlsym(RTLD_NEXT, "syscall");
  return found;
}

static int64_t offset(void) {
  int64_t value = 0;
  const char *path = getenv("WALL_CLOCK");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, &value, sizeof value) != sizeof value) value = 0;
  close(file);
  return value;
}

static void move_by(int64_t ahead, struct timespec *time) {
  int64_t sum = time->tv_nsec + ahead % 1000000000;
  time->tv_sec += ahead / 1000000000 + (sum >= 1000000000) - (sum < 0);
  time->tv_nsec = sum + (sum < 0 ? 1000000000 : 0) - (sum >= 1000000000 ? 1000000000 : 0);
}

static void move(struct timespec *time) { move_by(offset(), time); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = (int)real_syscall()(SYS_clock_gettime, clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) move(time);
  return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

/* What waits until an instant of the calendar waits as long as its own clock says. In glibc one bit of a condition says whether it goes by
 * the monotonic clock. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  struct timespec kernel = *until;
  if (condition->__data.__wrefs & 2) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
  move_by(-offset(), &kernel);
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &kernel);
}

long syscall(long number, ...) {
  va_list list;
  long arguments[6];
  va_start(list, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
  va_end(list);
  long status =
      real_syscall()(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (number == SYS_clock_gettime && status == 0 && arguments[0] == CLOCK_REALTIME) move((struct timespec *)arguments[1]);
  return status;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  int status = (int)real_syscall()(SYS_ioctl, descriptor, request, argument);
  if (request == SIOCGSTAMPNS && status == 0) move(argument);
  return status;
}
