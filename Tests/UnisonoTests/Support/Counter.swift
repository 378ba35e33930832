import Glibc

/// Something counted by several threads, and reached from a C callback by its `user` pointer.
final class Counter: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let counted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count = 0

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(counted, nil)
  }

  deinit {
    pthread_cond_destroy(counted)
    pthread_mutex_destroy(lock)
    counted.deallocate()
    lock.deallocate()
  }

  var value: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return count
  }

  func add() {
    pthread_mutex_lock(lock)
    count += 1
    pthread_cond_broadcast(counted)
    pthread_mutex_unlock(lock)
  }

  /// Waits until more than `before` were counted; false: a minute passed without.
  func exceeds(_ before: Int) -> Bool {
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    limit.tv_sec += 60
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while count <= before {
      if pthread_cond_timedwait(counted, lock, &limit) != 0 { return false }
    }
    return true
  }

  var user: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ user: UnsafeMutableRawPointer?) -> Counter? {
    user.map { Unmanaged<Counter>.fromOpaque($0).takeUnretainedValue() }
  }
}
