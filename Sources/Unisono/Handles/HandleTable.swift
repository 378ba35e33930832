import CUnisono
import Synchronization

/// All handles of the process: tokens to objects.
///
/// A slot is used again with the next generation, never with the same; a slot whose generations are used up retires.
/// So a destroyed handle stays destroyed for ever.
final class HandleTable: Sendable {
  static let shared = HandleTable()

  private struct Slot {
    var kind: HandleKind
    var generation: UInt32
    var object: APIObject?
  }

  private struct State {
    var slots: [Slot] = []
    var free: [Int] = []
  }

  private let state = Mutex(State())

  /// Makes a handle; nil: all slots are in use.
  func make(_ kind: HandleKind) -> HandleToken? {
    state.withLock { state in
      if let index = state.free.popLast() {
        state.slots[index].generation += 1
        state.slots[index].kind = kind
        return HandleToken(kind: kind, slot: index, generation: state.slots[index].generation)
      }
      guard state.slots.count < HandleToken.slotCount else { return nil }
      state.slots.append(Slot(kind: kind, generation: 1, object: nil))
      return HandleToken(kind: kind, slot: state.slots.count - 1, generation: 1)
    }
  }

  /// From now on the handle answers.
  func publish(_ object: APIObject) {
    state.withLock { state in state.slots[object.token.slot].object = object }
    RealtimeSlots.shared.open(object.token)
  }

  /// Ends a handle; true for the one caller who ended it.
  func retire(_ token: HandleToken) -> Bool {
    let ended = state.withLock { state -> APIObject? in
      guard state.slots[token.slot].generation == token.generation, let object = state.slots[token.slot].object else {
        return nil
      }
      state.slots[token.slot].object = nil
      return object
    }
    guard ended != nil else { return false }
    RealtimeSlots.shared.close(token)
    state.withLock { state in
      if token.generation < HandleToken.lastGeneration { state.free.append(token.slot) }
    }
    return true
  }

  /// Gives back a handle that was made and never published.
  func abandon(_ token: HandleToken) {
    state.withLock { state in
      if token.generation < HandleToken.lastGeneration { state.free.append(token.slot) }
    }
  }

  /// The object behind a host's pointer.
  func object<Object: APIObject>(_ pointer: OpaquePointer?, _ type: Object.Type) throws(Failure) -> Object {
    let noun = Object.kind.noun
    guard pointer != nil else { throw Failure(.UNISONO_EINVAL, "the \(noun) is NULL") }
    guard let token = HandleToken(pointer) else {
      throw Failure(.UNISONO_EINVAL, "that is no handle; give what the function that made the \(noun) returned")
    }
    let found = state.withLock { state -> (known: Bool, object: APIObject?) in
      guard token.slot < state.slots.count else { return (false, nil) }
      let slot = state.slots[token.slot]
      guard token.generation >= 1, token.generation <= slot.generation else { return (false, nil) }
      guard token.generation == slot.generation else { return (true, nil) }
      return slot.kind.rawValue == token.kindNumber ? (true, slot.object) : (false, nil)
    }
    guard found.known else { throw Failure(.UNISONO_EINVAL, "that is no handle of this library") }
    guard token.kindNumber == Object.kind.rawValue else {
      throw Failure(.UNISONO_EINVAL, "that is a handle of another kind; a \(noun) is wanted")
    }
    guard let object = found.object as? Object else {
      throw Failure(.UNISONO_ECLOSED, "the \(noun) was destroyed")
    }
    return object
  }
}
