import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

// Calls of a place in an audience.

/// To the hosts, who may invite this listener into the session: that comes as "invited". `text`: for people, may be empty.
@_expose(wasm, "listener_ask_to_speak")
@_cdecl("listener_ask_to_speak")
public func askToSpeak(now: Int64, text: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  performListening(now) { (listener) throws(Failure) in
    let text = length == 0 ? "" : try Given(text, length).lines(atMost: HandMessage.longestText, "text")
    try listener.say(.asks, text)
  }
}

@_expose(wasm, "listener_say_to_hosts")
@_cdecl("listener_say_to_hosts")
public func sayToHosts(now: Int64, text: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  performListening(now) { (listener) throws(Failure) in
    try listener.say(.says, try Given(text, length).lines(atMost: HandMessage.longestText, "text"))
  }
}

@_expose(wasm, "listener_react")
@_cdecl("listener_react")
public func reactListening(now: Int64, text: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  performListening(now) { (listener) throws(Failure) in
    try listener.react(try Given(text, length).required(atMost: WireLimits.reaction, "text"))
  }
}
