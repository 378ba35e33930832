#include <uv.h>

/* What the Glibc module leaves out. */
#if defined(__linux__)
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
int pthread_setname_np(pthread_t thread, const char *name);
int pipe2(int ends[2], int flags);

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* When the kernel took in the datagram that was read last from a socket, and what time it is now, both by the calendar
 * clock, ns; 0: it does not know. The first call makes it take notes. The kernel itself is asked, both times, so that the
 * two fit together even where something stands between this process and its clocks. */
static inline int unisono_receive_stamp(int socket, int64_t *stamp, int64_t *now) {
  struct timespec taken, present;
  if (ioctl(socket, SIOCGSTAMPNS, &taken) != 0) return 0;
#if defined(__LP64__)
  if (syscall(SYS_clock_gettime, CLOCK_REALTIME, &present) != 0) return 0;
#else
  if (clock_gettime(CLOCK_REALTIME, &present) != 0) return 0;
#endif
  *stamp = (int64_t)taken.tv_sec * 1000000000 + taken.tv_nsec;
  *now = (int64_t)present.tv_sec * 1000000000 + present.tv_nsec;
  return 1;
}
#else
static inline int unisono_receive_stamp(int socket, int64_t *stamp, int64_t *now) {
  (void)socket, (void)stamp, (void)now;
  return 0;
}
#endif

/* For the inside of a loop that waits: lets the other half of the processor go ahead. */
static inline void unisono_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
