#if NATS
  import CNATS
  import Glibc
  import UnisonoRuntime

  /// The options of one connection as libnats has them, for as long as it is being made.
  struct NATSSettings: ~Copyable {
    let handle: OpaquePointer

    /// Throws a sentence that names the file or the server that libnats does not take.
    init(_ options: NATSOptions, number: Int) throws(NATSFailure) {
      var made: OpaquePointer?
      guard natsOptions_Create(&made) == NATS_OK, let made else {
        throw NATSFailure("libnats has no memory for a connection")
      }
      do throws(NATSFailure) {
        try Self.setServers(made, options)
        try Self.setSecurity(made, options)
        try Self.setLimits(made)
        try Self.setCallbacks(made, UnsafeMutableRawPointer(bitPattern: number))
      } catch {
        natsOptions_Destroy(made)
        throw error
      }
      handle = made
    }

    deinit { natsOptions_Destroy(handle) }

    private static func check(_ status: natsStatus, _ what: @autoclosure () -> String) throws(NATSFailure) {
      if status != NATS_OK { throw NATSFailure("\(what()): \(NATSFault.text(status))") }
    }

    private static func setServers(_ handle: OpaquePointer, _ options: NATSOptions) throws(NATSFailure) {
      var urls: [UnsafePointer<CChar>?] = options.servers.map { UnsafePointer(strdup($0.url)) }
      defer { for url in urls { free(UnsafeMutablePointer(mutating: url)) } }
      try check(
        natsOptions_SetServers(handle, &urls, Int32(clamping: urls.count)), "libnats does not take \(options.place)")
      try check(natsOptions_SetName(handle, "unisono hub"), "libnats takes no name")
    }

    private static func setSecurity(_ handle: OpaquePointer, _ options: NATSOptions) throws(NATSFailure) {
      if options.servers.contains(where: \.isSecure) || options.authorities != nil || options.certificate != nil {
        try check(natsOptions_SetSecure(handle, true), "libnats has no TLS")
      }
      if let file = options.authorities {
        try check(natsOptions_LoadCATrustedCertificates(handle, file), "the certificates of \(file) cannot be used")
      }
      if let file = options.certificate {
        let key = options.certificateKey ?? file
        try check(
          natsOptions_LoadCertificatesChain(handle, file, key),
          "the certificate of \(file) with the key of \(key) cannot be used")
      }
      if let file = options.credentials {
        // libnats reads it while it connects, and does not say then which file it was.
        guard access(file, R_OK) == 0 else {
          throw NATSFailure(
            "the credentials of \(file) cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        try check(
          natsOptions_SetUserCredentialsFromFiles(handle, file, nil), "the credentials of \(file) cannot be used")
      }
    }

    private static func setLimits(_ handle: OpaquePointer) throws(NATSFailure) {
      let statuses = [
        // A lost connection is closed, so that one way makes a new one whoever gave the old one up; nothing waits for it inside libnats.
        natsOptions_SetAllowReconnect(handle, false),
        natsOptions_SetTimeout(handle, NATSLimits.patienceInMilliseconds),
        natsOptions_SetWriteDeadline(handle, NATSLimits.patienceInMilliseconds),
        natsOptions_SetPingInterval(handle, NATSLimits.pingInMilliseconds),
        natsOptions_SetMaxPingsOut(handle, NATSLimits.missingPongs),
        // Without this another thread writes, a millisecond later, and nobody is told that it failed.
        natsOptions_SetSendAsap(handle, true),
        natsOptions_SetNoEcho(handle, true),
        // One thread delivers for all subscriptions.
        natsOptions_UseGlobalMessageDelivery(handle, true),
        nats_SetMessageDeliveryPoolSize(1),
        natsOptions_DisableNoResponders(handle, true),
      ]
      for status in statuses { try check(status, "libnats does not take an option") }
    }

    private static func setCallbacks(_ handle: OpaquePointer, _ closure: UnsafeMutableRawPointer?) throws(NATSFailure) {
      try check(natsOptions_SetClosedCB(handle, NATSHandlers.closed, closure), "libnats takes no callback")
      try check(natsOptions_SetErrorHandler(handle, NATSHandlers.error, closure), "libnats takes no callback")
    }
  }
#endif
