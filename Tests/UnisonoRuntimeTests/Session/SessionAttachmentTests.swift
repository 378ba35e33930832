import Foundation
import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoRuntime
@testable import UnisonoWire

@Suite("Attachments of a session")
struct SessionAttachmentTests {
  /// A folder that is gone with the test.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("unisono-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { path + "/" + name }
    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self[name]).map(Array.init) }
    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: self[name])) }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func attach(_ bytes: [UInt8], _ name: String = "film.vtt", by player: SessionPlayer, request: UInt64 = 1) {
    player.do { $0.attach(.bytes(bytes), name: name, type: "text/vtt", request: request) }
  }

  private func id(_ bytes: [UInt8]) throws -> AttachmentID { try #require(AttachmentID(Hash.sha256(bytes))) }

  /// What a player offers, once all know of it.
  private func offer(
    _ count: Int, by player: SessionPlayer, in world: SessionWorld
  ) throws -> (bytes: [UInt8], id: AttachmentID) {
    let bytes = content(count)
    let id = try id(bytes)
    attach(bytes, by: player)
    world.network.run(for: .seconds(1))
    return (bytes, id)
  }

  private func changes(_ player: SessionPlayer) -> [AttachmentNews.Change] { player.attachments.map(\.change).filter { $0 != .progress } }

  @Test("G35 G38: an attachment is offered to all and to who comes later, and comes whole")
  func whole() throws {
    let world = SessionWorld(seed: 201)
    let all = try world.joined(3, path: .lan)
    let bytes = content(300_000)
    try folder.write(bytes, "film.vtt")
    all[0].do { $0.attach(.file(path: folder["film.vtt"]), name: "film.vtt", type: "text/vtt", request: 7) }
    #expect(world.network.run(atMost: .seconds(5)) { all.allSatisfy { !$0.attachments.isEmpty } })
    #expect(all.map { $0.attachments[0].request } == [7, 0, 0] && all.map { $0.attachments[0].isHeld } == [true, false, false])
    let late = try world.guest(of: all[0], named: "Zoe", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { !late.attachments.isEmpty })
    let offered = try id(bytes)
    #expect(late.attachments[0].offer.value == AttachmentValue(id: offered, name: "film.vtt", type: "text/vtt", size: 300_000))
    #expect(late.attachments[0].offer.slot.author == all[0].id)
    for player in [all[1], late] { player.do { $0.loadAttachment(offered, to: folder["of \(player.name)"]) } }
    #expect(world.network.run(atMost: .seconds(30)) { [all[1], late].allSatisfy { changes($0) == [.added, .loaded] } })
    #expect(folder.bytes("of Ben1") == bytes && folder.bytes("of Zoe") == bytes)
    #expect(folder.names == ["film.vtt", "of Ben1", "of Zoe"])
    let progress = late.attachments.filter { $0.change == .progress }.map(\.transferred)
    #expect(progress == progress.sorted() && progress.last == 300_000)
    #expect((all + [late]).allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("G38: while a file comes, what somebody commands takes effect as soon as without it")
  func commands() throws {
    /// How long a pause takes to reach the last one.
    func delay(loading: Bool) throws -> Nanoseconds {
      let world = SessionWorld(seed: 202)
      let all = try world.playing(3, path: .lan)
      let bytes = content(1_000_000)
      if loading {
        attach(bytes, by: all[0])
        world.network.run(for: .seconds(1))
        let offered = try id(bytes)
        for player in all[1...] { player.do { $0.loadAttachment(offered, to: folder["\(player.name) of \(player.id)"]) } }
      }
      world.network.run(for: .seconds(2))
      for player in all { player.forgetCommands() }
      let start = world.network.trueTime
      all[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
      #expect(world.network.run(atMost: .seconds(5)) { all.allSatisfy { $0.commands.contains { $0.kind == .pause } } })
      if loading { #expect(all[1].attachments.contains { $0.change == .progress && $0.transferred > 100_000 }) }
      return world.network.trueTime - start
    }
    let (quiet, busy) = (try delay(loading: false), try delay(loading: true))
    #expect(busy <= quiet + .milliseconds(20), "\(busy) ns, and \(quiet) without")
  }

  @Test("G39: its author's process dies in the middle: it goes on with who has loaded it")
  func death() throws {
    let world = SessionWorld(seed: 203)
    let all = try world.joined(4, path: .lan)
    let (bytes, offered) = try offer(700_000, by: all[3], in: world)
    all[1].do { $0.loadAttachment(offered, to: folder["one"]) }
    #expect(world.network.run(atMost: .seconds(30)) { changes(all[1]) == [.added, .loaded] })
    all[2].do { $0.loadAttachment(offered, to: folder["two"]) }
    #expect(world.network.run(atMost: .seconds(30)) { all[2].attachments.last?.transferred ?? 0 > 200_000 })
    all[3].machine.kill()
    #expect(world.network.run(atMost: .seconds(60)) { changes(all[2]).contains(.loaded) })
    #expect(folder.bytes("two") == bytes && changes(all[2]) == [.added, .loaded])
  }

  @Test("G40: the hub dies, and the room begins anew: a file goes on where it was")
  func hub() throws {
    let world = SessionWorld(seed: 204)
    let all = try world.joined(3, path: .lan)
    let (bytes, offered) = try offer(900_000, by: all[1], in: world)
    all[2].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(30)) { all[2].attachments.last?.transferred ?? 0 > 300_000 })
    let sent = all[1].engine.statistics.bytesSent
    all[0].machine.kill()
    #expect(world.network.run(atMost: .seconds(90)) { changes(all[2]).contains(.loaded) })
    #expect(folder.bytes("file") == bytes && changes(all[2]) == [.added, .loaded])
    #expect(all[1].engine.statistics.bytesSent - sent < 900_000)
  }

  @Test("G40: somebody is put out, and all move to another room with another key: a file goes on")
  func rekey() throws {
    let world = SessionWorld(seed: 205)
    let all = try world.joined(4, path: .lan)
    let (bytes, offered) = try offer(600_000, by: all[1], in: world)
    all[2].do { $0.loadAttachment(offered, to: folder["file"]) }
    all[3].do { $0.loadAttachment(offered, to: folder["never"]) }
    #expect(world.network.run(atMost: .seconds(30)) { all[2].attachments.last?.transferred ?? 0 > 100_000 })
    all[0].do { $0.remove(all[3].id) }
    #expect(world.network.run(atMost: .seconds(60)) { changes(all[2]).contains(.loaded) })
    #expect(folder.bytes("file") == bytes)
    #expect(all[3].attachments.last?.change == .failed)
    #expect(folder.names == ["file", "never.\(offered).part"])
  }

  /// A disk gives other bytes than were written, and nothing tells: who gives them to others lies without knowing it.
  private func rot(_ name: String) throws {
    var state = stat()
    #expect(stat(folder[name], &state) == 0)
    let file = try #require(FileHandle(forUpdatingAtPath: folder[name]))
    try file.seek(toOffset: 1_000)
    try file.write(contentsOf: Data(repeating: 0, count: 100))
    try file.close()
    let times = [state.st_atim, state.st_mtim]
    #expect(utimensat(AT_FDCWD, folder[name], times, 0) == 0)
  }

  @Test("G41: bytes of a liar are thrown away, it is named to the host, and another one is asked")
  func liar() throws {
    let world = SessionWorld(seed: 206)
    let all = try world.joined(3, path: .lan)
    let bytes = content(100_000)
    let offered = try id(bytes)
    try folder.write(bytes, "film.vtt")
    all[0].do { $0.attach(.file(path: folder["film.vtt"]), name: "film.vtt", type: "", request: 1) }
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]) == [.added] })
    all[1].do { $0.loadAttachment(offered, to: folder["one"]) }
    #expect(world.network.run(atMost: .seconds(20)) { changes(all[1]) == [.added, .loaded] })
    try rot("film.vtt")
    all[2].do { $0.loadAttachment(offered, to: folder["two"]) }
    #expect(world.network.run(atMost: .seconds(20)) { changes(all[2]) == [.added, .forged, .loaded] })
    let forged = try #require(all[2].attachments.first { $0.change == .forged })
    #expect(forged.participant == all[0].id && forged.reason == .forged)
    #expect(all[2].logs.contains { $0.contains("\(all[0].id)") && $0.contains("are not it") })
    #expect(folder.bytes("two") == bytes)
  }

  @Test("G41: where only a liar has it nothing stays on the disk; what its author calls it harms nobody")
  func onlyLiar() throws {
    let world = SessionWorld(seed: 207)
    let all = try world.joined(2, path: .lan)
    try folder.write(content(5_000), "film.vtt")
    all[0].do { $0.attach(.file(path: folder["film.vtt"]), name: "../../etc/passwd", type: "\u{1B}[2J", request: 1) }
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]) == [.added] })
    try rot("film.vtt")
    let offered = all[1].attachments[0].offer.value.id
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(90)) { changes(all[1]) == [.added, .forged, .failed] })
    #expect(all[1].attachments.last?.reason == .forged && folder.names == ["film.vtt"])
  }

  /// Offers a content with a length that it does not have, as if it had been the first.
  private func offer(_ id: AttachmentID, size: UInt64, by liar: SessionPlayer, in world: SessionWorld) throws {
    let time = try #require(liar.groupTime(at: world.network.trueTime))
    let value = AttachmentValue(id: id, name: "lie", type: "", size: size)
    let statement = Statement(
      key: .attachment(AttachmentSlot(author: liar.id, number: 0)), author: liar.id, policy: .none, time: time.adding(.seconds(-20)),
      value: .attachment(value))
    liar.do { engine in engine.perform { $0.send(.update([statement]), to: nil, now: liar.machine.now) } }
  }

  @Test("G69: who offers a content with another length gets nobody who has it called a liar, and is named", arguments: [-40_000, -1, 1])
  func length(difference: Int) throws {
    let world = SessionWorld(seed: 221)
    let all = try world.joined(3, path: .lan)
    let bytes = content(100_000)
    let offered = try id(bytes)
    world.network.run(for: .seconds(25))
    attach(bytes, by: all[0])
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]) == [.added] })
    try offer(offered, size: UInt64(bytes.count + difference), by: all[2], in: world)
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[0]) == [.added, .lost] })
    let lost = try #require(all[0].attachments.last)
    #expect(lost.reason == .forged && lost.participant == all[2].id && lost.message.contains("which is not so"))
    attach(bytes, by: all[0], request: 2)
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[0]) == [.added, .lost, .failed] })
    #expect(all[0].attachments.last?.request == 2 && all[0].attachments.last?.reason == .forged)
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(90)) { changes(all[1]) == [.added, .failed] })
    #expect(all[1].attachments.last?.reason == .notFound && folder.names == [])
    // Once the liar is put out all is as it was.
    all[0].do { $0.remove(all[2].id) }
    #expect(world.network.run(atMost: .seconds(60)) { all[1].engine.listedAttachments.first?.offer.slot.author == all[0].id })
    world.network.run(for: .seconds(5))
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(60)) { folder.bytes("file") == bytes })
  }

  @Test("G44: a file that is there is not replaced, and neither is one that comes meanwhile")
  func occupied() throws {
    let world = SessionWorld(seed: 208)
    let all = try world.joined(2, path: .lan)
    let (bytes, offered) = try offer(200_000, by: all[0], in: world)
    try folder.write([1], "there")
    all[1].do { $0.loadAttachment(offered, to: folder["there"]) }
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]) == [.added, .failed] })
    all[1].do { $0.loadAttachment(offered, to: folder["later"]) }
    #expect(world.network.run(atMost: .seconds(5)) { folder.names.contains("later.\(offered).part") })
    try folder.write([2], "later")
    #expect(world.network.run(atMost: .seconds(20)) { changes(all[1]) == [.added, .failed, .failed] })
    #expect(folder.bytes("there") == [1] && folder.bytes("later") == [2] && folder.names == ["later", "there"])
    #expect(all[1].attachments.last?.reason == .exists)
  }

  @Test("G44: a file that changes after it was offered is not given any more, and its host is told")
  func changed() throws {
    let world = SessionWorld(seed: 209)
    let all = try world.joined(2, path: .lan)
    try folder.write(content(50_000), "film.vtt")
    all[0].do { $0.attach(.file(path: folder["film.vtt"]), name: "film.vtt", type: "", request: 1) }
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]) == [.added] })
    try folder.write(content(50_001, seed: 2), "film.vtt")
    let offered = all[1].attachments[0].offer.value.id
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(90)) { changes(all[1]) == [.added, .failed] })
    #expect(changes(all[0]) == [.added, .lost] && all[1].attachments.last?.reason == .notFound)
    #expect(folder.names == ["film.vtt"])
  }

  @Test("G44: no file, a folder, a pipe and one that is too large are refused with the reason")
  func unusable() throws {
    let world = SessionWorld(seed: 210)
    let all = try world.joined(2, path: .lan)
    mkfifo(folder["pipe"], 0o600)
    #expect(FileManager.default.createFile(atPath: folder["large"], contents: nil))
    truncate(folder["large"], 100_000_001)
    for (number, name) in ["nothing", "", "pipe", "large"].enumerated() {
      all[0].do { $0.attach(.file(path: folder[name]), name: "x", type: "", request: UInt64(number + 1)) }
    }
    #expect(world.network.run(atMost: .seconds(5)) { all[0].attachments.count == 4 })
    #expect(all[0].attachments.map(\.reason) == [.file, .file, .file, .tooBig] && all[0].attachments.map(\.request) == [1, 2, 3, 4])
    #expect(all[1].attachments.isEmpty)
  }

  @Test("G35: the seventeenth offer of one is refused with its reason; one taken back makes room")
  func full() throws {
    let world = SessionWorld(seed: 211)
    let all = try world.joined(2, path: .lan)
    for number in 1...17 as ClosedRange<UInt64> {
      attach([UInt8(number)], by: all[0], request: number)
      world.network.run(for: .milliseconds(100))
    }
    world.network.run(for: .seconds(3))
    #expect(changes(all[0]).count { $0 == .added } == 16 && changes(all[1]).count { $0 == .added } == 16)
    #expect(all[0].attachments.last?.reason == .full && all[0].attachments.last?.request == 17)
    all[1].do { $0.removeAttachment(all[1].engine.listedAttachments[4].offer.value.id) }
    world.network.run(for: .seconds(1))
    attach([200], by: all[0], request: 18)
    #expect(world.network.run(atMost: .seconds(3)) { all[1].engine.listedAttachments.last?.offer.value.size == 1 && changes(all[1]).count == 18 })
    #expect(changes(all[1]).count { $0 == .removed } == 1 && all[0].attachments.last?.request == 18)
  }

  @Test("G35: the same content offered twice, and by two at once, is offered once; each call is answered")
  func twice() throws {
    let world = SessionWorld(seed: 214)
    let all = try world.joined(2, path: .lan)
    all[0].do {
      $0.attach(.bytes([5]), name: "one", type: "", request: 1)
      $0.attach(.bytes([5]), name: "two", type: "", request: 2)
    }
    attach([5], "three", by: all[1], request: 1)
    world.network.run(for: .seconds(2))
    attach([5], "four", by: all[1], request: 2)
    world.network.run(for: .seconds(2))
    #expect(all[0].attachments.map(\.request) == [1, 2] && all[1].attachments.map(\.request) == [1, 2])
    for player in all {
      #expect(changes(player).allSatisfy { $0 == .added } && player.engine.listedAttachments.map(\.isHeld) == [true])
    }
  }

  @Test("G37: what a participant offers outlives that it was alone, and its group's being another one")
  func alone() throws {
    let world = SessionWorld(seed: 212)
    let all = try world.joined(3, path: .lan)
    attach([1, 2, 3], by: all[2])
    world.network.run(for: .seconds(1))
    world.split([all[2]], Array(all[0...1]))
    world.network.run(for: .seconds(100))
    world.mend([all[2]], Array(all[0...1]))
    world.network.run(for: .seconds(100))
    for player in all { #expect(player.engine.listedAttachments.count == 1) }
    let offered = try id([1, 2, 3])
    all[0].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(10)) { folder.bytes("file") == [1, 2, 3] })
  }

  @Test("G36: what was taken back while a call to load it, or to take it back, was on its way is told, and not passed over")
  func late() throws {
    let world = SessionWorld(seed: 213)
    let all = try world.joined(2, path: .lan)
    let gone = try id([9])
    all[1].do {
      $0.loadAttachment(gone, to: folder["file"])
      $0.removeAttachment(gone)
    }
    world.network.run(for: .seconds(1))
    #expect(all[1].refusals.map(\.operation) == [.loadAttachment, .removeAttachment] && folder.names == [])
  }

  /// One that loads gets so many bytes of it, and its process dies.
  private func die(_ player: SessionPlayer, loading id: AttachmentID, _ name: String, at bytes: UInt64, in world: SessionWorld) {
    player.do { $0.loadAttachment(id, to: folder[name]) }
    #expect(world.network.run(atMost: .seconds(60)) { player.attachments.last?.transferred ?? 0 > bytes })
    player.machine.kill()
  }

  private func progress(_ player: SessionPlayer) -> [UInt64] {
    player.attachments.filter { $0.change == .progress }.map(\.transferred)
  }

  @Test("G65: the process that loads dies in the middle: a new one goes on where it was")
  func process() throws {
    let world = SessionWorld(seed: 215)
    let all = try world.joined(2, path: .lan)
    let (bytes, offered) = try offer(900_000, by: all[0], in: world)
    die(all[1], loading: offered, "dead", at: 400_000, in: world)
    #expect(folder.names == ["dead.\(offered).part"])
    // What dies here is not this process, which still has the file open.
    try FileManager.default.copyItem(atPath: folder["dead.\(offered).part"], toPath: folder["file.\(offered).part"])
    let late = try world.guest(of: all[0], named: "Zoe", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { !late.attachments.isEmpty })
    let sent = all[0].engine.statistics.bytesSent
    late.do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(30)) { changes(late) == [.added, .loaded] })
    #expect(folder.bytes("file") == bytes && folder.names == ["dead.\(offered).part", "file"])
    #expect(progress(late).first ?? 0 > 400_000 && progress(late) == progress(late).sorted())
    #expect(all[0].engine.statistics.bytesSent - sent < 650_000)
  }

  @Test("G65: who leaves in the middle finds what came, unless loading was ended before")
  func leaving() throws {
    let world = SessionWorld(seed: 216)
    let all = try world.joined(3, path: .lan)
    let (bytes, offered) = try offer(900_000, by: all[0], in: world)
    for player in all[1...] { player.do { $0.loadAttachment(offered, to: folder[player.name]) } }
    #expect(world.network.run(atMost: .seconds(60)) { all[1...].allSatisfy { $0.attachments.last?.transferred ?? 0 > 200_000 } })
    all[1].do { $0.leave() }
    all[2].do {
      $0.cancelAttachment(offered)
      $0.leave()
    }
    #expect(world.network.run(atMost: .seconds(5)) { all[1...].allSatisfy { changes($0) == [.added, .failed] } })
    #expect(world.network.run(atMost: .seconds(5)) { folder.names == ["Ben1.\(offered).part"] })
    #expect(Array(bytes.prefix(folder.bytes("Ben1.\(offered).part")?.count ?? 0)) == folder.bytes("Ben1.\(offered).part"))
  }

  @Test("G66: what an earlier load left was tampered with: its host is told, nobody is blamed, and it comes whole")
  func tampered() throws {
    let world = SessionWorld(seed: 217)
    let all = try world.joined(2, path: .lan)
    let (bytes, offered) = try offer(200_000, by: all[0], in: world)
    try folder.write(Array(bytes.prefix(100_000)).map { $0 ^ 1 }, "file.\(offered).part")
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(30)) { changes(all[1]) == [.added, .forged, .loaded] })
    let forged = try #require(all[1].attachments.first { $0.change == .forged })
    #expect(forged.participant == .none && forged.message.contains("earlier load"))
    #expect(progress(all[1]).first == 100_000 && folder.bytes("file") == bytes && folder.names == ["file"])
  }

  @Test("G67: what is no file of this user's alone is not taken for what an earlier load left, and stays as it is")
  func places() throws {
    let world = SessionWorld(seed: 218)
    let all = try world.joined(2, path: .lan)
    let (bytes, offered) = try offer(5_000, by: all[0], in: world)
    func part(_ name: String) -> String { "\(name).\(offered).part" }
    try folder.write([1], "other")
    #expect(symlink(folder["other"], folder[part("link")]) == 0)
    #expect(symlink(folder["nowhere"], folder[part("dangling")]) == 0)
    #expect(mkfifo(folder[part("pipe")], 0o600) == 0 && mkdir(folder[part("folder")], 0o700) == 0)
    #expect(link(folder["other"], folder[part("second")]) == 0)
    try folder.write([2], part("shared"))
    #expect(chmod(folder[part("shared")], 0o666) == 0)
    try folder.write(content(5_001, seed: 2), part("long"))
    var expected = [
      ("link", "symbolic link"), ("dangling", "symbolic link"), ("pipe", "no file"), ("folder", "no file"), ("second", "another name"),
      ("shared", "other users"), ("long", "more bytes"),
    ]
    // Only who is root can give files away.
    if geteuid() == 0 {
      try folder.write([3], part("foreign"))
      #expect(chown(folder[part("foreign")], 65_534, 65_534) == 0)
      expected.append(("foreign", "another user"))
    }
    let before = folder.names
    for (number, (name, reason)) in expected.enumerated() {
      all[1].do { $0.loadAttachment(offered, to: folder[name]) }
      #expect(world.network.run(atMost: .seconds(5)) { changes(all[1]).count == number + 2 }, "\(name)")
      let failed = try #require(all[1].attachments.last)
      #expect(failed.reason == .file && failed.message.contains(reason), "\(name): \(failed.message)")
    }
    #expect(folder.names == before && folder.bytes("other") == [1] && folder.bytes(part("shared")) == [2])
  }

  @Test("G67: two load to one place: the second is told that another load writes it, and the first comes whole")
  func both() throws {
    let world = SessionWorld(seed: 219)
    let all = try world.joined(3, path: .lan)
    let (bytes, offered) = try offer(400_000, by: all[0], in: world)
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(30)) { all[1].attachments.last?.transferred ?? 0 > 100_000 })
    all[2].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(5)) { changes(all[2]) == [.added, .failed] })
    #expect(all[2].attachments.last?.reason == .busy)
    #expect(world.network.run(atMost: .seconds(30)) { changes(all[1]) == [.added, .loaded] })
    #expect(folder.bytes("file") == bytes && folder.names == ["file"])
  }

  @Test("G67: a .part that is taken away while it comes fails with that, and nothing is put in its place")
  func takenAway() throws {
    let world = SessionWorld(seed: 220)
    let all = try world.joined(2, path: .lan)
    let (bytes, offered) = try offer(400_000, by: all[0], in: world)
    all[1].do { $0.loadAttachment(offered, to: folder["file"]) }
    #expect(world.network.run(atMost: .seconds(30)) { all[1].attachments.last?.transferred ?? 0 > 100_000 })
    try FileManager.default.removeItem(atPath: folder["file.\(offered).part"])
    try folder.write([7], "file.\(offered).part")
    #expect(world.network.run(atMost: .seconds(30)) { changes(all[1]) == [.added, .failed] })
    #expect(all[1].attachments.last?.message.contains("replaced") == true)
    #expect(folder.names == ["file.\(offered).part"] && folder.bytes("file.\(offered).part") == [7])
  }
}
