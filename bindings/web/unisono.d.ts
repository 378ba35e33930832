// Types of unisono.js. Item times and durations are seconds; host times are ms of the page's `performance.now()`.

export type Role = "viewer" | "member" | "host" | "owner"
/** Who may command: everyone, hosts and owners, or all but viewers. */
export type ControlPolicy = "everyone" | "hosts-only" | "per-role"
export type ReadyWord = "not-said" | "ready" | "not-ready"
export type Connection = "none" | "connecting" | "connected" | "reconnecting"

/** What calls reject with. `code` is that of the C header without its prefix, "ESTATE"; not there: the page or the network failed. */
export interface UnisonoError extends Error {
  code?: string
}

export interface SessionState {
  status: "waiting" | "joined" | "invalidated"
  connection: Connection
  reason:
    | "none" | "left" | "ended" | "network" | "authentication" | "version" | "full" | "duplicate-key" | "removed" | "protocol"
    | "closed" | "nobody-there"
    /** The engine broke down, which is a defect. */
    | "failed"
  /** One sentence for people; may be empty. */
  message: string
  /** host:port; null: none. */
  hub: string | null
  /** No other participant is in touch. */
  isAlone: boolean
  /** Nobody new is let in. */
  isClosed: boolean
}

export interface Participant {
  /** 32 hexadecimal digits. */
  id: string
  /** Equal for all devices of one person. */
  person: string
  /** Empty until it is known. */
  displayName: string
  deviceName: string
  connection: Connection
  role: Role
  isLocal: boolean
  item: string | null
  /** Why it takes no part; empty: it does. */
  suspensionReasons: string[]
  /** It could start now. */
  isReady: boolean
  /** What its person says of being ready. */
  word: ReadyWord
  rate: number
  itemTime: number | null
  hostTime: number | null
  /** s. */
  roundTrip: number | null
  clockError: number | null
  isSpeaking: boolean
}

export interface Timing {
  status: "none" | "paused" | "waiting" | "playing"
  cause?: string
  originator?: string | null
  item?: string | null
  rate?: number
  itemTime?: number | null
  hostTime?: number | null
  /** When waiting ends at the latest. */
  deadline?: number | null
  waitingFor: { participant: string; reason: string }[]
}

export interface ChatEntry {
  author: string
  number: number
  name: string | null
  /** Untrusted: show it as text. */
  text: string
  isOwn: boolean
  /** It was said before this participant came, or while it was away. */
  isHistory: boolean
  item: string | null
  itemTime: number | null
  hostTime: number | null
}

export interface PlaylistEntry {
  id: string
  item: string
  title: string
  /** Where somebody says that it can be had. Never load one that nobody here chose. */
  addresses: string[]
}

export interface Playlist {
  current: string | null
  entries: PlaylistEntry[]
}

export interface Activity {
  identifier: string
  title?: string | null
  address?: string | null
}

export interface Message {
  sender: string
  type: string | null
  isReliable: boolean
  data: Uint8Array
}

export interface Refusal {
  /** The method whose call was accepted and is refused now. */
  operation: string
  code: string
  message: string
}

export interface SessionEvents {
  state: SessionState
  participants: { participants: Participant[]; joined: string[]; left: string[] }
  rights: { role: Role; control: ControlPolicy; mayCommand: boolean }
  timing: Timing
  playlist: Playlist & { entriesChanged: boolean; currentChanged: boolean; isByEnd: boolean; originator: string | null }
  activity: { identifier: string | null; title: string | null; address: string | null; originator: string | null }
  chat: ChatEntry
  reaction: ChatEntry
  message: Message
  /** There is room again for messages after one was refused. */
  writable: Record<string, never>
  notice: { kind: number; amount: number | null; rate: number; text: string | null; itemTime: number | null; originator: string | null }
  person: { kind: "joined" | "left" | "present" | "elsewhere"; participant: string; name: string; item?: string }
  speaking: { participant: string; isSpeaking: boolean }
  /** Why this player takes no part. */
  suspensions: { reasons: string[] }
  refused: Refusal
  /** Clocks, hubs or participants that should not be trusted, in a sentence for people. */
  warning: { kind: "clock" | "split" | "hub" | "ignored"; message: string; isOver: boolean }
  invite: { text: string }
  /** Levels of the C header: 1 error ... 4 debug. */
  log: { level: number; text: string }
}

export interface Options {
  /** For people, 1...63 bytes. */
  name?: string
  deviceName?: string
  /** Where unisono.wasm is, unless beside unisono.js; or the compiled module, which then runs in this thread. */
  wasm?: string | URL | WebAssembly.Module
  /** What stands in for a browser's clock and WebSockets, in node and in tests. */
  outside?: { clock?: object; socket?: Function }
  /** Ends the session when it is aborted, whenever that is. */
  signal?: AbortSignal
}

