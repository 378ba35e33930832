import UnisonoBase
import UnisonoCoordination

/// Coordination of a coordinator that is in a session beside its first one. On the loop.
final class NamedCoordination: CoordinationHost {
  let firstCommand: UInt64
  let name: CoordinatorName
  private let session: SessionObject

  init(_ name: CoordinatorName, of coordinator: CoordinatorObject, in session: SessionObject) {
    self.name = name
    self.session = session
    firstCommand = session.context.nextCommandRange()
    session.addCoordinator(name, firstCommand: firstCommand, coordinator)
  }

  var coordinationView: CoordinationView { session.view(of: name) }

  func handle(_ event: CoordinationEvent) { session.handle(event, of: name) }

  func isOf(_ session: SessionObject, as name: CoordinatorName?) -> Bool { self.session === session && self.name == name }

  func release(_ coordinator: CoordinatorObject) { session.removeCoordinator(name, firstCommand: firstCommand) }
}
