// Types of unisono.js. Item times and durations are seconds; host times are ms of the page's `performance.now()`.

export type Role = "viewer" | "member" | "host" | "owner"
/** Who may command: everyone, hosts and owners, or all but viewers. */
export type ControlPolicy = "everyone" | "hosts-only" | "per-role"
export type ReadyWord = "not-said" | "ready" | "not-ready"
/** Which starts wait until all people on the item say that they are ready: none, the first of an item, every one from a pause. */
export type StartRule = "at-once" | "first-when-ready" | "when-ready"
/** What the running group does when somebody who was on the item leaves. */
export type LeavingRule = "go-on" | "pause"
export type RangeKind = "intro" | "recap" | "credits" | "other"
export type SplitKind = "unheard" | "deaf" | "unreadable"
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
  /** How far its copy is ahead of the group's item time, s. */
  cutOffset: number
  /** The status of the C header, below 0, with which its player failed, while it is suspended for that; 0: none. */
  failure: number
  /** It was not ready for two starts in a row, and none waits for it until it was ready for one. */
  isGivenUp: boolean
  /**
   * In which ways it and this participant do not hear each other: others alone hear it ("unheard"), it hears others alone ("deaf"),
   * nothing of it can be read here ("unreadable"). Empty: in none that is known.
   */
  split: SplitKind[]
}

export interface Timing {
  status: "none" | "paused" | "waiting" | "playing"
  /** "seek", "range": the group jumped, which `undoJump` takes back. "left": it is paused because the originator left. */
  cause?: string
  originator?: string | null
  item?: string | null
  rate?: number
  itemTime?: number | null
  hostTime?: number | null
  /** When waiting ends at the latest. */
  deadline?: number | null
  /** Reason "not-ready": its person has not said that it is ready, and `startWithout` goes on without it. */
  waitingFor: { participant: string; reason: string }[]
}

