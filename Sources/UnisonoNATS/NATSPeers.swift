#if NATS
  import Glibc
  import Synchronization
  import UnisonoBase
  import UnisonoRuntime

  /// The way to other hubs through core NATS, with libnats.
  ///
  /// libnats is called by a thread of its own, as its calls wait for the network; this side hands it what is to be sent, and takes what
  /// came from it, so that neither can hold the loop up, whatever NATS does. Unchecked, because all that changes belongs to the loop, but
  /// for `thread`, which has a lock.
  package final class NATSPeers: HubPeers, @unchecked Sendable {
    private let loop: any ContextLoop
    private let options: NATSOptions
    private let log: (HubLog) -> Void
    private let outbox: NATSOutbox
    /// Readable once the thread has ended.
    private let ended: WakeDescriptor
    private let thread = Mutex<pthread_t?>(nil)
    private var lines = NATSLines()
    private var events: HubPeersEvents?
    private var inbox: NATSInbox?
    /// Taken from the inbox; up to `place` done with.
    private var taken: [NATSInbox.Event] = []
    private var place = 0
    private var sliceTimer: (any LoopTimer)?
    private var isBetweenSlices = false
    private var waitingTimer: (any LoopTimer)?
    private var isWatching = false
    /// What the owner was told last that waits.
    private var toldBytes = 0

    /// `log` is called on the loop.
    package init(_ options: NATSOptions, on loop: any ContextLoop, log: @escaping (HubLog) -> Void) throws(NetworkError)
    {
      guard (1...NATSLimits.servers).contains(options.servers.count) else {
        throw NetworkError("name 1...\(NATSLimits.servers) NATS servers; there are \(options.servers.count)")
      }
      self.loop = loop
      self.options = options
      self.log = log
      outbox = try NATSOutbox()
      ended = try WakeDescriptor()
    }

    deinit {
      outbox.close()
      sliceTimer?.close()
      waitingTimer?.close()
      if let thread = thread.withLock({ $0.take() }) { pthread_detach(thread) }
    }

    package func open(_ events: HubPeersEvents) {
      self.events = events
      sliceTimer = loop.makeTimer { [unowned self] in
        isBetweenSlices = false
        receive()
      }
      waitingTimer = loop.makeTimer { [unowned self] in tellWaiting() }
      let loop = loop
      let inbox = NATSInbox { [weak self] in loop.submit { [weak self] in self?.receive() } }
      self.inbox = inbox
      let work = NATSThread(options, outbox: outbox, inbox: inbox) { loop.now }
      do throws(NetworkError) {
        let made = try LoopThread.start(name: "unisono-nats") { [ended] in
          work.run()
          ended.signal()
        }
        thread.withLock { $0 = made }
      } catch {
        log(HubLog(.warning, "other hubs are not heard: \(error.message)"))
      }
    }

    package func publish(_ bytes: [UInt8], on subject: String) {
      let now = loop.now
      let isNewlyPressed = outbox.publish(bytes, on: subject, at: now)
      if isNewlyPressed {
        watch(from: now)
      } else if !isWatching {
        watch(from: now.adding(.seconds(1)))
      }
    }

    package func subscribe(_ subject: String) { outbox.subscribe(subject) }

    package func unsubscribe(_ subject: String) { outbox.unsubscribe(subject) }

    /// Holds without a step of its own: a server works off what comes over one connection in order.
    package func flush() {}

    package func reconnect() { outbox.reconnect() }

    package func close() {
      events = nil
      outbox.close()
      sliceTimer?.close()
      waitingTimer?.close()
      taken = []
      place = 0
    }

    /// Bytes that wait towards NATS.
    package var waitingBytes: Int { outbox.waiting.bytes }

    /// Waits until the thread has ended after `close`; false: it did not in time, as where a name server does not answer. Not on the
    /// loop's thread.
    @discardableResult
    package func waitForEnd(atMost limit: Nanoseconds) -> Bool {
      guard let thread = thread.withLock({ $0.take() }) else { return true }
      var entry = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
      let hasEnded = poll(&entry, 1, Int32(clamping: Swift.max(0, limit) / .milliseconds(1))) == 1
      if hasEnded { pthread_join(thread, nil) } else { pthread_detach(thread) }
      return hasEnded
    }

    // MARK: What came

    /// Works off what came, for a slice of time, and goes on in another turn.
    private func receive() {
      if isBetweenSlices || events == nil { return }
      let end = loop.now.adding(NATSLimits.slice)
      var released = 0
      defer { inbox?.release(released) }
      repeat {
        if place == taken.count, !takeMore() { return }
        guard let events else { return }
        // Let go one by one: freeing all at once may take longer than a turn has.
        let event = taken[place]
        taken[place] = .done
        place += 1
        released += event.cost
        handle(event, events)
      } while loop.now < end
      guard events != nil else { return }
      isBetweenSlices = true
      sliceTimer?.arm(at: loop.now.adding(NATSLimits.betweenSlices))
    }

    private func takeMore() -> Bool {
      guard let inbox else { return false }
      let (more, leftOut) = inbox.take()
      taken = more
      place = 0
      if leftOut > 0 {
        say(HubLog(.warning, "NATS brings more than this hub works off: \(leftOut) messages were left out"))
      }
      return !more.isEmpty
    }

    private func handle(_ event: NATSInbox.Event, _ events: HubPeersEvents) {
      switch event {
      case .message(let bytes, let subject, let at): events.received(bytes, subject, at)
      case .connected: events.connected()
      case .disconnected:
        events.disconnected()
        if toldBytes > 0 { tellWaiting() }
      case .relieved: tellWaiting()
      case .line(let line): say(line)
      case .done: break
      }
    }

    private func say(_ line: HubLog) {
      if let line = lines.admit(line, now: loop.now) { log(line) }
    }

    // MARK: What waits

    private func watch(from time: HostTime) {
      isWatching = true
      waitingTimer?.arm(at: time)
    }

    /// Tells what waits towards NATS, and looks again in a second while anything does.
    private func tellWaiting() {
      guard let events else { return }
      let waiting = outbox.waiting
      isWatching = waiting.bytes > 0
      if isWatching { watch(from: loop.now.adding(.seconds(1))) }
      guard waiting.bytes > 0 || toldBytes > 0 else { return }
      toldBytes = waiting.bytes
      events.waiting(waiting.bytes, waiting.bytes > 0 ? waiting.since : nil)
    }
  }
#endif
