#include <uv.h>

/* What the Glibc module leaves out. */
#if defined(__linux__)
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
int pthread_setname_np(pthread_t thread, const char *name);
int pipe2(int ends[2], int flags);
#endif
