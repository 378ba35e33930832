/* Tells the thread sanitizer about Swift's Mutex.
 *
 * A contended Mutex is taken and given up inside the Swift runtime and the kernel, where nothing is instrumented: the
 * sanitizer sees two threads in one critical section and no lock. Preloaded, this reports both. What is not contended
 * is compiled into the callers and is seen anyway, at the same address. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT _Bool try_lock_slow(SELF void *mutex) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  SWIFT void (*next)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(SELF void *mutex) {
  SWIFT _Bool (*next)(SELF void *) = (SWIFT _Bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  _Bool taken = next(mutex);
  if (taken && __tsan_acquire) __tsan_acquire(mutex);
  return taken;
}

SWIFT void unlock_slow(SELF void *mutex) {
  SWIFT void (*next)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(mutex);
  next(mutex);
}
