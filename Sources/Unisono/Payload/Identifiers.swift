import CUnisono
import UnisonoBase

extension unisono_participant_id {
  init(_ id: ParticipantID) {
    self.init()
    let bytes = id.bytes
    withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: bytes) }
  }
}
