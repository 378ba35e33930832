import CUnisono
import Glibc
import Synchronization

/// Answers that people gave for good when they were asked about an activity, by its type; kept in the storage folder, where
/// there is one.
final class RememberedAnswers: Sendable {
  private let path: String?
  private let answers: Mutex<[Int32: unisono_activation_result]>

  /// Reads what is there; lines that say nothing are skipped.
  init(folder: String?) {
    path = folder.map { "\($0)/activation-answers" }
    answers = Mutex(path.map(Self.read) ?? [:])
  }

  func answer(for type: unisono_activity_type) -> unisono_activation_result? {
    answers.withLock { $0[type.rawValue] }
  }

  /// nil forgets. False: it could not be written, and is known to this context alone.
  func remember(_ answer: unisono_activation_result?, for type: unisono_activity_type) -> Bool {
    answers.withLock { answers in
      answers[type.rawValue] = answer
      return write(answers)
    }
  }

  func forgetAll() -> Bool {
    answers.withLock { answers in
      answers = [:]
      return write(answers)
    }
  }

  /// Beside the old file first: an interrupted write loses nothing.
  private func write(_ answers: [Int32: unisono_activation_result]) -> Bool {
    guard let path else { return true }
    let part = path + ".part"
    let text = answers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)\n" }.joined()
    let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let bytes = Array(text.utf8)
    let written = bytes.isEmpty ? 0 : Glibc.write(file, bytes, bytes.count)
    let isWhole = written == bytes.count && fsync(file) == 0
    close(file)
    return isWhole && rename(part, path) == 0
  }

  private static func read(_ path: String) -> [Int32: unisono_activation_result] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [:] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0, let text = String(validating: bytes[..<count], as: UTF8.self) else { return [:] }
    var found: [Int32: unisono_activation_result] = [:]
    for line in text.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int32($0) }
      guard numbers.count == 2, (0...9).contains(numbers[0]), (0...1).contains(numbers[1]) else { continue }
      found[numbers[0]] = unisono_activation_result(rawValue: numbers[1])
    }
    return found
  }
}