/** What starts of the whole session wait for beside players. */
export interface StartPolicy {
  start: StartRule
  /** How long a start waits for who does not get ready, s. */
  limit: number
  leaving: LeavingRule
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

/** A part of an entry that the group may leave out, s of the group's item time; it lasts at least 1 s. */
export interface SkipRange {
  begin: number
  /** The first moment that is not of it. */
  end: number
  kind: RangeKind
}

export interface PlaylistEntry {
  id: string
  item: string
  title: string
  /** How to recognise a copy of it; null: not said. */
  copy: Copy | null
  /** Where somebody says that it can be had. Never load one that nobody here chose. */
  addresses: string[]
  /** In their order. */
  ranges: SkipRange[]
}

export interface Playlist {
  current: string | null
  entries: PlaylistEntry[]
}

export type ActivityType =
  | "generic" | "watch-together" | "listen-together" | "play-together" | "create-together" | "explore-together" | "learn-together"
  | "read-together" | "shop-together" | "workout-together"

/** What the group does together. What others wrote is untrusted. */
export interface Activity {
  /** Reverse-DNS, 1...255 bytes. */
  identifier: string
  /** Unless given "generic". */
  type?: ActivityType
  title?: string | null
  subtitle?: string | null
  /** Where it is found without this program. */
  address?: string | null
  /** The application's own, at most 64 KiB; comes as bytes. */
  payload?: Uint8Array | string
  /** PNG, JPEG or WebP as it is, at most 64 KiB; empty: none. */
  image?: Uint8Array
  /** The session ends when who set it leaves. */
  endsWithInitiator?: boolean
  /** A device that finds it under way may go on with it. */
  supportsContinuation?: boolean
}

/** As the group has it. */
export interface GroupActivity extends Required<Activity> {
  payload: Uint8Array
  /** null: this participant. */
  originator: string | null
}

export interface Message {
  sender: string
  /** What the data is, as its sender says; null: not said. */
  type: string | null
  /** Of the type; 0 without one. */
  version: number
  isReliable: boolean
  data: Uint8Array
}

/** What identifies the copy of an item that somebody has. */
export interface Copy {
  /** s; null: not known. */
  duration?: number | null
  /** Bytes; null: not known. */
  size?: number | null
  /** Of samples of the file, 64 hexadecimal digits; null: not known. */
  hash?: string | null
}

/** Another's copy of the current entry, compared with the own one as far as both are known. */
export interface CopyComparison {
  participant: string
  entry: string
  /** Empty: nothing. */
  differs: ("duration" | "size" | "hash")[]
  /** Another file, as long as the own one. */
  isSameLength: boolean
  copy: Copy
  /** One sentence for people. */
  message: string
}

export type RequestKind = "pause" | "play" | "seek"

/** Somebody who may not command asks this participant ("open": call `answer`), or what became of that. */
export interface CommandRequest {
  asker: string
  /** The asker's own. */
  number: number
  kind: RequestKind
  item: string
  itemTime: number | null
  /** Untrusted: show it as text. */
  text: string | null
  status: "open" | "granted" | "declined" | "unanswered"
  answerer: string | null
}

export interface ScheduledStart {
  item: string
  /** ms of this page's `performance.now()`. */
  hostTime: number
  /** ms since 1970, by the clock of who scheduled it; null: not said. */
  calendarTime: number | null
  /** How far the host time may be wrong, s. */
  errorBound: number
  /** null: this participant. */
  originator: string | null
}

export interface Attachment {
  /** Hash of the content, 64 hexadecimal digits; null: it was never offered. */
  id: string | null
  owner: string | null
  /** Bytes. */
  size: number
  /** Could be that of a file. */
  name: string
  /** Such as "image/png", as its owner says: never have a page shown by it. */
  type: string
  /** All of it is here, and others are given it. */
  isHeld: boolean
}

export interface AttachmentChange {
  /** "forged": bytes that came were not it, and are asked of others; "lost": what is here is given to nobody any more. */
  change: "added" | "removed" | "progress" | "loaded" | "failed" | "forged" | "lost"
  attachment: Attachment
  /** Of the own `offer`; 0: of none. */
  request: number
  /** Bytes that are here. */
  transferred: number
  /** Whose bytes were not it; null: nobody knows. */
  participant: string | null
  /** Why it failed; null: it did not. */
  code: string | null
  message: string
}

/** What somebody did, or says to all, for people. */
export interface Notice {
  /** "left-waiting": the group went on without the originator. "range-skipped": nobody's doing. */
  kind:
    | "custom" | "played" | "paused" | "skipped" | "rate-changed" | "item-changed" | "queue-changed" | "left-waiting" | "range-skipped"
  /** How far it was, s; below 0: back. */
  amount: number | null
  rate: number
  /** Untrusted: show it as text. */
  text: string | null
  /** Where it led. */
  itemTime: number | null
  originator: string | null
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
  /** What holds for the whole session is another now, whoever set it. */
  settings: { startPolicy: StartPolicy; skippedRanges: RangeKind[] }
  timing: Timing
  playlist: Playlist & { entriesChanged: boolean; currentChanged: boolean; isByEnd: boolean; originator: string | null }
  /** `identifier` null: there is none any more. */
  activity: Omit<GroupActivity, "identifier"> & { identifier: string | null }
  chat: ChatEntry
  reaction: ChatEntry
  message: Message
  /** There is room again for messages after one was refused. */
  writable: Record<string, never>
  copy: CopyComparison
  request: CommandRequest
  /** `remaining`: s. */
  schedule: { change: "set" | "canceled" | "remaining" | "due"; start: ScheduledStart; remaining: number }
  attachment: AttachmentChange
  notice: Notice
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
  outside?: { clock?: object; socket?: Function; network?: object }
  /** What `session.continuation` gave on another day, and the key that it was sealed with. */
  continuation?: Uint8Array
  continuationKey?: Uint8Array
  /** How old it may be, s; unless given, 90 days. */
  continuationAge?: number
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
  /** The session's: whoever may command sets it, the newest counts. */
  readonly startPolicy: StartPolicy
  /** What the group leaves out of entries that say where it is; set as the start policy is. */
  readonly skippedRanges: RangeKind[]
  readonly timing: Timing
  readonly playlist: Playlist
  readonly activity: GroupActivity | null
  /** What is offered to the group, in the order in which it was. */
  readonly attachments: Attachment[]
  /** A start that is still to come. */
  readonly scheduledStart: ScheduledStart | null
  /** By when it was said; the newest 200. */
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
  /**
   * `limit`: s, at most 600; unless given, 60. In the moment after joining, before group time is known, it waits for that.
   */
  setStartPolicy(policy: { start: StartRule; limit?: number; leaving?: LeavingRule }): Promise<void>
  /**
   * The start that waits goes on without the people of these participants, at most 16, or without waiting for anybody to be ready; players
   * are still waited for. "ESTATE": no start waits for people.
   */
  startWithout(ids?: string[]): Promise<void>
  /**
   * Takes the last jump back, whoever made it: all go to where the group was before; once more, and they are where it led. "ESTATE": nobody
   * jumped since this participant is on the item.
   */
  undoJump(): Promise<void>
  /** All go on at the end of such a range at once; none given: nothing is left out. */
  setSkippedRanges(kinds: RangeKind[]): Promise<void>
  /** `type`: what the data is, 1...127 bytes; `version`: of the type, 0...4,294,967,295. Receivers tell messages apart by them. */
  send(
    data: Uint8Array | string, options?: { to?: string[]; isReliable?: boolean; type?: string | null; version?: number }
  ): Promise<void>
  activate(activity: Activity): Promise<void>

  setRole(id: string, role: Role): Promise<void>
  setControl(control: ControlPolicy): Promise<void>
  setClosed(isClosed: boolean): Promise<void>
  remove(id: string): Promise<void>

  /** `copy`: how to recognise one of it; `addresses`: where it can be had, at most 8; `before`: an entry; unless given, at the end. */
  addEntry(entry: {
    item: string; title?: string; copy?: Copy | null; addresses?: string[]; before?: string; ranges?: SkipRange[]
  }): Promise<void>
  moveEntry(id: string, options?: { before?: string }): Promise<void>
  removeEntry(id: string): Promise<void>
  selectEntry(id: string): Promise<void>
  nextEntry(options?: { follows?: string }): Promise<void>

