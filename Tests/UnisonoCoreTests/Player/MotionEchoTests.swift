import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoPlayer

@Suite struct MotionEchoTests {
  private static func ms(_ count: Int64) -> HostTime { .milliseconds(count) }

  private static func command(
    _ kind: RendererCommand.Kind, _ request: UInt64, rate: Double = 1
  ) -> RendererCommand {
    RendererCommand(kind: kind, request: request, item: ItemID("film"), rate: rate)
  }

  @Test("F18: what a player was commanded is an echo, the opposite a wish, and back again an echo")
  func pause() {
    var echo = MotionEcho()
    #expect(echo.isWish(.running, 0, now: 0) == false)  // it stands from the start
    echo.expect(.running, 1, now: 0)
    #expect(echo.isWish(.running, 1, now: Self.ms(5)) == false)
    #expect(echo.isWish(.running, 0, now: Self.ms(10)) == true)  // at once after the echo
    #expect(echo.isWish(.running, 1, now: Self.ms(12)) == false)  // set back
    #expect(echo.isWish(.running, 0, now: Self.ms(20)) == true)  // once more
    echo.expect(.running, 0, now: Self.ms(21))  // granted
    #expect(echo.isWish(.running, 0, now: Self.ms(22)) == false)
    #expect(echo.isWish(.running, 1, now: Self.ms(60_000)) == true)
  }

  @Test("F18: echoes that come late and in a row are none of the person's")
  func late() {
    var echo = MotionEcho()
    echo.expect(.running, 1, now: Self.ms(0))
    echo.expect(.running, 0, now: Self.ms(10))
    echo.expect(.running, 1, now: Self.ms(20))
    #expect(echo.isWish(.running, 1, now: Self.ms(150)) == false)
    #expect(echo.isWish(.running, 0, now: Self.ms(151)) == false)
    #expect(echo.isWish(.running, 1, now: Self.ms(152)) == false)
    #expect(echo.isWish(.running, 0, now: Self.ms(153)) == true)
  }

  @Test("F18: of commands that come out as one the echoes that never came are forgotten")
  func coalesced() {
    var echo = MotionEcho()
    echo.expect(.running, 1, now: Self.ms(0))
    echo.expect(.running, 0, now: Self.ms(10))
    #expect(echo.isWish(.running, 0, now: Self.ms(11)) == false)
    #expect(echo.isWish(.running, 1, now: Self.ms(400)) == true)
    var other = MotionEcho()
    other.expect(.running, 1, now: Self.ms(0))
    other.expect(.running, 0, now: Self.ms(10))
    #expect(other.isWish(.running, 1, now: Self.ms(300)) == false)  // an echo still
    var third = MotionEcho()
    third.expect(.running, 1, now: Self.ms(0))
    third.expect(.running, 0, now: Self.ms(10))
    #expect(third.isWish(.running, 1, now: Self.ms(301)) == true)
  }

  @Test("F18: a player that is asked again and again, and starts late, wishes nothing by that")
  func polled() {
    var echo = MotionEcho()
    echo.expect(.running, 1, now: 0)
    for time in stride(from: Self.ms(100), through: Self.ms(2_000), by: 100_000_000) {
      #expect(echo.isWish(.running, 0, now: time) == false)
    }
    #expect(echo.isWish(.running, 1, now: Self.ms(2_100)) == false)
    #expect(echo.isWish(.running, 0, now: Self.ms(2_200)) == true)
    #expect(echo.isWish(.running, 0, now: Self.ms(2_300)) == false)  // said again: one wish
  }

  @Test("F18: a speed of the person's is a wish; rounded, nudged and set back it is not")
  func speed() {
    var echo = MotionEcho()
    #expect(echo.isWish(.rate, 1, now: 0) == false)
    echo.expect(Self.command(.play, 1), now: 0)
    echo.expect(Self.command(.nudge, 2, rate: 1.02), now: Self.ms(1_000))
    #expect(echo.isWish(.rate, Double(Float(1.02)), now: Self.ms(1_001)) == false)
    #expect(echo.isWish(.rate, 1.122, now: Self.ms(5_000)) == true)
    #expect(echo.isWish(.rate, 1.02, now: Self.ms(5_001)) == false)
    echo.expect(Self.command(.play, 3, rate: 1.1), now: Self.ms(5_010))
    #expect(echo.isWish(.rate, 1.1, now: Self.ms(5_011)) == false)  // a renderer that ends the nudge
    #expect(echo.isWish(.rate, 1.122, now: Self.ms(5_012)) == false)  // one that keeps it
    #expect(echo.isWish(.rate, 1, now: Self.ms(9_000)) == true)
  }

