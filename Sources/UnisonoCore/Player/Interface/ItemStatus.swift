/// Whether the current item can be played; numbers of `unisono_item_state`.
public enum ItemStatus: Int32, Sendable {
  case unknown = 0, ready, failed
}
