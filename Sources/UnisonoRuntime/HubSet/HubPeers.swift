import UnisonoBase

/// The way to the other hubs of a set: subjects on which bytes are published, and heard by who subscribed to them.
///
/// It promises nothing: what is published may be lost, doubled, late or out of order, and anybody on the way may read and change it;
/// whoever uses it sees to that. Phases: from `open` to `close`. In between it is connected or not, tries again by itself for as long as
/// it is not, and says so with `connected` and `disconnected`, in turn. All calls and all callbacks belong to the loop's thread;
/// callbacks never run inside a call.
package protocol HubPeers: AnyObject {
  /// Begins to connect. Once.
  func open(_ events: HubPeersEvents)
  /// Sends to who is subscribed to `subject`, but never to this side itself; dropped while there is no connection. Never blocks.
  func publish(_ bytes: [UInt8], on subject: String)
  /// Hears `subject` from now on, over new connections too, until `unsubscribe`.
  func subscribe(_ subject: String)
  func unsubscribe(_ subject: String)
  /// What was subscribed before holds, at the server that this side is connected to, before it gets what is published after.
  func flush()
  /// Gives the connection up, with all that waits to be sent, and makes another.
  func reconnect()
  /// Sends what is waiting if it can be done at once, and ends. No callback comes afterwards.
  func close()
}

/// Events of the way to other hubs, for its owner.
package struct HubPeersEvents {
  package var connected: () -> Void
  package var disconnected: () -> Void
  /// Something came. `at`: host time at which it was read from the network.
  package var received: (_ bytes: [UInt8], _ subject: String, _ at: HostTime) -> Void
  /// How much waits to be sent, at every change that matters and once a second while it is not 0; `since`: host time from which on
  /// nothing of it could be sent, nil: it can.
  package var waiting: (_ bytes: Int, _ since: HostTime?) -> Void

  package init(
    connected: @escaping () -> Void, disconnected: @escaping () -> Void,
    received: @escaping (_ bytes: [UInt8], _ subject: String, _ at: HostTime) -> Void,
    waiting: @escaping (_ bytes: Int, _ since: HostTime?) -> Void
  ) {
    self.connected = connected
    self.disconnected = disconnected
    self.received = received
    self.waiting = waiting
  }
}