  @Test("F18: a seek is the person's when none was commanded, or the last one is over and its echo past")
  func seek() {
    var echo = MotionEcho()
    #expect(echo.isWish(.seeking, 1, now: 0) == true)
    #expect(echo.isWish(.seeking, 0, now: Self.ms(50)) == true)  // the person's is over
    echo.expect(Self.command(.seek, 7), now: Self.ms(1_000))
    #expect(echo.isWish(.seeking, 1, now: Self.ms(1_010)) == false)
    echo.answered(6, now: Self.ms(1_015))  // of an older command
    #expect(echo.isWish(.seeking, 1, now: Self.ms(5_000)) == false)
    echo.answered(7, now: Self.ms(5_000))
    #expect(echo.isWish(.seeking, 0, now: Self.ms(5_001)) == false)
    #expect(echo.isWish(.seeking, 1, now: Self.ms(5_002)) == true)
    echo.expect(Self.command(.cue, 8), now: Self.ms(5_010))  // a command replaces the person's
    echo.answered(8, now: Self.ms(5_020))
    #expect(echo.isWish(.seeking, 1, now: Self.ms(5_310)) == false)  // the echo comes when it is over
    #expect(echo.isWish(.seeking, 0, now: Self.ms(5_311)) == false)
    #expect(echo.isWish(.seeking, 1, now: Self.ms(5_312)) == true)
  }

  @Test("F18: a person's seek is one at once where the host has said that the commanded one is over")
  func seekOver() {
    var echo = MotionEcho()
    echo.expect(Self.command(.cue, 1), now: 0)
    echo.answered(1, now: Self.ms(1))
    var other = echo
    #expect(other.isWish(.seeking, 1, now: Self.ms(10)) == false)  // its echo, late
    echo.expect(.seeking, 0, now: Self.ms(1))
    #expect(echo.isWish(.seeking, 1, now: Self.ms(10)) == true)
  }

  @Test("F18: a seek whose end is never said does not swallow wishes for ever")
  func forgotten() {
    var echo = MotionEcho()
    echo.expect(.seeking, 1, now: 0)
    #expect(echo.isWish(.seeking, 1, now: .seconds(10)) == false)
    #expect(echo.isWish(.seeking, 1, now: .seconds(10) + 1) == true)
  }

  @Test("F18: what a renderer is told is what it echoes, and nothing else is")
  func commands() {
    var echo = MotionEcho()
    echo.expect(Self.command(.load, 1), now: 0)
    #expect(echo.isWish(.seeking, 1, now: 1) == false)
    #expect(echo.isWish(.running, 1, now: 2) == true)  // a player that starts by itself after a load
    echo = MotionEcho()
    echo.expect(Self.command(.play, 2), now: 0)
    #expect(echo.isWish(.running, 1, now: 1) == false)
    for kind in [RendererCommand.Kind.pause, .stop, .cue, .load] {
      echo.expect(Self.command(.play, 3), now: 2)
      #expect(echo.isWish(.running, 1, now: 3) == false)
      echo.expect(Self.command(kind, 4), now: 4)
      #expect(echo.isWish(.running, 0, now: 5) == false)
      #expect(echo.isWish(.running, 1, now: 6) == true)
      #expect(echo.isWish(.running, 0, now: 7) == false)
    }
    echo.expect(Self.command(.volume, 5), now: 8)
    echo.expect(Self.command(.size, 6), now: 8)
    #expect(echo.isWish(.running, 1, now: 9) == true)
  }

  @Test("F18: any number of commands and any time are held within bounds")
  func bounds() {
    var echo = MotionEcho()
    for count in 0..<1_000 { echo.expect(.rate, Double(count), now: .max) }
    #expect(echo.isWish(.rate, 999, now: .max) == false)
    #expect(echo.isWish(.rate, 3, now: .min) == true)
    echo.expect(.seeking, 1, now: .max)
    #expect(echo.isWish(.seeking, 1, now: .min) == false)
    #expect(MemoryLayout<MotionEcho>.size < 200)
  }
}