  /** Asks those who may command; done when one of them granted it or all declined, or nobody answered within 30 s. */
  ask(kind: RequestKind, options?: { itemTime?: number; text?: string }): Promise<"granted" | "declined" | "unanswered">
  /** Answers a `request` that is "open"; granted, it is carried out. */
  answer(request: { asker: string; number: number }, isGranted: boolean): Promise<void>

  /**
   * Everybody on the item begins at a time of day, by the clock of this device, or at a host time; at most 7 days ahead. The group
   * prepares 3 s before; who commands from then on has decided otherwise.
   */
  scheduleStart(start: { item: string } & ({ at: Date | number } | { hostTime: number })): Promise<void>
  cancelStart(): Promise<void>
  /**
   * How far away the scheduled start is, s, by the group's clock, whatever the device's own says; null: none is to come, or that clock is
   * not known. After the device slept it is right again once clocks were compared, within seconds: `hostTime` of `scheduledStart` is not.
   */
  untilStart(): Promise<number | null>

  /** What identifies a file of this device; three parts of it are read. */
  copyOf(file: Blob): Promise<Copy>
  /** Which copy plays here of an entry; "": none any more. Who goes on to another entry says it anew. */
  setCopy(entry: string, copy?: Copy): Promise<void>
  /** How far the own copy of an entry is ahead of the group's item time, s; unless given, of the entry that the group is at. */
  setCutOffset(offset: number, options?: { entry?: string }): Promise<void>

  /** At most 100,000,000 bytes, kept in memory for as long as they are offered; a `File` has a name and a type of its own. */
  offer(data: Blob | Uint8Array, options?: { name?: string; type?: string }): Promise<Attachment>
  /** The bytes, compared with their hash; what is loaded is given to others, too. */
  loadAttachment(id: string, options?: { signal?: AbortSignal }): Promise<Uint8Array>
  cancelAttachment(id: string): Promise<void>
  /** Takes it back for all: who offers it may, and who may command. */
  removeAttachment(id: string): Promise<void>

  /** What `Session.open` and `Session.host` go on from on another day, as this participant; a secret, sealed with 16...1,024 bytes. */
  continuation(key: Uint8Array): Promise<Uint8Array>

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

/** How it is with an audience that this page listens to, all of it: the newest counts. */
export interface AudienceState {
  /** "silent": nobody of the group has spoken for 15 s, and what was heard last goes on; "over": it was closed, or cannot be listened to. */
  status: "connecting" | "following" | "silent" | "over"
  /** How many listen, this page included, to two digits; the hub's word; 0: not known. */
  listeners: number
  /** That who speaks for the group is at; null: none, or not known. Where the page's player has another one, load it. */
  item: string | null
  /** For people; may be empty. */
  reason: string
  /** What who speaks signed contradicts the hub's time: what plays here is not where the group is. `reason` says by how much. */
  isDoubted: boolean
  /**
   * By how much the player may be before the group at most, s, whatever the hub says of the time, and by how much after it; null: nothing
   * bounds it on that side yet.
   */
  ahead: number | null
  behind: number | null
  /** By which one may react, and how many did in the last 10 s, to two digits. */
  reactions: { text: string; count: number }[]
}

export interface ListenerEvents extends Pick<SessionEvents, "participants" | "timing" | "activity" | "suspensions" | "refused" | "log"> {
  audience: AudienceState
  /** A host lets this listener into the session, as it asked for: `Session.open`. The invite is a secret. */
  invited: { invite: string }
}

/** A place in an audience: what the group does is heard and played, and nothing commanded. Nobody sees who listens. */
export class Listener extends EventTarget {
  /** Listens by a link of an audience, or an address that has it behind its "#". */
  static open(link: string, options?: Pick<Options, "deviceName" | "wasm" | "outside" | "signal">): Promise<Listener>

  readonly state: AudienceState
  /** Those of the group who speak in the audience, and this page. */
  readonly participants: Participant[]
  readonly timing: Timing
  /** null: none, not known, or too long for an audience. */
  readonly activity: GroupActivity | null
  readonly player: Player | null

  /** Puts a media element in step with the group; one at a time. */
  attach(element: HTMLMediaElement): Promise<Player>
  /** Asks the hosts for an invite into the session, at most 255 bytes, once in 5 s; whether anybody reads it is not known. */
  askToSpeak(text?: string): Promise<void>
  /** Says something to the hosts, as above. */
  sayToHosts(text: string): Promise<void>
  /** One of `state.reactions`, once a second; counted, and nobody is told whose it was. */
  react(text: string): Promise<void>
  /** Leaves, and lets go of everything. */
  close(): Promise<void>

  addEventListener<Name extends keyof ListenerEvents>(
    type: Name, listener: (event: CustomEvent<ListenerEvents[Name]>) => void, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void
}

export class Player extends EventTarget {
  /** What it plays along with. */
  readonly session: Session | Listener
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
