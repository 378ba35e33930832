import Glibc

/// One answer, waited for.
final class AnswerBox: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var answer = false

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func put(_ yes: Bool) {
    answer = yes
    sem_post(semaphore)
  }

  func wait() -> Bool {
    while sem_wait(semaphore) != 0 {}
    return answer
  }
}
