import Glibc

/// Takes a secret out of this process's command line, which everybody on this machine can read for as long as it runs.
enum CommandLineSecret {
  static func hide(_ text: String) {
    guard !text.isEmpty else { return }
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[place], strcmp(argument, text) == 0 else { continue }
      memset(argument, Int32(UInt8(ascii: "*")), strlen(argument))
    }
  }
}