export interface HostOptions extends Options {
  /** The line that `unisono hub` prints. */
  hub: string
  control?: ControlPolicy
  activity?: Activity
}

export class Session extends EventTarget {
  /** Opens the session of an invite. It reads along; `join` takes part. */
  static open(invite: string, options?: Options & { role?: Role }): Promise<Session>
  /** Begins a session at a hub. */
  static host(options: HostOptions): Promise<Session>

  /** The own id. */
  readonly local: string
  readonly state: SessionState
  readonly participants: Participant[]
  readonly role: Role
  readonly control: ControlPolicy
  readonly mayCommand: boolean
  readonly timing: Timing
  readonly playlist: Playlist
  readonly activity: Activity | null
  /** By when it was said. */
  readonly chat: ChatEntry[]
  /** What lets others in; a secret. Empty: not known yet. */
  readonly invite: string
  readonly player: Player | null

  /** Takes part; done when it is so, rejects when the session is over. */
  join(options?: { signal?: AbortSignal }): Promise<void>
  leave(): Promise<void>
  end(): Promise<void>
  close(): Promise<void>

  /** 1...2,000 bytes. */
  say(text: string): Promise<void>
  /** 1...32 bytes. */
  react(text: string): Promise<void>
  setSpeaking(isSpeaking: boolean): Promise<void>
  setReady(word: ReadyWord): Promise<void>
  send(data: Uint8Array | string, options?: { to?: string[]; isReliable?: boolean }): Promise<void>
  activate(activity: Activity): Promise<void>

  setRole(id: string, role: Role): Promise<void>
  setControl(control: ControlPolicy): Promise<void>
  setClosed(isClosed: boolean): Promise<void>
  remove(id: string): Promise<void>

  addEntry(entry: { item: string; title?: string; address?: string; before?: string }): Promise<void>
  moveEntry(id: string, options?: { before?: string }): Promise<void>
  removeEntry(id: string): Promise<void>
  selectEntry(id: string): Promise<void>
  nextEntry(options?: { follows?: string }): Promise<void>

  /** Puts a media element in step with the group; one at a time. */
  attach(element: HTMLMediaElement): Promise<Player>

  addEventListener<Name extends keyof SessionEvents>(
    type: Name, listener: (event: CustomEvent<SessionEvents[Name]>) => void, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void
}

export interface PlayerNotice {
  kind: string
  item: string | null
  timeControl: "paused" | "waiting" | "playing"
  waitingReason: string
  itemState: "unknown" | "ready" | "failed"
  rate: number
  rateReason: string
  originator: string | null
  itemTime: number | null
  hostTime: number | null
  outcome: "done" | "cancelled" | "failed"
  status: number
}

export interface PlayerEvents {
  "time-control": PlayerNotice
  rate: PlayerNotice
  "time-jumped": PlayerNotice
  "item-state": PlayerNotice
  "item-ended": PlayerNotice
  "seek-done": PlayerNotice
  /** The browser wants a touch before anything plays: call `allow` in the handler of one. Until then nobody waits for this player. */
  gesture: { isNeeded: boolean }
}

/** s; null: nothing was measured yet. Skew is positive where this player is ahead of the group. */
export interface PlayerStatistics {
  skewLast: number | null
  skewMedian: number | null
  skewP95: number | null
  skewMaximum: number | null
  nudges: number
  seeks: number
  stalls: number
  startLatency: number | null
  roundTrip: number | null
  clockError: number | null
}

export class Player extends EventTarget {
  readonly session: Session
  readonly element: HTMLMediaElement
  readonly timeControl: "paused" | "waiting" | "playing"
  readonly waitingReason: string
  readonly itemState: "unknown" | "ready" | "failed"
  /** As commanded; 0 paused. */
  readonly rate: number
  readonly needsGesture: boolean

  /** `item` is what the group compares; `address`: where this page has it, unless given the element's own source. */
  load(options: { item: string; address?: string; start?: number; duration?: number; isLive?: boolean }): Promise<void>
  clear(): Promise<void>
  /** What the button does: everybody prepares, all start together. */
  play(): Promise<void>
  pause(): Promise<void>
  setRate(rate: number): Promise<void>
  setVolume(volume: number): Promise<void>
  /** Whether the picture is in sight. */
  setShown(isShown: boolean): Promise<void>
  /** The group goes there; done when this element is there. */
  seek(itemTime: number, options?: { before?: number; after?: number }): Promise<"done" | "cancelled" | "failed">
  statistics(): Promise<PlayerStatistics>
  /** In the handler of a click or a key after "gesture". */
  allow(): Promise<void>
  /** Takes no part until `allow`. */
  suspend(): Promise<void>
  /** The element is the page's own again; the session goes on. */
  detach(): Promise<void>

  addEventListener<Name extends keyof PlayerEvents>(
    type: Name, listener: (event: CustomEvent<PlayerEvents[Name]>) => void, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void
}
