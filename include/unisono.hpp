// unisono.hpp: Unisono for C++17, over the C headers and nothing else.
//
// SPDX-License-Identifier: Apache-2.0
//
// What things mean is said in unisono.h, unisono_player.h, unisono_nearby.h and unisono_simulation.h; here is how they look in C++.
//
//     auto context = unisono::Context::create().value();
//     auto session = unisono::Session::open(context, invite).value();
//     unisono::Delegate delegate;
//     delegate.play = [&](const unisono::Command &command) { ... };         // pause, seek, buffer alike
//     auto coordinator = unisono::Coordinator::create(context, delegate).value();
//     coordinator.coordinate_with(session).check();
//     session.join().check();
//     while (running) context.poll().check();
//
// ERRORS. What can fail returns a Result<T> or a Status. value() and check() throw unisono::Error; without exceptions
// (-fno-exceptions, or UNISONO_EXCEPTIONS defined as 0) they say what is wrong on standard error and abort. Who asks
// first (`if (auto session = ...)`) needs neither.
//
// LIFETIMES. Context, Session, Coordinator, Suspension, Player, Surface, Hub, Advertiser and Browser own what they name and
// end it in their destructor; they can be moved and not copied. Any order of ending is safe: what ends with its context is
// closed (calls answer UNISONO_ECLOSED) and its object can go later, or before. A function given as a callback lives until the
// library says that it calls it no more, and is destroyed then, exactly once; capture what it needs by value or make sure
// that it lives as long as the object. Destroying an object from another thread waits for a callback of it that runs.
//
// CALLBACKS run where unisono.h says. An exception does not leave one: it is caught, given to the handler of
// on_escaped_exception, and a command that was being carried out is answered as failed, so that nobody waits for it.
//
// EVENTS are values: a callback and Event, the variant that next_event returns, have copies that can be kept.
//
// TIMES are std::chrono: HostTime is a point of HostClock (the machine's monotonic clock), ItemTime and Duration are
// nanoseconds. A point that is not known is an empty std::optional; UNISONO_TIME_INDEFINITE is Duration::max().
#ifndef UNISONO_HPP
#define UNISONO_HPP

#include <unisono.h>
#include <unisono_nearby.h>
#include <unisono_player.h>
#include <unisono_simulation.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if !defined(UNISONO_EXCEPTIONS)
#  if defined(__cpp_exceptions)
#    define UNISONO_EXCEPTIONS 1
#  else
#    define UNISONO_EXCEPTIONS 0
#  endif
#endif
#if UNISONO_EXCEPTIONS
#  include <exception>
#  include <stdexcept>
#endif

namespace unisono {

// ---- Errors ---------------------------------------------------------------------------------------------------------

#if UNISONO_EXCEPTIONS
/// What value() and check() throw.
class Error : public std::runtime_error {
 public:
  Error(std::int32_t code, const std::string &message) : std::runtime_error(message), code_(code) {}
  /// A unisono_status.
  std::int32_t code() const noexcept { return code_; }

 private:
  std::int32_t code_;
};
#endif

/// How a call went: UNISONO_OK, or an error with a sentence for people.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(std::int32_t code, std::string message) : code_(code), message_(std::move(message)) {}

  /// From what a function of the library returned; to be asked for before this thread's next call.
  static Status of(std::int32_t code) {
    if (code >= 0) return {};
    const char *said = unisono_last_error();
    return {code, said != nullptr && *said != '\0' ? said : unisono_strerror(code)};
  }

  bool ok() const noexcept { return code_ >= 0; }
  explicit operator bool() const noexcept { return ok(); }
  /// A unisono_status.
  std::int32_t code() const noexcept { return code_; }
  /// What was wrong, in which call, how to mend it; empty when nothing was.
  const std::string &message() const noexcept { return message_; }

  /// Throws Error unless all went well.
  void check() const {
    if (ok()) return;
#if UNISONO_EXCEPTIONS
    throw Error(code_, message_);
#else
    std::fprintf(stderr, "unisono: %s\n", message_.c_str());
    std::abort();
#endif
  }

 private:
  std::int32_t code_ = UNISONO_OK;
  std::string message_;
};

/// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {}

  explicit operator bool() const noexcept { return value_.has_value(); }
  const Status &status() const noexcept { return status_; }
  /// Throws Error when there is none.
  void check() const { status_.check(); }
  T &value() & {
    check();
    return *value_;
  }
  const T &value() const & {
    check();
    return *value_;
  }
  T &&value() && {
    check();
    return *std::move(value_);
  }
  T &operator*() & noexcept { return *value_; }
  const T &operator*() const & noexcept { return *value_; }
  T *operator->() noexcept { return &*value_; }
  const T *operator->() const noexcept { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

// ---- Times ----------------------------------------------------------------------------------------------------------

using Duration = std::chrono::nanoseconds;
/// A position on an item's own timeline.
using ItemTime = std::chrono::nanoseconds;

/// The machine's monotonic clock, as unisono_host_time has it.
struct HostClock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Duration;
  using time_point = std::chrono::time_point<HostClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point(Duration(unisono_host_time())); }
};
using HostTime = HostClock::time_point;

namespace detail {
inline std::int64_t lowered(Duration time) noexcept { return time.count(); }
inline std::int64_t lowered(HostTime time) noexcept { return time.time_since_epoch().count(); }
template <class Time>
std::int64_t lowered(const std::optional<Time> &time) noexcept {
  return time ? lowered(*time) : UNISONO_TIME_INVALID;
}
inline HostTime host(std::int64_t time) noexcept { return HostTime(Duration(time)); }
inline std::optional<HostTime> maybe_host(std::int64_t time) noexcept {
  return time == UNISONO_TIME_INVALID ? std::nullopt : std::optional<HostTime>(host(time));
}
inline std::optional<Duration> maybe_time(std::int64_t time) noexcept {
  return time == UNISONO_TIME_INVALID ? std::nullopt : std::optional<Duration>(Duration(time));
}
inline std::string text(const char *given) { return given != nullptr ? std::string(given) : std::string(); }
inline const char *or_null(const std::string &given) noexcept { return given.empty() ? nullptr : given.c_str(); }

inline std::vector<std::byte> bytes(const void *data, std::size_t length) {
  const auto *begin = static_cast<const std::byte *>(data);
  return length == 0 ? std::vector<std::byte>() : std::vector<std::byte>(begin, begin + length);
}
inline std::vector<std::string> texts(const char *const *given, std::size_t count) {
  return std::vector<std::string>(given, given + count);
}
inline std::vector<const char *> pointers(const std::vector<std::string> &texts) {
  std::vector<const char *> found;
  for (const auto &one : texts) found.push_back(one.c_str());
  return found;
}

/// A text that C reads to its end: what lies behind a NUL would be lost in silence.
inline bool is_whole(std::string_view text) noexcept { return text.find('\0') == std::string_view::npos; }
inline Status not_whole() { return {UNISONO_EINVAL, "UNISONO_EINVAL: a text has a NUL inside"}; }

/// What a function hands out through `owned`.
struct Freed {
  void operator()(const void *owned) const noexcept { unisono_free(owned); }
};
template <class T>
using Owned = std::unique_ptr<const T, Freed>;

/// What a buffer getter has to say.
template <class Getter>
Result<std::string> got(Getter getter) {
  std::string text(128, '\0');
  for (;;) {
    std::size_t length = text.size();
    const std::int32_t status = getter(text.data(), &length);
    if (status == UNISONO_ETOOBIG) {
      text.resize(length);
      continue;
    }
    if (status < 0) return Status::of(status);
    text.resize(length > 0 ? length - 1 : 0);
    return text;
  }
}

inline std::function<void(const char *)> &escaped_handler() {
  static std::function<void(const char *)> handler;
  return handler;
}

/// Runs a callback's body. False: an exception came out of it.
template <class Body>
bool guarded([[maybe_unused]] const char *where, Body &&body) noexcept {
#if UNISONO_EXCEPTIONS
  try {
    body();
    return true;
  } catch (...) {
    try {
      if (escaped_handler()) {
        escaped_handler()(where);
        return false;
      }
      throw;
    } catch (const std::exception &error) {
      std::fprintf(stderr, "unisono: an exception left the callback \"%s\": %s\n", where, error.what());
    } catch (...) {
      std::fprintf(stderr, "unisono: an exception left the callback \"%s\"\n", where);
    }
    return false;
  }
#else
  body();
  return true;
#endif
}

/// An object of the library that is ended when this goes. Ending twice, or after its context, does nothing.
template <class Raw, void(UNISONO_CALL *destroy)(Raw *)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(Raw *raw) noexcept : raw_(raw) {}
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  Handle(Handle &&other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle &operator=(Handle &&other) noexcept {
    if (this != &other) {
      destroy(raw_);
      raw_ = std::exchange(other.raw_, nullptr);
    }
    return *this;
  }
  ~Handle() { destroy(raw_); }

  /// For the functions of the C headers; stays this object's.
  Raw *get() const noexcept { return raw_; }
  /// The handle, which is the caller's to destroy from now on.
  Raw *release() noexcept { return std::exchange(raw_, nullptr); }
  /// Ends it now.
  void destroy_now() noexcept { destroy(std::exchange(raw_, nullptr)); }
  explicit operator bool() const noexcept { return raw_ != nullptr; }

 private:
  Raw *raw_ = nullptr;
};
}  // namespace detail

#if UNISONO_EXCEPTIONS
/// What is done with an exception that came out of a callback, on that callback's thread: `handler` gets the callback's name and
/// finds the exception with std::current_exception(). Without one a line on standard error says so. To be set before a
/// context is made.
inline void on_escaped_exception(std::function<void(const char *callback)> handler) {
  detail::escaped_handler() = std::move(handler);
}
#endif

/// The library's version, like "0.2.0".
inline std::string version() { return unisono_version(); }

/// Whether the library that runs has everything that was compiled against.
inline bool is_compatible() noexcept {
  const std::uint32_t runs = unisono_api_version();
  return runs >> 16 == UNISONO_API_VERSION >> 16 && runs >= UNISONO_API_VERSION;
}

// ---- Who and what ---------------------------------------------------------------------------------------------------

/// A participant, or a person; all zero: nobody.
class ParticipantID {
 public:
  ParticipantID() = default;
  ParticipantID(const unisono_participant_id &raw) noexcept { std::copy(std::begin(raw.bytes), std::end(raw.bytes), bytes_.begin()); }
  unisono_participant_id raw() const noexcept {
    unisono_participant_id raw;
    std::copy(bytes_.begin(), bytes_.end(), std::begin(raw.bytes));
    return raw;
  }
  const std::array<std::uint8_t, 16> &bytes() const noexcept { return bytes_; }
  explicit operator bool() const noexcept { return *this != ParticipantID(); }
  friend bool operator==(const ParticipantID &a, const ParticipantID &b) noexcept { return a.bytes_ == b.bytes_; }
  friend bool operator!=(const ParticipantID &a, const ParticipantID &b) noexcept { return a.bytes_ != b.bytes_; }
  friend bool operator<(const ParticipantID &a, const ParticipantID &b) noexcept { return a.bytes_ < b.bytes_; }

 private:
  std::array<std::uint8_t, 16> bytes_{};
};

/// What the group does together; limits at unisono_activity.
struct Activity {
  unisono_activity_type type = UNISONO_ACTIVITY_GENERIC;
  std::string identifier;
  std::string title, subtitle, fallback_url;  // empty: none
  std::vector<std::byte> preview_image, payload;
  unisono_lifetime lifetime = UNISONO_LIFETIME_AUTOMATIC;
  bool supports_continuation = false;

  Activity() = default;
  explicit Activity(std::string name, unisono_activity_type kind = UNISONO_ACTIVITY_GENERIC)
      : type(kind), identifier(std::move(name)) {}
  explicit Activity(const unisono_activity &raw)
      : type(raw.type), identifier(detail::text(raw.identifier)), title(detail::text(raw.title)),
        subtitle(detail::text(raw.subtitle)), fallback_url(detail::text(raw.fallback_url)),
        preview_image(detail::bytes(raw.preview_image, raw.preview_image_length)),
        payload(detail::bytes(raw.payload, raw.payload_length)), lifetime(raw.lifetime),
        supports_continuation(raw.supports_continuation != 0) {}

  /// A view of this, which must outlive it.
  unisono_activity raw() const noexcept {
    unisono_activity raw = UNISONO_ACTIVITY_INIT;
    raw.type = type;
    raw.identifier = detail::or_null(identifier);
    raw.title = detail::or_null(title);
    raw.subtitle = detail::or_null(subtitle);
    raw.fallback_url = detail::or_null(fallback_url);
    raw.preview_image = preview_image.data();
    raw.preview_image_length = preview_image.size();
    raw.payload = payload.data();
    raw.payload_length = payload.size();
    raw.lifetime = lifetime;
    raw.supports_continuation = supports_continuation;
    return raw;
  }
};

struct Participant {
  ParticipantID id, person;
  std::string display_name, device_name;
  std::optional<std::string> item;
  std::vector<std::string> suspension_reasons;
  unisono_connection connection = UNISONO_CONNECTION_NONE;
  unisono_role role = UNISONO_ROLE_DEFAULT;
  bool is_local = false, ready = false, speaking = false;
  double rate = 0;
  std::optional<ItemTime> item_time;
  std::optional<HostTime> host_time;
  std::optional<Duration> round_trip, clock_error;
  /// Why its player cannot go on, a status; 0: nothing failed.
  std::int32_t failure = 0;
  /// Bits of unisono_split_kind: it and this participant do not hear each other.
  std::uint32_t split = 0;
  /// What its person says of being ready; `ready` is its player's.
  unisono_readiness readiness = UNISONO_READINESS_NOT_SAID;
  /// How far its copy is ahead of the group's item time.
  Duration cut_offset{};
  /// It was not ready for two starts in a row: none waits for it until it was ready for one.
  bool given_up = false;

  Participant() = default;
  explicit Participant(const unisono_participant &raw)
      : id(raw.id), person(raw.person), display_name(detail::text(raw.display_name)), device_name(detail::text(raw.device_name)),
        suspension_reasons(detail::texts(raw.suspension_reasons, raw.suspension_reason_count)), connection(raw.connection),
        role(raw.role), is_local(raw.is_local != 0), ready(raw.ready != 0), speaking(raw.speaking != 0), rate(raw.rate),
        item_time(detail::maybe_time(raw.item_time)), host_time(detail::maybe_host(raw.host_time)),
        round_trip(detail::maybe_time(raw.round_trip)), clock_error(detail::maybe_time(raw.clock_error)), failure(raw.failure),
        split(raw.split), readiness(raw.readiness), cut_offset(raw.cut_offset), given_up(raw.given_up != 0) {
    if (raw.item != nullptr) item = raw.item;
  }
};

namespace detail {
inline std::vector<Participant> participants(const unisono_participant *const *given, std::size_t count) {
  std::vector<Participant> found;
  for (std::size_t index = 0; index < count; index++) found.emplace_back(*given[index]);
  return found;
}
inline std::optional<Activity> maybe_activity(const unisono_activity *raw) {
  return raw != nullptr ? std::optional<Activity>(Activity(*raw)) : std::nullopt;
}
}  // namespace detail

/// Something to tell the people of the group, or what was told; unisono_session_post_notice.
struct Notice {
  unisono_notice_kind kind = UNISONO_NOTICE_CUSTOM;
  ParticipantID originator;  // this and the last two are ignored when posting
  Duration amount{0};
  double rate = 0;
  std::string text, url;
  std::optional<ItemTime> item_time;
  std::string name;         // empty: not known
  std::string coordinator;  // empty: the session's first one, or none; ignored when posting

  Notice() = default;
  explicit Notice(unisono_notice_kind what) : kind(what) {}
  explicit Notice(const unisono_notice &raw)
      : kind(raw.kind), originator(raw.originator), amount(raw.amount), rate(raw.rate), text(detail::text(raw.text)),
        url(detail::text(raw.url)), name(detail::text(raw.name)), coordinator(detail::text(raw.coordinator)) {
    if ((raw.flags & UNISONO_HAS_POSITION) != 0) item_time = ItemTime(raw.item_time);
  }

  /// A view of this, which must outlive it.
  unisono_notice raw() const noexcept {
    unisono_notice raw = UNISONO_NOTICE_INIT;
    raw.kind = kind;
    raw.originator = originator.raw();
    raw.amount = amount.count();
    raw.rate = rate;
    raw.text = detail::or_null(text);
    raw.url = detail::or_null(url);
    raw.name = detail::or_null(name);
    raw.coordinator = detail::or_null(coordinator);
    if (item_time) {
      raw.flags = UNISONO_HAS_POSITION;
      raw.item_time = item_time->count();
    }
    return raw;
  }
  bool is_whole() const noexcept {
    return detail::is_whole(text) && detail::is_whole(url) && detail::is_whole(name) && detail::is_whole(coordinator);
  }

  /// As a sentence for people, in English; unisono_notice_text.
  Result<std::string> sentence() const {
    if (!is_whole()) return detail::not_whole();
    const unisono_notice view = raw();
    return detail::got([&](char *buffer, std::size_t *length) { return unisono_notice_text(&view, buffer, length); });
  }
};

/// What somebody said in writing, or a reaction.
struct ChatEntry {
  unisono_chat_kind kind = UNISONO_CHAT_TEXT;
  ParticipantID author;
  std::uint64_t number = 0;          // with the author the entry's name; 0: a reaction
  std::optional<HostTime> said;      // none: session time is not known
  std::optional<ItemTime> item_time; // where the group was in it then
  std::string item, name, text;      // item and name may be empty: nothing was on, not known

  ChatEntry() = default;
  explicit ChatEntry(const unisono_chat_entry &raw)
      : kind(raw.kind), author(raw.author), number(raw.number), said(detail::maybe_host(raw.said)),
        item_time(detail::maybe_time(raw.item_time)), item(detail::text(raw.item)), name(detail::text(raw.name)),
        text(detail::text(raw.text)) {}
};

/// Names an entry of the playlist; all zero: none.
struct EntryID {
  std::array<std::uint8_t, 16> bytes{};

  EntryID() = default;
  EntryID(const unisono_entry_id &raw) { std::copy(raw.bytes, raw.bytes + 16, bytes.begin()); }
  unisono_entry_id raw() const noexcept {
    unisono_entry_id raw{};
    std::copy(bytes.begin(), bytes.end(), raw.bytes);
    return raw;
  }
  bool is_none() const noexcept { return *this == EntryID(); }
  friend bool operator==(const EntryID &a, const EntryID &b) noexcept { return a.bytes == b.bytes; }
  friend bool operator!=(const EntryID &a, const EntryID &b) noexcept { return !(a == b); }
};

/// What identifies the copy that somebody has of an item.
struct Copy {
  Duration duration{0};                                // 0: not known
  std::uint64_t file_size = 0;                         // 0: not known
  std::optional<std::array<std::uint8_t, 32>> hash;    // see of_file

  Copy() = default;
  explicit Copy(const unisono_copy &raw) : duration(raw.duration), file_size(raw.file_size) {
    if (raw.has_hash == 0) return;
    hash.emplace();
    std::copy(raw.hash, raw.hash + 32, hash->begin());
  }
  unisono_copy raw() const noexcept {
    unisono_copy raw = UNISONO_COPY_INIT;
    raw.duration = duration.count();
    raw.file_size = file_size;
    raw.has_hash = hash ? 1 : 0;
    if (hash) std::copy(hash->begin(), hash->end(), raw.hash);
    return raw;
  }
  /// Size and hash of a file; reads from the disk.
  static Result<Copy> of_file(const std::string &path) {
    if (!detail::is_whole(path)) return detail::not_whole();
    unisono_copy raw = UNISONO_COPY_INIT;
    const std::int32_t status = unisono_copy_of_file(path.c_str(), &raw);
    if (status < 0) return Status::of(status);
    return Copy(raw);
  }
};

/// A part of an entry that the group may leave out: PlaybackCoordinator::set_skipped_ranges.
struct SkipRange {
  ItemTime begin, end;  // of the group's item time, at least a second long
  unisono_range_kind kind = UNISONO_RANGE_OTHER;
};

/// Range of one's own copy that is not the group's: PlaybackCoordinator::set_interstitials.
struct Interstitial {
  ItemTime begin, end;  // of the own copy's item time
};

/// An entry of the playlist.
struct PlaylistEntry {
  EntryID id;  // as the library gave it
  std::string item, title;  // title: empty for none
  std::optional<Copy> copy;
  std::vector<std::string> addresses;
  std::vector<SkipRange> ranges;  // in their order, none overlapping the next

  PlaylistEntry() = default;
  explicit PlaylistEntry(std::string name) : item(std::move(name)) {}
  explicit PlaylistEntry(const unisono_playlist_entry &raw)
      : id(raw.id), item(detail::text(raw.item)), title(detail::text(raw.title)) {
    if (raw.copy != nullptr) copy.emplace(*raw.copy);
    for (std::size_t i = 0; i < raw.address_count; i++) addresses.push_back(detail::text(raw.addresses[i]));
    for (std::size_t i = 0; i < raw.range_count; i++) {
      ranges.push_back(SkipRange{ItemTime(raw.ranges[i].begin), ItemTime(raw.ranges[i].end), raw.ranges[i].kind});
    }
  }
};

struct Playlist {
  EntryID current;  // none: nowhere yet; it may have been removed from the entries
  std::vector<PlaylistEntry> entries;
};

/// Something that is offered to the group.
struct Attachment {
  std::array<std::uint8_t, 32> id{};  // SHA-256 of the content; zeros: it has none yet
  ParticipantID owner;
  std::uint64_t length = 0;           // bytes
  bool is_available = false;          // all of it is here
  std::string name, media_type;

  Attachment() = default;
  explicit Attachment(const unisono_attachment &raw)
      : owner(raw.owner), length(raw.length), is_available(raw.is_available != 0), name(detail::text(raw.name)),
        media_type(detail::text(raw.media_type)) {
    std::copy(std::begin(raw.id.bytes), std::end(raw.id.bytes), id.begin());
  }
  unisono_attachment_id raw_id() const noexcept {
    unisono_attachment_id raw;
    std::copy(id.begin(), id.end(), std::begin(raw.bytes));
    return raw;
  }
};

/// A line: position(h) = item_time + rate * (h - host_time).
struct Timing {
  unisono_timing_state state = UNISONO_TIMING_NONE;
  double rate = 0;
  ItemTime item_time{0};
  std::optional<HostTime> host_time;  // in a proposal: none, it holds from now on
  Duration error_bound{0};
};

struct WaitingFor {
  ParticipantID participant;
  std::string reason;  // empty: still preparing
};

// ---- Events ---------------------------------------------------------------------------------------------------------

/// What every event begins with.
struct EventHead {
  unisono_event_type type = UNISONO_EVENT_NONE;
  /// The handle it concerns, as get() has it; null: the context.
  const void *source = nullptr;
  HostTime issued{};

  EventHead() = default;
  explicit EventHead(const unisono_context_event &raw) noexcept
      : type(raw.type), source(raw.source), issued(detail::host(raw.host_time)) {}
};

struct TimerEvent : EventHead {
  std::uint64_t token = 0;
  HostTime due{};
  std::int32_t status = UNISONO_OK;
  explicit TimerEvent(const unisono_timer_event &raw)
      : EventHead(raw.base), token(raw.token), due(detail::host(raw.due_host_time)), status(raw.status) {}
};

struct OverflowEvent : EventHead {
  std::uint64_t messages = 0, others = 0;
  explicit OverflowEvent(const unisono_overflow_event &raw) : EventHead(raw.base), messages(raw.messages), others(raw.others) {}
};

/// A call that went well was refused, or failed, later.
struct ErrorEvent : EventHead {
  std::int32_t status = UNISONO_OK;
  std::string operation, message;
  explicit ErrorEvent(const unisono_error_event &raw)
      : EventHead(raw.base), status(raw.status), operation(detail::text(raw.operation)), message(detail::text(raw.message)) {}
};

struct LogEvent : EventHead {
  unisono_log_level level = UNISONO_LOG_DEFAULT;
  std::string message;
  explicit LogEvent(const unisono_log_event &raw) : EventHead(raw.base), level(raw.level), message(detail::text(raw.message)) {}
};

/// The last event of its source.
struct ReleasedEvent : EventHead {
  explicit ReleasedEvent(const unisono_context_event &raw) : EventHead(raw) {}
};

struct SessionStateEvent : EventHead {
  unisono_session_state state = UNISONO_SESSION_WAITING;
  unisono_connection connection = UNISONO_CONNECTION_NONE;
  std::int32_t reason = UNISONO_OK;
  std::string message;
  std::string hub;  // "host:port" of the one in use; empty: none
  bool hub_is_own = false;
  bool alone = true;
  bool closed = false;  // nobody new is let in
  explicit SessionStateEvent(const unisono_session_state_event &raw)
      : EventHead(raw.base), state(raw.state), connection(raw.connection), reason(raw.reason), message(detail::text(raw.message)),
        hub(detail::text(raw.hub)), hub_is_own(raw.hub_is_own != 0), alone(raw.alone != 0), closed(raw.closed != 0) {}
};

struct ActivityEvent : EventHead {
  ParticipantID originator;
  std::optional<Activity> activity;
  bool is_local = false; ///< this participant set it
  explicit ActivityEvent(const unisono_activity_event &raw)
      : EventHead(raw.base), originator(raw.originator), activity(detail::maybe_activity(raw.activity)),
        is_local(raw.is_local != 0) {}
};

/// Of a session, or of a coordinator: `type` says which.
struct ParticipantsEvent : EventHead {
  bool is_complete = false;
  std::vector<Participant> joined, updated, left;
  explicit ParticipantsEvent(const unisono_participants_change &raw)
      : EventHead(raw.base), is_complete(raw.is_complete != 0), joined(detail::participants(raw.joined, raw.joined_count)),
        updated(detail::participants(raw.updated, raw.updated_count)), left(detail::participants(raw.left, raw.left_count)) {}
};

struct MessageEvent : EventHead {
  ParticipantID sender;
  std::vector<std::byte> data;
  unisono_delivery delivery = UNISONO_DELIVERY_RELIABLE;
  /// What the bytes are; empty: none was given.
  std::string type;
  std::uint32_t version = 0;
  /// The place that it waited for; empty: none.
  std::string item;
  std::int64_t item_time = 0;
  explicit MessageEvent(const unisono_message &raw)
      : EventHead(raw.base), sender(raw.sender), data(detail::bytes(raw.data, raw.length)), delivery(raw.delivery),
        type(raw.type), version(raw.version), item(raw.item), item_time(raw.item_time) {}
  /// The bytes as text.
  std::string_view text() const noexcept { return {reinterpret_cast<const char *>(data.data()), data.size()}; }
};

struct NoticeEvent : EventHead {
  Notice notice;
  explicit NoticeEvent(const unisono_notice_event &raw) : EventHead(raw.base), notice(*raw.notice) {}
};

struct ChatEvent : EventHead {
  ChatEntry entry;
  bool own = false;         // this participant said it
  bool is_history = false;  // it was said before this participant came, or while it was away
  explicit ChatEvent(const unisono_chat_event &raw)
      : EventHead(raw.base), entry(*raw.entry), own(raw.own != 0), is_history(raw.is_history != 0) {}
};

struct PlaylistEvent : EventHead {
  bool entries_changed = false, current_changed = false;
  bool by_end = false;  // the group came to the current entry because the one before had ended
  EntryID current;
  ParticipantID originator;
  std::string item;  // of the current entry; empty: none, or not known
  explicit PlaylistEvent(const unisono_playlist_event &raw)
      : EventHead(raw.base), entries_changed(raw.entries_changed != 0), current_changed(raw.current_changed != 0),
        by_end(raw.by_end != 0), current(raw.current), originator(raw.originator), item(detail::text(raw.item)) {}
};

/// Another's copy of the current entry, compared with the own one.
struct CopyEvent : EventHead {
  ParticipantID participant;
  EntryID entry;
  std::uint32_t differs = 0;  // UNISONO_DIFFERS_ flags; 0: the same
  Copy copy;
  std::string message;
  explicit CopyEvent(const unisono_copy_event &raw)
      : EventHead(raw.base), participant(raw.participant), entry(raw.entry), differs(raw.differs), copy(*raw.copy),
        message(detail::text(raw.message)) {}
};

struct AttachmentEvent : EventHead {
  Attachment attachment;
  unisono_attachment_change change = UNISONO_ATTACHMENT_ADDED;
  std::uint64_t request = 0;      // of this participant's attach; 0: of none
  std::uint64_t transferred = 0;  // bytes that are here
  ParticipantID participant;      // FORGED: whose bytes were not it; nobody: not known
  Status status;                  // FAILED, FORGED, LOST: why
  std::string message;
  explicit AttachmentEvent(const unisono_attachment_event &raw)
      : EventHead(raw.base), attachment(*raw.attachment), change(raw.change), request(raw.request),
        transferred(raw.transferred), participant(raw.participant), status(Status::of(raw.status)),
        message(detail::text(raw.message)) {}
};

/// A participant's clock contradicts the others', compared past the hub.
struct ClockDoubtEvent : EventHead {
  ParticipantID participant;
  bool own = false;          // it is this participant's
  bool over = false;         // it is not in doubt any more
  Duration offset{0};        // that clock less the one that it was compared with
  std::string hub, message;  // "host:port", empty: none any more; the same for people
  explicit ClockDoubtEvent(const unisono_clock_doubt_event &raw)
      : EventHead(raw.base), participant(raw.participant), own(raw.own != 0), over(raw.over != 0), offset(raw.offset),
        hub(detail::text(raw.hub)), message(detail::text(raw.message)) {}
};

/// Somebody and this participant do not hear each other, or do again.
struct SplitEvent : EventHead {
  ParticipantID participant;
  unisono_split_kind kind{};
  bool over = false;
  HostTime since{};          // when it was found first
  std::string hub, message;  // "host:port", empty: none any more; the same for people
  explicit SplitEvent(const unisono_split_event &raw)
      : EventHead(raw.base), participant(raw.participant), kind(raw.kind), over(raw.over != 0), since(detail::host(raw.since)),
        hub(detail::text(raw.hub)), message(detail::text(raw.message)) {}
};

/// A hub does not do as it should, or does again.
struct HubDoubtEvent : EventHead {
  unisono_hub_doubt_reason reason{};
  bool over = false;
  std::optional<HostTime> until;  // it is left alone until then; none: it may be turned to, after all others
  std::string hub, message;       // "host:port"; the same for people
  explicit HubDoubtEvent(const unisono_hub_doubt_event &raw)
      : EventHead(raw.base), reason(raw.reason), over(raw.over != 0), until(detail::maybe_host(raw.until)), hub(detail::text(raw.hub)),
        message(detail::text(raw.message)) {}
};

/// A start at a time that the group agreed on.
struct ScheduledStart {
  std::string item;
  HostTime host_time{};
  /// ns since 1970, by the clock of `originator`; UNISONO_TIME_INVALID: not said.
  std::int64_t calendar_time = UNISONO_TIME_INVALID;
  Duration error_bound{0};
  /// Who scheduled it, or called it off; nobody: this participant.
  ParticipantID originator;
  explicit ScheduledStart(const unisono_scheduled_start &raw)
      : item(raw.item), host_time(Duration(raw.host_time)), calendar_time(raw.calendar_time), error_bound(raw.error_bound),
        originator(raw.originator) {}
};

struct ScheduleEvent : EventHead {
  ScheduledStart start;
  Duration remaining{0};
  unisono_schedule_change change = UNISONO_SCHEDULE_SET;
  explicit ScheduleEvent(const unisono_schedule_event &raw)
      : EventHead(raw.base), start(*raw.start), remaining(raw.remaining), change(raw.change) {}
};

/// One of an audience's reactions, and how many listeners reacted by it last, in the last 10 s: the hub's word.
struct ReactionCount {
  std::string reaction;
  std::uint32_t count = 0;
};

namespace detail {
inline std::vector<ReactionCount> reactions(const unisono_reaction_count *raw, std::size_t count) {
  std::vector<ReactionCount> all;
  for (std::size_t index = 0; index < count; index++) all.push_back({text(raw[index].reaction), raw[index].count});
  return all;
}
}  // namespace detail

/// The session's audience; `listeners`, `ready` (for the start that waits for them) and counts are the hub's word.
struct AudienceEvent : EventHead {
  unisono_audience_state state = UNISONO_AUDIENCE_CLOSED;
  std::uint32_t listeners = 0, left_out = 0, ready = 0;
  std::string reason;
  std::vector<ReactionCount> reactions;
  explicit AudienceEvent(const unisono_audience_event &raw)
      : EventHead(raw.base), state(raw.state), listeners(raw.listeners), left_out(raw.left_out), ready(raw.ready),
        reason(detail::text(raw.reason)), reactions(detail::reactions(raw.reactions, raw.reaction_count)) {}
};

/// Somebody of that audience asks to speak, or says something; who it is nobody knows.
struct ListenerEvent : EventHead {
  ParticipantID listener;
  unisono_listener_word word = UNISONO_LISTENER_SAYS;
  std::string text;
  explicit ListenerEvent(const unisono_listener_event &raw)
      : EventHead(raw.base), listener(raw.listener), word(raw.word), text(detail::text(raw.text)) {}
};

/// How it is with the audience that a coordinator listens to; `item` is to be loaded, and transitioned to.
struct ListeningEvent : EventHead {
  unisono_listening_status status = UNISONO_LISTENING_CONNECTING;
  std::uint32_t listeners = 0;
  std::optional<std::string> item;
  std::optional<Activity> activity;
  std::string reason;
  /// Before and after the group at most, whatever the hub says of the time; none: not bounded yet.
  std::optional<Duration> clock_ahead, clock_behind;
  /// The group's signed times contradict the hub's; `reason` says by how much at least.
  bool clock_doubt = false;
  /// By which one may react, and how many did, to two digits.
  std::vector<ReactionCount> reactions;
  explicit ListeningEvent(const unisono_listening_event &raw)
      : EventHead(raw.base), status(raw.status), listeners(raw.listeners), activity(detail::maybe_activity(raw.activity)),
        reason(detail::text(raw.reason)), clock_ahead(detail::maybe_time(raw.clock_ahead)),
        clock_behind(detail::maybe_time(raw.clock_behind)), clock_doubt(raw.clock_doubt != 0),
        reactions(detail::reactions(raw.reactions, raw.reaction_count)) {
    if (raw.item != nullptr) item = raw.item;
  }
};

/// SESSION_FOREGROUND or SESSION_SPEAKING.
struct ParticipantEvent : EventHead {
  ParticipantID participant;
  bool active = false, in_background = false;
  explicit ParticipantEvent(const unisono_participant_event &raw)
      : EventHead(raw.base), participant(raw.participant), active(raw.active != 0), in_background(raw.in_background != 0) {}
};

struct InviteEvent : EventHead {
  std::string invite;
  explicit InviteEvent(const unisono_invite_event &raw) : EventHead(raw.base), invite(detail::text(raw.invite)) {}
};

/// SESSION_CONSENT asks (answer_consent), SESSION_ACTIVATION answers.
struct ActivationEvent : EventHead {
  std::uint64_t request = 0;
  std::optional<Activity> activity;
  unisono_activation_result result = UNISONO_ACTIVATION_DISABLED;
  bool remembered = false;
  explicit ActivationEvent(const unisono_activation_event &raw)
      : EventHead(raw.base), request(raw.request), activity(detail::maybe_activity(raw.activity)), result(raw.result),
        remembered(raw.remembered != 0) {}
};

/// The session takes messages again.
struct WritableEvent : EventHead {
  explicit WritableEvent(const unisono_context_event &raw) : EventHead(raw) {}
};

/// Play, pause, seek or buffer: `type` says which. To be answered with Coordinator::complete or fail.
struct Command : EventHead {
  std::uint64_t id = 0;
  ParticipantID originator;
  std::string item;
  double rate = 0;
  ItemTime item_time{0};
  std::optional<HostTime> host_time, due_host_time;
  double anticipated_rate = 0;
  bool is_local = false, snap = false, buffer_in_anticipation = false;
  unisono_cause cause = UNISONO_CAUSE_UNKNOWN;
  explicit Command(const unisono_command &raw)
      : EventHead(raw.base), id(raw.id), originator(raw.originator), item(detail::text(raw.item)), rate(raw.rate),
        item_time(raw.item_time), host_time(detail::maybe_host(raw.host_time)),
        due_host_time(detail::maybe_host(raw.due_host_time)), anticipated_rate(raw.anticipated_rate),
        is_local(raw.is_local != 0), snap(raw.snap != 0), buffer_in_anticipation(raw.buffer_in_anticipation != 0),
        cause(raw.cause) {}
};

struct SuspensionsEvent : EventHead {
  std::vector<std::string> reasons;
  explicit SuspensionsEvent(const unisono_suspensions_change &raw)
      : EventHead(raw.base), reasons(detail::texts(raw.reasons, raw.reason_count)) {}
};

struct TimingEvent : EventHead {
  unisono_timing_state state = UNISONO_TIMING_NONE;
  unisono_cause cause = UNISONO_CAUSE_UNKNOWN;
  ParticipantID originator;
  std::optional<std::string> item;
  double rate = 0;
  std::optional<ItemTime> item_time;
  std::optional<HostTime> host_time, deadline;
  std::vector<WaitingFor> waiting_for;
  explicit TimingEvent(const unisono_timing_change &raw)
      : EventHead(raw.base), state(raw.state), cause(raw.cause), originator(raw.originator), rate(raw.rate),
        item_time(detail::maybe_time(raw.item_time)), host_time(detail::maybe_host(raw.host_time)),
        deadline(detail::maybe_host(raw.deadline)) {
    if (raw.item != nullptr) item = raw.item;
    for (std::size_t index = 0; index < raw.waiting_for_count; index++) {
      waiting_for.push_back({raw.waiting_for[index].participant, detail::text(raw.waiting_for[index].reason)});
    }
  }
};

/// PLAYER_...: `type` says which.
struct PlayerEvent : EventHead {
  unisono_time_control time_control = UNISONO_TIME_CONTROL_PAUSED;
  unisono_waiting_reason waiting_reason = UNISONO_WAITING_NONE;
  unisono_item_state item_state = UNISONO_ITEM_UNKNOWN;
  unisono_rate_reason rate_reason = UNISONO_RATE_REASON_SET_RATE_CALLED;
  ParticipantID originator;
  std::optional<std::string> item;
  double rate = 0;
  std::optional<ItemTime> item_time;
  std::optional<HostTime> host_time;
  std::uint64_t request = 0;
  std::int32_t status = UNISONO_OK;
  explicit PlayerEvent(const unisono_player_event &raw)
      : EventHead(raw.base), time_control(raw.time_control), waiting_reason(raw.waiting_reason), item_state(raw.item_state),
        rate_reason(raw.rate_reason), originator(raw.originator), rate(raw.rate), item_time(detail::maybe_time(raw.item_time)),
        host_time(detail::maybe_host(raw.host_time)), request(raw.request), status(raw.status) {
    if (raw.item != nullptr) item = raw.item;
  }
};

/// RENDERER_...: `type` says which. To be answered with Player::report and this `request`.
struct RendererCommand : EventHead {
  std::uint64_t request = 0;
  std::string item, uri;
  double rate = 0;
  ItemTime item_time{0};
  std::optional<HostTime> host_time;
  Duration tolerance_before{0}, tolerance_after{0};
  double volume = 0;
  std::int32_t width = 0, height = 0;
  explicit RendererCommand(const unisono_renderer_command &raw)
      : EventHead(raw.base), request(raw.request), item(detail::text(raw.item)), uri(detail::text(raw.uri)), rate(raw.rate),
        item_time(raw.item_time), host_time(detail::maybe_host(raw.host_time)), tolerance_before(raw.tolerance_before),
        tolerance_after(raw.tolerance_after), volume(raw.volume), width(raw.width), height(raw.height) {}
};

/// SURFACE_...: `type` says which.
struct SurfaceEvent : EventHead {
  std::uint64_t request = 0;
  bool is_paused = true;
  std::int32_t status = UNISONO_OK;
  std::optional<ItemTime> start, item_time;
  std::optional<Duration> duration;
  std::optional<HostTime> host_time;
  explicit SurfaceEvent(const unisono_surface_event &raw)
      : EventHead(raw.base), request(raw.request), is_paused(raw.is_paused != 0), status(raw.status),
        start(detail::maybe_time(raw.start)), item_time(detail::maybe_time(raw.item_time)),
        duration(detail::maybe_time(raw.duration)), host_time(detail::maybe_host(raw.host_time)) {}
};

/// Somebody nearby asks; answered once, and until it is withdrawn. A name for it, to be copied freely.
class JoinRequest {
 public:
  JoinRequest() = default;
  explicit JoinRequest(unisono_join_request *raw) noexcept : raw_(raw) {}
  Status accept() const { return Status::of(unisono_join_request_accept(raw_)); }
  Status deny() const { return Status::of(unisono_join_request_deny(raw_)); }
  unisono_join_request *get() const noexcept { return raw_; }
  explicit operator bool() const noexcept { return raw_ != nullptr; }

 private:
  unisono_join_request *raw_ = nullptr;
};

/// NEARBY_...: `type` says which.
struct NearbyEvent : EventHead {
  std::uint64_t device = 0;
  JoinRequest request;
  std::string device_name, usage_description, invite, digits;
  std::uint32_t platform = 0;
  std::int32_t status = UNISONO_OK;
  unisono_intent intent = UNISONO_INTENT_UNKNOWN;
  explicit NearbyEvent(const unisono_nearby_event &raw)
      : EventHead(raw.base), device(raw.device), request(raw.request), device_name(detail::text(raw.device_name)),
        usage_description(detail::text(raw.usage_description)), invite(detail::text(raw.invite)), digits(raw.digits),
        platform(raw.platform), status(raw.status), intent(raw.intent) {}
};

/// Of a newer library.
struct OtherEvent : EventHead {
  explicit OtherEvent(const unisono_context_event &raw) : EventHead(raw) {}
};

/// What Context::next_event returns.
using Event = std::variant<
    TimerEvent, OverflowEvent, ErrorEvent, LogEvent, ReleasedEvent, SessionStateEvent, ActivityEvent, ParticipantsEvent,
    MessageEvent, NoticeEvent, ParticipantEvent, InviteEvent, ActivationEvent, WritableEvent, ClockDoubtEvent, SplitEvent,
    HubDoubtEvent, ChatEvent, PlaylistEvent, CopyEvent, ScheduleEvent, AudienceEvent, ListenerEvent, AttachmentEvent, Command,
    SuspensionsEvent, TimingEvent, ListeningEvent, PlayerEvent, RendererCommand, SurfaceEvent, NearbyEvent, OtherEvent>;

/// The head of whatever event.
inline const EventHead &head(const Event &event) {
  return std::visit([](const auto &one) -> const EventHead & { return one; }, event);
}

namespace detail {
inline Event event(const unisono_context_event *raw) {
  if (const auto *one = unisono_event_timer(raw)) return TimerEvent(*one);
  if (const auto *one = unisono_event_overflow(raw)) return OverflowEvent(*one);
  if (const auto *one = unisono_event_error(raw)) return ErrorEvent(*one);
  if (const auto *one = unisono_event_log(raw)) return LogEvent(*one);
  if (const auto *one = unisono_event_session_state(raw)) return SessionStateEvent(*one);
  if (const auto *one = unisono_event_activity(raw)) return ActivityEvent(*one);
  if (const auto *one = unisono_event_participants(raw)) return ParticipantsEvent(*one);
  if (const auto *one = unisono_event_message(raw)) return MessageEvent(*one);
  if (const auto *one = unisono_event_notice(raw)) return NoticeEvent(*one);
  if (const auto *one = unisono_event_participant(raw)) return ParticipantEvent(*one);
  if (const auto *one = unisono_event_invite(raw)) return InviteEvent(*one);
  if (const auto *one = unisono_event_activation(raw)) return ActivationEvent(*one);
  if (const auto *one = unisono_event_clock_doubt(raw)) return ClockDoubtEvent(*one);
  if (const auto *one = unisono_event_split(raw)) return SplitEvent(*one);
  if (const auto *one = unisono_event_hub_doubt(raw)) return HubDoubtEvent(*one);
  if (const auto *one = unisono_event_chat(raw)) return ChatEvent(*one);
  if (const auto *one = unisono_event_playlist(raw)) return PlaylistEvent(*one);
  if (const auto *one = unisono_event_copy(raw)) return CopyEvent(*one);
  if (const auto *one = unisono_event_schedule(raw)) return ScheduleEvent(*one);
  if (const auto *one = unisono_event_audience(raw)) return AudienceEvent(*one);
  if (const auto *one = unisono_event_listener(raw)) return ListenerEvent(*one);
  if (const auto *one = unisono_event_attachment(raw)) return AttachmentEvent(*one);
  if (const auto *one = unisono_event_command(raw)) return Command(*one);
  if (const auto *one = unisono_event_suspensions(raw)) return SuspensionsEvent(*one);
  if (const auto *one = unisono_event_timing(raw)) return TimingEvent(*one);
  if (const auto *one = unisono_event_listening(raw)) return ListeningEvent(*one);
  if (const auto *one = unisono_event_player(raw)) return PlayerEvent(*one);
  if (const auto *one = unisono_event_renderer(raw)) return RendererCommand(*one);
  if (const auto *one = unisono_event_surface(raw)) return SurfaceEvent(*one);
  if (const auto *one = unisono_event_nearby(raw)) return NearbyEvent(*one);
  if (raw->type == UNISONO_EVENT_RELEASED) return ReleasedEvent(*raw);
  if (raw->type == UNISONO_EVENT_SESSION_WRITABLE) return WritableEvent(*raw);
  return OtherEvent(*raw);
}

/// What the library is given as `user`: the functions, until it says that it calls them no more.
template <class Functions>
struct Box {
  Functions functions;

  static void UNISONO_CALL released(void *user) noexcept {
    auto *box = static_cast<Box *>(user);
    guarded("released", [&] {
      if (box->functions.released) box->functions.released();
    });
    delete box;
  }
};

template <class Functions>
Functions &functions_of(void *user) noexcept {
  return static_cast<Box<Functions> *>(user)->functions;
}

/// The C function that calls `member` of the functions with the event as a value.
template <class Functions, auto member, class Value, class Payload>
void UNISONO_CALL tell(void *user, const Payload *payload) noexcept {
  guarded("event", [&] { (functions_of<Functions>(user).*member)(Value(*payload)); });
}

/// Sets a function of a C struct where there is one to call.
template <auto member, class Value, class Functions, class Payload>
void bind(void(UNISONO_CALL *&slot)(void *, const Payload *), const Functions &functions) noexcept {
  if (functions.*member) slot = tell<Functions, member, Value, Payload>;
}

/// Makes something with functions: they are the library's from success on, and gone at once after a failure.
template <class Functions, class Maker>
Status made(Functions functions, Maker maker) {
  auto box = std::make_unique<Box<Functions>>(Box<Functions>{std::move(functions)});
  const std::int32_t status = maker(static_cast<void *>(box.get()));
  if (status < 0) return Status::of(status);
  static_cast<void>(box.release());
  return {};
}
}  // namespace detail

// ---- Context --------------------------------------------------------------------------------------------------------

struct ContextOptions {
  bool own_thread = false, event_queue = false;
  std::uint32_t event_queue_limit = 0;
  void *uv_loop = nullptr;
  std::size_t uv_loop_size = 0;
  std::string device_name, storage_path;  // empty: the host's name, memory only
  std::uint64_t random_seed = 0;
  unisono_log_level log_level = UNISONO_LOG_DEFAULT;
  std::array<std::uint8_t, 16> person{};
};

struct ContextCallbacks {
  std::function<void(const LogEvent &)> log;
  std::function<void()> wakeup;  // on any thread; may call nothing of this library
  std::function<void()> released;
};

/// One event loop and everything that lives on it; unisono_context_create.
class Context : public detail::Handle<unisono_context, unisono_context_destroy> {
 public:
  using Handle::Handle;

  static Result<Context> create(const ContextOptions &options = {}, ContextCallbacks callbacks = {}) {
    return made_by(options, std::move(callbacks), unisono_context_create);
  }

 private:
  friend class Simulation;

  template <class Maker>
  static Result<Context> made_by(const ContextOptions &options, ContextCallbacks callbacks, Maker make) {
    if (!detail::is_whole(options.device_name) || !detail::is_whole(options.storage_path)) return detail::not_whole();
    unisono_context_options raw = UNISONO_CONTEXT_OPTIONS_INIT;
    raw.own_thread = options.own_thread;
    raw.event_queue = options.event_queue;
    raw.event_queue_limit = options.event_queue_limit;
    raw.uv_loop = options.uv_loop;
    raw.uv_loop_size = options.uv_loop_size;
    raw.device_name = detail::or_null(options.device_name);
    raw.storage_path = detail::or_null(options.storage_path);
    raw.random_seed = options.random_seed;
    raw.log_level = options.log_level;
    std::copy(options.person.begin(), options.person.end(), std::begin(raw.person));
    unisono_context_callbacks functions = UNISONO_CONTEXT_CALLBACKS_INIT;
    detail::bind<&ContextCallbacks::log, LogEvent>(functions.log, callbacks);
    if (callbacks.wakeup) functions.wakeup = wakeup;
    functions.released = detail::Box<ContextCallbacks>::released;
    unisono_context *made = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) {
      return make(&raw, &functions, user, &made);
    });
    if (!status) return status;
    return Context(made);
  }

 public:

  /// Runs what is due and waits at most so long for it; how much was delivered.
  Result<int> poll(Duration max_wait = Duration::max()) const {
    const std::int32_t count = unisono_context_poll(get(), max_wait.count());
    if (count < 0) return Status::of(count);
    return static_cast<int>(count);
  }

  /// The next event of the queue, or none within max_wait.
  Result<std::optional<Event>> next_event(Duration max_wait = Duration::max()) const {
    const unisono_context_event *raw = nullptr;
    const std::int32_t count = unisono_context_next_event(get(), max_wait.count(), &raw);
    if (count < 0) return Status::of(count);
    return count > 0 && raw != nullptr ? std::optional<Event>(detail::event(raw)) : std::optional<Event>();
  }

  Result<int> fd() const {
    const std::int32_t fd = unisono_context_fd(get());
    if (fd < 0) return Status::of(fd);
    return static_cast<int>(fd);
  }

  /// Until the next timer; Duration::max(): there is none.
  Result<Duration> timeout() const {
    const std::int64_t time = unisono_context_timeout(get());
    if (time < 0) return Status::of(static_cast<std::int32_t>(time));
    return Duration(time);
  }

  Status wake() const { return Status::of(unisono_context_wake(get())); }

  /// The clock this context lives by.
  Result<HostTime> host_time() const {
    const std::int64_t time = unisono_context_host_time(get());
    if (time < 0) return Status::of(static_cast<std::int32_t>(time));
    return detail::host(time);
  }

  /// Calls fn once when the time has come, or with UNISONO_ECANCELED; its token for cancel. An empty fn: an event.
  Result<std::uint64_t> call_at(HostTime time, std::function<void(const TimerEvent &)> fn) const {
    std::uint64_t token = 0;
    if (!fn) {
      const std::int32_t status = unisono_context_call_at(get(), detail::lowered(time), nullptr, nullptr, &token);
      if (status < 0) return Status::of(status);
      return token;
    }
    auto once = std::make_unique<std::function<void(const TimerEvent &)>>(std::move(fn));
    const std::int32_t status = unisono_context_call_at(get(), detail::lowered(time), called, once.get(), &token);
    if (status < 0) return Status::of(status);
    static_cast<void>(once.release());
    return token;
  }

  Status cancel(std::uint64_t token) const { return Status::of(unisono_context_cancel(get(), token)); }

  Status forget_answers(unisono_activity_type type = UNISONO_ACTIVITY_ALL) const {
    return Status::of(unisono_context_forget_answers(get(), type));
  }

 private:
  static void UNISONO_CALL wakeup(void *user) noexcept {
    detail::guarded("wakeup", [&] { detail::functions_of<ContextCallbacks>(user).wakeup(); });
  }
  static void UNISONO_CALL called(void *user, const unisono_timer_event *event) noexcept {
    std::unique_ptr<std::function<void(const TimerEvent &)>> once(static_cast<std::function<void(const TimerEvent &)> *>(user));
    detail::guarded("call_at", [&] { (*once)(TimerEvent(*event)); });
  }
};

/// How a simulated context is connected to all others; unisono_simulated_link.
struct SimulatedLink {
  bool down = false;
  Duration delay_out = std::chrono::microseconds(100), delay_in = std::chrono::microseconds(100), jitter{};
  double loss = 0;
};

/// Virtual time and a network in memory, for tests of hosts. Never for anything else: keys follow the seed.
class Simulation : public detail::Handle<unisono_simulation, unisono_simulation_destroy> {
 public:
  using Handle::Handle;

  static Result<Simulation> create(std::uint64_t random_seed = 0) {
    unisono_simulation_options options = UNISONO_SIMULATION_OPTIONS_INIT;
    options.random_seed = random_seed;
    unisono_simulation *made = nullptr;
    const std::int32_t status = unisono_simulation_create(&options, &made);
    if (status < 0) return Status::of(status);
    return Simulation(made);
  }

  /// A context on this clock; its callbacks come inside advance.
  Result<Context> context(const ContextOptions &options = {}, ContextCallbacks callbacks = {}, Duration clock_offset = {},
                          double clock_drift_ppm = 0) const {
    return Context::made_by(options, std::move(callbacks), [&](const auto *raw, const auto *functions, void *user, auto *out) {
      return unisono_simulation_context(get(), raw, functions, user, clock_offset.count(), clock_drift_ppm, out);
    });
  }

  Status set_link(const Context &context, const SimulatedLink &link) const {
    unisono_simulated_link raw = UNISONO_SIMULATED_LINK_INIT;
    raw.down = link.down;
    raw.delay_out = link.delay_out.count();
    raw.delay_in = link.delay_in.count();
    raw.jitter = link.jitter.count();
    raw.loss = link.loss;
    return Status::of(unisono_simulation_set_link(get(), context.get(), &raw));
  }

  /// Moves the clock on and runs everything that becomes due meanwhile, on this thread.
  Status advance(Duration duration) const { return Status::of(unisono_simulation_advance(get(), duration.count())); }
};

// ---- Session --------------------------------------------------------------------------------------------------------

struct HubOptions {
  std::uint32_t participants_per_room = 0, rooms = 0, connections = 0, connections_per_address = 0, bytes_per_second = 0;
  std::vector<std::string> listen, advertise;  // empty: every interface and a free port; what was found
  std::uint64_t memory = 0, room_bytes_per_second = 0;
  bool open = false;  // Hub only: anybody may open rooms, also strangers from the internet
};

struct AudienceOptions {
  std::uint32_t ready_share = 0;       // percent of those who listen that are waited for before the group plays
  Duration ready_wait{0};              // after the command at most; 0: 10 s
  std::vector<std::string> reactions;  // by which they may react; at most 8
};

struct SessionOptions {
  unisono_control_policy control_policy = UNISONO_CONTROL_EVERYONE;
  std::string display_name;  // empty: the device's
  std::string hub;           // the line of one, Hub::lines or what "unisono hub" prints; empty: one in this process
  std::optional<HubOptions> hub_options;
  std::optional<Activity> activity;
  unisono_role role = UNISONO_ROLE_DEFAULT;
  bool no_standby_hub = false, in_background = false;
  std::vector<std::uint8_t> continuation;      // of Session::continuation, to go on from there; empty: a participant who is new
  std::vector<std::uint8_t> continuation_key;  // what it was sealed with; empty: the context's person
  Duration continuation_age{0};                // one that is older is refused; 0: 90 days
};

struct SessionCallbacks {
  std::function<void(const SessionStateEvent &)> state;
  std::function<void(const ActivityEvent &)> activity;
  std::function<void(const ParticipantsEvent &)> participants;
  std::function<void(const MessageEvent &)> message;
  std::function<void(const NoticeEvent &)> notice;
  std::function<void(const ChatEvent &)> chat;
  std::function<void(const PlaylistEvent &)> playlist;
  std::function<void(const CopyEvent &)> copy;
  std::function<void(const AttachmentEvent &)> attachment;
  std::function<void(const ScheduleEvent &)> schedule;
  std::function<void(const AudienceEvent &)> audience;
  std::function<void(const ListenerEvent &)> listener;
  std::function<void(const ParticipantEvent &)> foreground_requested, speaking;
  std::function<void(const InviteEvent &)> invite_changed;
  std::function<void(const ClockDoubtEvent &)> clock_doubt;
  std::function<void(const SplitEvent &)> split;
  std::function<void(const HubDoubtEvent &)> hub_doubt;
  std::function<void(const ActivationEvent &)> consent;
  std::function<void(const WritableEvent &)> writable;
  std::function<void(const ErrorEvent &)> error;
  std::function<void()> released;
};

struct Clock {
  unisono_clock_state state = UNISONO_CLOCK_NONE;
  std::uint64_t epoch = 0;
  HostTime host_time{};
  Duration session_time{0};
  double rate = 1;
  Duration error_bound{0};
  double error_growth = 0;
};

namespace detail {
/// Hub options as C has them, for as long as this lives.
class RawHubOptions {
 public:
  explicit RawHubOptions(const HubOptions &options) : listen_(pointers(options.listen)), advertise_(pointers(options.advertise)) {
    raw_.participants_per_room = options.participants_per_room;
    raw_.rooms = options.rooms;
    raw_.connections = options.connections;
    raw_.connections_per_address = options.connections_per_address;
    raw_.bytes_per_second = options.bytes_per_second;
    raw_.listen = listen_.empty() ? nullptr : listen_.data();
    raw_.listen_count = listen_.size();
    raw_.advertise = advertise_.empty() ? nullptr : advertise_.data();
    raw_.advertise_count = advertise_.size();
    raw_.memory = options.memory;
    raw_.room_bytes_per_second = options.room_bytes_per_second;
    raw_.open = options.open ? 1 : 0;
  }
  RawHubOptions(const RawHubOptions &) = delete;
  RawHubOptions &operator=(const RawHubOptions &) = delete;
  const unisono_hub_options *get() const noexcept { return &raw_; }

 private:
  std::vector<const char *> listen_, advertise_;
  unisono_hub_options raw_ = UNISONO_HUB_OPTIONS_INIT;
};

inline unisono_session_callbacks raw_callbacks(const SessionCallbacks &callbacks) noexcept {
  unisono_session_callbacks raw = UNISONO_SESSION_CALLBACKS_INIT;
  bind<&SessionCallbacks::state, SessionStateEvent>(raw.state, callbacks);
  bind<&SessionCallbacks::activity, ActivityEvent>(raw.activity, callbacks);
  bind<&SessionCallbacks::participants, ParticipantsEvent>(raw.participants, callbacks);
  bind<&SessionCallbacks::message, MessageEvent>(raw.message, callbacks);
  bind<&SessionCallbacks::notice, NoticeEvent>(raw.notice, callbacks);
  bind<&SessionCallbacks::chat, ChatEvent>(raw.chat, callbacks);
  bind<&SessionCallbacks::playlist, PlaylistEvent>(raw.playlist, callbacks);
  bind<&SessionCallbacks::copy, CopyEvent>(raw.copy, callbacks);
  bind<&SessionCallbacks::attachment, AttachmentEvent>(raw.attachment, callbacks);
  bind<&SessionCallbacks::schedule, ScheduleEvent>(raw.schedule, callbacks);
  bind<&SessionCallbacks::audience, AudienceEvent>(raw.audience, callbacks);
  bind<&SessionCallbacks::listener, ListenerEvent>(raw.listener, callbacks);
  bind<&SessionCallbacks::foreground_requested, ParticipantEvent>(raw.foreground_requested, callbacks);
  bind<&SessionCallbacks::speaking, ParticipantEvent>(raw.speaking, callbacks);
  bind<&SessionCallbacks::invite_changed, InviteEvent>(raw.invite_changed, callbacks);
  bind<&SessionCallbacks::clock_doubt, ClockDoubtEvent>(raw.clock_doubt, callbacks);
  bind<&SessionCallbacks::split, SplitEvent>(raw.split, callbacks);
  bind<&SessionCallbacks::hub_doubt, HubDoubtEvent>(raw.hub_doubt, callbacks);
  bind<&SessionCallbacks::consent, ActivationEvent>(raw.consent, callbacks);
  bind<&SessionCallbacks::writable, WritableEvent>(raw.writable, callbacks);
  bind<&SessionCallbacks::error, ErrorEvent>(raw.error, callbacks);
  raw.released = Box<SessionCallbacks>::released;
  return raw;
}
}  // namespace detail

/// A group of devices that do something together.
class Session : public detail::Handle<unisono_session, unisono_session_destroy> {
 public:
  using Handle::Handle;

  /// Begins a new group; unisono_session_host.
  static Result<Session> host(const Context &context, const SessionOptions &options = {}, SessionCallbacks callbacks = {}) {
    return made(options, std::move(callbacks), [&](const auto *raw, const auto *functions, void *user, unisono_session **out) {
      return unisono_session_host(context.get(), raw, functions, user, out);
    });
  }

  /// Opens an invite; unisono_session_open.
  static Result<Session> open(
      const Context &context, std::string_view invite, const SessionOptions &options = {}, SessionCallbacks callbacks = {}) {
    if (!detail::is_whole(invite)) return detail::not_whole();
    const std::string text(invite);
    return made(options, std::move(callbacks), [&](const auto *raw, const auto *functions, void *user, unisono_session **out) {
      return unisono_session_open(context.get(), text.c_str(), raw, functions, user, out);
    });
  }

  Result<std::string> invite() const {
    return detail::got([&](char *buffer, std::size_t *length) { return unisono_session_invite(get(), buffer, length); });
  }
  /// From where an invite's hubs can be reached; unisono_invite_reach.
  static Result<unisono_reach> reach(std::string_view invite) {
    if (!detail::is_whole(invite)) return detail::not_whole();
    return enumerated<unisono_reach>(unisono_invite_reach(std::string(invite).c_str()));
  }
  Status join() const { return Status::of(unisono_session_join(get())); }
  /// What this participant goes on from on another day: a sealed secret, for a file. `key`: 16...1,024 bytes that nobody can guess; empty:
  /// the context's person.
  Result<std::vector<std::uint8_t>> continuation(const std::vector<std::uint8_t> &key = {}) const {
    const unisono_continuation *raw = nullptr;
    const std::int32_t status = unisono_session_continuation(get(), key.empty() ? nullptr : key.data(), key.size(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_continuation> owned(raw);
    const auto *bytes = static_cast<const std::uint8_t *>(raw->bytes);
    return std::vector<std::uint8_t>(bytes, bytes + raw->length);
  }
  Status leave() const { return Status::of(unisono_session_leave(get())); }
  /// Ends it for everybody.
  Status end() const { return Status::of(unisono_session_end(get())); }

  Result<unisono_session_state> state() const { return enumerated<unisono_session_state>(unisono_session_get_state(get())); }
  Result<unisono_connection> connection() const { return enumerated<unisono_connection>(unisono_session_connection(get())); }

  Result<ParticipantID> local_participant() const {
    unisono_participant_id id;
    const std::int32_t status = unisono_session_local_participant(get(), &id);
    if (status < 0) return Status::of(status);
    return ParticipantID(id);
  }

  Result<std::vector<Participant>> participants() const {
    const unisono_participants *raw = nullptr;
    const std::int32_t status = unisono_session_participants(get(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_participants> owned(raw);
    return detail::participants(raw->items, raw->count);
  }

  Status activate(const Activity &activity) const {
    const unisono_activity raw = activity.raw();
    return Status::of(unisono_session_activate(get(), &raw));
  }

  Result<std::optional<Activity>> activity() const {
    const unisono_activity *raw = nullptr;
    const std::int32_t status = unisono_session_activity(get(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_activity> owned(raw);
    return detail::maybe_activity(raw);
  }

  Status set_role(const ParticipantID &participant, unisono_role role) const {
    const unisono_participant_id id = participant.raw();
    return Status::of(unisono_session_set_role(get(), &id, role));
  }
  Status set_control_policy(unisono_control_policy policy) const {
    return Status::of(unisono_session_set_control_policy(get(), policy));
  }
  /// Nobody new is let in while it is closed.
  Status set_closed(bool closed) const { return Status::of(unisono_session_set_closed(get(), closed ? 1 : 0)); }
  /// Whoever has the link follows what the group plays, and takes part in nothing; unisono_session_open_audience.
  Status open_audience(const AudienceOptions &options = {}) const {
    for (const auto &reaction : options.reactions)
      if (!detail::is_whole(reaction)) return detail::not_whole();
    const auto reactions = detail::pointers(options.reactions);
    unisono_audience_options raw = UNISONO_AUDIENCE_OPTIONS_INIT;
    raw.ready_share = options.ready_share;
    raw.ready_wait = options.ready_wait.count();
    raw.reactions = reactions.empty() ? nullptr : reactions.data();
    raw.reaction_count = reactions.size();
    return Status::of(unisono_session_open_audience(get(), &raw));
  }
  /// Another link; who listens goes along.
  Status renew_audience() const { return Status::of(unisono_session_renew_audience(get())); }
  Status close_audience() const { return Status::of(unisono_session_close_audience(get())); }
  /// For Coordinator::listen; UNISONO_ESTATE: no audience is open here.
  Result<std::string> audience_link() const {
    return detail::got([&](char *buffer, std::size_t *length) { return unisono_session_audience_link(get(), buffer, length); });
  }
  /// Hands the invite to a listener who asked; UNISONO_ENOTFOUND: this one did not.
  Status invite_listener(const ParticipantID &listener) const {
    const unisono_participant_id id = listener.raw();
    return Status::of(unisono_session_invite_listener(get(), &id));
  }
  Status remove_participant(const ParticipantID &participant) const {
    const unisono_participant_id id = participant.raw();
    return Status::of(unisono_session_remove_participant(get(), &id));
  }

  /// fn is called exactly once, later; an empty fn: an event.
  Status prepare_for_activation(const Activity &activity, std::function<void(const ActivationEvent &)> fn) const {
    const unisono_activity raw = activity.raw();
    if (!fn) return Status::of(unisono_session_prepare_for_activation(get(), &raw, nullptr, nullptr));
    auto once = std::make_unique<std::function<void(const ActivationEvent &)>>(std::move(fn));
    const std::int32_t status = unisono_session_prepare_for_activation(get(), &raw, answered, once.get());
    if (status < 0) return Status::of(status);
    static_cast<void>(once.release());
    return {};
  }
  Status answer_consent(std::uint64_t request, unisono_activation_result answer, bool remember = false) const {
    return Status::of(unisono_session_answer_consent(get(), request, answer, remember));
  }

  /// `to` empty: to all others.
  Status send(
      const void *data, std::size_t length, unisono_delivery delivery = UNISONO_DELIVERY_RELIABLE,
      const std::vector<ParticipantID> &to = {}) const {
    std::vector<unisono_participant_id> ids;
    for (const auto &one : to) ids.push_back(one.raw());
    return Status::of(unisono_session_send(get(), data, length, delivery, ids.empty() ? nullptr : ids.data(), ids.size()));
  }
  /// Bytes that have a type, by which receivers tell them apart.
  Status send_typed(
      std::string_view type, std::uint32_t version, const void *data, std::size_t length,
      unisono_delivery delivery = UNISONO_DELIVERY_RELIABLE, const std::vector<ParticipantID> &to = {}) const {
    if (!detail::is_whole(type)) return detail::not_whole();
    std::vector<unisono_participant_id> ids;
    for (const auto &one : to) ids.push_back(one.raw());
    return Status::of(
        unisono_session_send_typed(
            get(), std::string(type).c_str(), version, data, length, delivery, ids.empty() ? nullptr : ids.data(),
            ids.size()));
  }
  /// Bytes that the others get when their playback is at a place of an item. `type` empty: none.
  Status send_at(
      std::string_view item, std::int64_t item_time, const void *data, std::size_t length, std::string_view type = {},
      std::uint32_t version = 0, const std::vector<ParticipantID> &to = {}) const {
    if (!detail::is_whole(item) || !detail::is_whole(type)) return detail::not_whole();
    std::vector<unisono_participant_id> ids;
    for (const auto &one : to) ids.push_back(one.raw());
    const std::string name(type);
    return Status::of(
        unisono_session_send_at(
            get(), std::string(item).c_str(), item_time, name.empty() ? nullptr : name.c_str(), version, data, length,
            ids.empty() ? nullptr : ids.data(), ids.size()));
  }
  Status send(
      std::string_view text, unisono_delivery delivery = UNISONO_DELIVERY_RELIABLE,
      const std::vector<ParticipantID> &to = {}) const {
    return send(text.data(), text.size(), delivery, to);
  }

  /// Says something in writing. Returns: the entry's number.
  Result<std::uint64_t> chat(const std::string &text) const {
    if (!detail::is_whole(text)) return detail::not_whole();
    std::uint64_t number = 0;
    const std::int32_t status = unisono_session_chat(get(), text.c_str(), &number);
    if (status < 0) return Status::of(status);
    return number;
  }
  Status react(const std::string &text) const {
    if (!detail::is_whole(text)) return detail::not_whole();
    return Status::of(unisono_session_react(get(), text.c_str()));
  }
  /// What is kept of what was said, in its order.
  Result<std::vector<ChatEntry>> chat_history() const {
    const unisono_chat *raw = nullptr;
    const std::int32_t status = unisono_session_chat_history(get(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_chat> owned(raw);
    std::vector<ChatEntry> all;
    for (std::size_t i = 0; i < raw->count; i++) all.emplace_back(*raw->items[i]);
    return all;
  }

  /// Puts an entry on the playlist; `before`: the one that it is to stand before, none: at the end. Returns: its id.
  Result<EntryID> add_entry(const PlaylistEntry &entry, const EntryID &before = EntryID()) const {
    if (!detail::is_whole(entry.item) || !detail::is_whole(entry.title)) return detail::not_whole();
    std::vector<const char *> addresses;
    for (const std::string &address : entry.addresses) {
      if (!detail::is_whole(address)) return detail::not_whole();
      addresses.push_back(address.c_str());
    }
    const unisono_copy copy = entry.copy.value_or(Copy()).raw();
    unisono_playlist_entry raw = UNISONO_PLAYLIST_ENTRY_INIT;
    raw.item = entry.item.c_str();
    raw.title = detail::or_null(entry.title);
    raw.copy = entry.copy ? &copy : nullptr;
    raw.addresses = addresses.empty() ? nullptr : addresses.data();
    raw.address_count = addresses.size();
    std::vector<unisono_range> ranges;
    for (const SkipRange &range : entry.ranges) ranges.push_back(unisono_range{range.begin.count(), range.end.count(), range.kind, 0});
    raw.ranges = ranges.empty() ? nullptr : ranges.data();
    raw.range_count = ranges.size();
    const unisono_entry_id place = before.raw();
    unisono_entry_id id{};
    const std::int32_t status = unisono_session_add_entry(get(), &raw, &place, &id);
    if (status < 0) return Status::of(status);
    return EntryID(id);
  }
  Status move_entry(const EntryID &entry, const EntryID &before = EntryID()) const {
    const unisono_entry_id id = entry.raw(), place = before.raw();
    return Status::of(unisono_session_move_entry(get(), &id, &place));
  }
  Status remove_entry(const EntryID &entry) const {
    const unisono_entry_id id = entry.raw();
    return Status::of(unisono_session_remove_entry(get(), &id));
  }
  /// The group goes to an entry.
  Status select_entry(const EntryID &entry) const {
    const unisono_entry_id id = entry.raw();
    return Status::of(unisono_session_select_entry(get(), &id));
  }
  /// The group goes on to the next entry; `follows`: unless it went on from that one already.
  Status next_entry(const EntryID &follows = EntryID()) const {
    const unisono_entry_id id = follows.raw();
    return Status::of(unisono_session_next_entry(get(), &id));
  }
  Result<Playlist> playlist() const {
    const unisono_playlist *raw = nullptr;
    const std::int32_t status = unisono_session_playlist(get(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_playlist> owned(raw);
    Playlist list;
    list.current = raw->current;
    for (std::size_t i = 0; i < raw->count; i++) list.entries.emplace_back(*raw->items[i]);
    return list;
  }
  /// Says which copy this participant plays of an entry; an entry of zeros: none any more.
  Status set_copy(const EntryID &entry, const Copy &copy) const {
    const unisono_entry_id id = entry.raw();
    const unisono_copy raw = copy.raw();
    return Status::of(unisono_session_set_copy(get(), &id, &raw));
  }
  /// How far this participant's copy of an entry is ahead of the group's item time; an entry of zeros: of the one that the group is at.
  Status set_cut_offset(const EntryID &entry, Duration offset) const {
    const unisono_entry_id id = entry.raw();
    return Status::of(unisono_session_set_cut_offset(get(), &id, offset.count()));
  }

  /// Everybody on an item begins to play at one time. `calendar_time`: what this person's clock shows then, ns since 1970.
  Status schedule_start(
      std::string_view item, HostTime at, std::int64_t calendar_time = UNISONO_TIME_INVALID) const {
    if (!detail::is_whole(item)) return detail::not_whole();
    return Status::of(
        unisono_session_schedule_start(get(), std::string(item).c_str(), at.time_since_epoch().count(), calendar_time));
  }
  /// Calls the scheduled start off.
  Status cancel_start() const { return Status::of(unisono_session_cancel_start(get())); }
  /// The start that is scheduled and still to come; none: nothing is.
  Result<std::optional<ScheduledStart>> scheduled_start() const {
    const unisono_scheduled_start *raw = nullptr;
    const std::int32_t status = unisono_session_scheduled_start(get(), &raw);
    if (status < 0) return Status::of(status);
    if (raw == nullptr) return std::optional<ScheduledStart>();
    detail::Owned<unisono_scheduled_start> owned(raw);
    return std::optional<ScheduledStart>(*raw);
  }

  /// Offers a file to the group; an empty name is the last part of the path. Returns: the request, which comes with what becomes of it.
  Result<std::uint64_t> attach(const std::string &path, const std::string &name = {}, const std::string &media_type = {}) const {
    if (!detail::is_whole(path) || !detail::is_whole(name) || !detail::is_whole(media_type)) return detail::not_whole();
    std::uint64_t request = 0;
    const std::int32_t status = unisono_session_attach(
        get(), path.c_str(), name.empty() ? nullptr : name.c_str(), media_type.c_str(), &request);
    if (status < 0) return Status::of(status);
    return request;
  }
  Result<std::uint64_t> attach_bytes(
      const void *data, std::size_t length, const std::string &name, const std::string &media_type = {}) const {
    if (!detail::is_whole(name) || !detail::is_whole(media_type)) return detail::not_whole();
    std::uint64_t request = 0;
    const std::int32_t status =
        unisono_session_attach_bytes(get(), data, length, name.c_str(), media_type.c_str(), &request);
    if (status < 0) return Status::of(status);
    return request;
  }
  /// What is offered to the group now, in the order in which it was offered.
  Result<std::vector<Attachment>> attachments() const {
    const unisono_attachments *raw = nullptr;
    const std::int32_t status = unisono_session_attachments(get(), &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_attachments> owned(raw);
    std::vector<Attachment> all;
    for (std::size_t i = 0; i < raw->count; i++) all.emplace_back(*raw->items[i]);
    return all;
  }
  /// Loads an attachment into a new file.
  Status load_attachment(const Attachment &attachment, const std::string &path) const {
    if (!detail::is_whole(path)) return detail::not_whole();
    const unisono_attachment_id id = attachment.raw_id();
    return Status::of(unisono_session_load_attachment(get(), &id, path.c_str()));
  }
  Status cancel_attachment(const Attachment &attachment) const {
    const unisono_attachment_id id = attachment.raw_id();
    return Status::of(unisono_session_cancel_attachment(get(), &id));
  }
  Status remove_attachment(const Attachment &attachment) const {
    const unisono_attachment_id id = attachment.raw_id();
    return Status::of(unisono_session_remove_attachment(get(), &id));
  }

  Status post_notice(const Notice &notice) const {
    if (!notice.is_whole()) return detail::not_whole();
    const unisono_notice raw = notice.raw();
    return Status::of(unisono_session_post_notice(get(), &raw));
  }
  Status set_deputies(const unisono_participant_id *deputies, std::size_t count, unisono_succession rule,
                      std::int64_t delay = 0) const {
    return Status::of(unisono_session_set_deputies(get(), deputies, count, rule, delay));
  }
  Result<unisono_succession_state> succession() const {
    unisono_succession_state out = UNISONO_SUCCESSION_STATE_INIT;
    const std::int32_t status = unisono_session_get_succession(get(), &out);
    if (status < 0) return Status::of(status);
    return out;
  }
  /** Asks those who may command; the request's number. */
  Result<std::uint64_t> request_command(const unisono_request &request) const {
    std::uint64_t number = 0;
    const std::int32_t status = unisono_session_request_command(get(), &request, &number);
    if (status < 0) return Status::of(status);
    return number;
  }
  Status answer_request(const unisono_participant_id &asker, std::uint64_t number, bool granted) const {
    return Status::of(unisono_session_answer_request(get(), &asker, number, granted ? 1 : 0));
  }
  Status request_foreground() const { return Status::of(unisono_session_request_foreground(get())); }
  Status set_speaking(bool speaking) const { return Status::of(unisono_session_set_speaking(get(), speaking)); }

  Result<unisono_session_statistics> statistics() const {
    unisono_session_statistics out = UNISONO_SESSION_STATISTICS_INIT;
    const std::int32_t status = unisono_session_get_statistics(get(), &out);
    if (status < 0) return Status::of(status);
    return out;
  }

  /// The line of session time against host time; for audio threads, too, but for the making of a Status after a failure.
  Result<Clock> clock() const {
    unisono_clock out = UNISONO_CLOCK_INIT;
    const std::int32_t status = unisono_session_clock(get(), &out);
    if (status < 0) return Status(status, unisono_strerror(status));
    Clock clock;
    clock.state = out.state;
    clock.epoch = out.epoch;
    clock.host_time = detail::host(out.host_time);
    clock.session_time = Duration(out.session_time);
    clock.rate = out.rate;
    clock.error_bound = Duration(out.error_bound);
    clock.error_growth = out.error_growth;
    return clock;
  }

 private:
  template <class Enumeration>
  static Result<Enumeration> enumerated(std::int32_t value) {
    if (value < 0) return Status::of(value);
    return static_cast<Enumeration>(value);
  }

  template <class Maker>
  static Result<Session> made(const SessionOptions &options, SessionCallbacks callbacks, Maker maker) {
    if (!detail::is_whole(options.display_name) || !detail::is_whole(options.hub)) return detail::not_whole();
    unisono_session_options raw = UNISONO_SESSION_OPTIONS_INIT;
    std::optional<detail::RawHubOptions> hub;
    if (options.hub_options) hub.emplace(*options.hub_options);
    unisono_activity activity = UNISONO_ACTIVITY_INIT;
    if (options.activity) activity = options.activity->raw();
    raw.control_policy = options.control_policy;
    raw.display_name = detail::or_null(options.display_name);
    raw.hub = detail::or_null(options.hub);
    raw.hub_options = hub ? hub->get() : nullptr;
    raw.activity = options.activity ? &activity : nullptr;
    raw.role = options.role;
    raw.no_standby_hub = options.no_standby_hub;
    raw.in_background = options.in_background;
    raw.continuation = options.continuation.empty() ? nullptr : options.continuation.data();
    raw.continuation_length = options.continuation.size();
    raw.continuation_key = options.continuation_key.empty() ? nullptr : options.continuation_key.data();
    raw.continuation_key_length = options.continuation_key.size();
    raw.continuation_age = options.continuation_age.count();
    const unisono_session_callbacks functions = detail::raw_callbacks(callbacks);
    unisono_session *out = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) { return maker(&raw, &functions, user, &out); });
    if (!status) return status;
    return Session(out);
  }

  static void UNISONO_CALL answered(void *user, const unisono_activation_event *event) noexcept {
    using Function = std::function<void(const ActivationEvent &)>;
    std::unique_ptr<Function> once(static_cast<Function *>(user));
    detail::guarded("prepare_for_activation", [&] { (*once)(ActivationEvent(*event)); });
  }
};

// ---- Coordinator ----------------------------------------------------------------------------------------------------

/// The player's side of a Coordinator. play, pause, seek and buffer belong together: all of them, or none and events.
struct Delegate {
  std::function<void(const Command &)> play, pause, seek, buffer;
  std::function<void(const ParticipantsEvent &)> participants_changed;
  std::function<void(const SuspensionsEvent &)> suspensions_changed;
  std::function<void(const TimingEvent &)> timing_changed;
  std::function<void(const ErrorEvent &)> error;
  std::function<void()> released;
  std::function<void(const ListeningEvent &)> listening_changed = {};
  std::function<void(const InviteEvent &)> invited = {};
};

/// Where the host's player really is; unisono_coordinator_report.
struct PlaybackReport {
  double rate = 0;
  bool stalled = false;
  std::optional<std::pair<ItemTime, HostTime>> position;
  std::optional<std::pair<ItemTime, ItemTime>> range;  // earliest, latest
};

/// A while in which a player takes no part; ended without a proposal when this goes.
class Suspension : public detail::Handle<unisono_suspension, unisono_suspension_destroy> {
 public:
  using Handle::Handle;
  Status end() const { return Status::of(unisono_suspension_end(get())); }
  Status end_proposing(ItemTime item_time) const { return Status::of(unisono_suspension_end_proposing(get(), item_time.count())); }
  Result<std::string> reason() const {
    return detail::got([&](char *buffer, std::size_t *length) { return unisono_suspension_reason(get(), buffer, length); });
  }
  Result<HostTime> begin_time() const {
    std::int64_t time = 0;
    const std::int32_t status = unisono_suspension_begin_time(get(), &time);
    if (status < 0) return Status::of(status);
    return detail::host(time);
  }
};

/// What a Coordinator does, whoever owns it: a player's coordinator is one, too. A name for it, to be copied freely.
class CoordinatorRef {
 public:
  CoordinatorRef() = default;
  explicit CoordinatorRef(unisono_coordinator *raw) noexcept : raw_(raw) {}
  unisono_coordinator *get() const noexcept { return raw_; }
  explicit operator bool() const noexcept { return raw_ != nullptr; }

  Status coordinate_with(const Session &session) const {
    return Status::of(unisono_coordinator_coordinate_with_session(raw_, session.get()));
  }
  /// Beside the session's first coordinator, under a name of its own; unisono_coordinator_coordinate_with_session_as.
  Status coordinate_with(const Session &session, std::string_view name) const {
    if (!detail::is_whole(name)) return detail::not_whole();
    const std::string text(name);
    return Status::of(unisono_coordinator_coordinate_with_session_as(raw_, session.get(), text.c_str()));
  }
  /// Follows an audience by its link; unisono_coordinator_listen.
  Status listen(std::string_view link) const {
    if (!detail::is_whole(link)) return detail::not_whole();
    return Status::of(unisono_coordinator_listen(raw_, std::string(link).c_str()));
  }
  /// On its own again, with what plays.
  Status stop_listening() const { return Status::of(unisono_coordinator_stop_listening(raw_)); }
  /// To the hosts of the audience that it listens to: wants to be invited; `text` may be "".
  Status ask_to_speak(std::string_view text = {}) const {
    if (!detail::is_whole(text)) return detail::not_whole();
    return Status::of(unisono_coordinator_ask_to_speak(raw_, text.empty() ? nullptr : std::string(text).c_str()));
  }
  Status say_to_hosts(std::string_view text) const {
    if (!detail::is_whole(text)) return detail::not_whole();
    return Status::of(unisono_coordinator_say_to_hosts(raw_, std::string(text).c_str()));
  }
  /// One of `reactions` of ListeningEvent, once in a second.
  Status react(std::string_view reaction) const {
    if (!detail::is_whole(reaction)) return detail::not_whole();
    return Status::of(unisono_coordinator_react(raw_, std::string(reaction).c_str()));
  }
  /// Goes on alone from where it is.
  Status coordinate_alone() const { return Status::of(unisono_coordinator_coordinate_with_session(raw_, nullptr)); }

  Status transition_to_item(std::string_view identifier, const std::optional<Timing> &proposal = {}) const {
    if (!detail::is_whole(identifier)) return detail::not_whole();
    const std::string text(identifier);
    unisono_timing raw = UNISONO_TIMING_INIT;
    if (proposal) {
      raw.rate = proposal->rate;
      raw.item_time = proposal->item_time.count();
      if (proposal->host_time) {
        raw.host_time = detail::lowered(*proposal->host_time);
        raw.flags = UNISONO_HAS_HOST_TIME;
      }
    }
    return Status::of(unisono_coordinator_transition_to_item(raw_, text.c_str(), proposal ? &raw : nullptr));
  }
  /// Nothing plays.
  Status transition_to_nothing() const { return Status::of(unisono_coordinator_transition_to_item(raw_, nullptr, nullptr)); }

  /// Empty: none.
  Result<std::string> current_item() const {
    return detail::got([&](char *buffer, std::size_t *length) { return unisono_coordinator_current_item(raw_, buffer, length); });
  }

  Status coordinate_rate_change(double rate, std::uint32_t options = 0) const {
    return Status::of(unisono_coordinator_coordinate_rate_change(raw_, rate, options));
  }
  Status play(double rate = 1) const { return coordinate_rate_change(rate); }
  Status pause() const { return coordinate_rate_change(0); }
  Status coordinate_seek(ItemTime item_time, std::uint32_t options = 0) const {
    return Status::of(unisono_coordinator_coordinate_seek(raw_, item_time.count(), options));
  }
  Status undo_jump() const { return Status::of(unisono_coordinator_undo_jump(raw_)); }

  Status complete(const Command &command) const { return Status::of(unisono_coordinator_complete(raw_, command.id)); }
  Status fail(const Command &command, std::int32_t status = UNISONO_EINTERNAL) const {
    return Status::of(unisono_coordinator_fail(raw_, command.id, status));
  }
  Status reapply_current_item_state() const { return Status::of(unisono_coordinator_reapply_current_item_state(raw_)); }

  /// Where this player should be; for audio threads, too, but for the making of a Status after a failure.
  Result<ItemTime> expected_item_time(HostTime time) const {
    std::int64_t out = UNISONO_TIME_INVALID;
    const std::int32_t status = unisono_coordinator_expected_item_time(raw_, detail::lowered(time), &out);
    if (status < 0) return Status(status, unisono_strerror(status));
    return ItemTime(out);
  }

  Result<Timing> timing() const {
    unisono_timing out = UNISONO_TIMING_INIT;
    const std::int32_t status = unisono_coordinator_timing(raw_, &out);
    if (status < 0) return Status(status, unisono_strerror(status));
    return Timing{out.state, out.rate, ItemTime(out.item_time), detail::maybe_host(out.host_time), Duration(out.error_bound)};
  }

  Result<Suspension> begin_suspension(std::string_view reason) const {
    if (!detail::is_whole(reason)) return detail::not_whole();
    unisono_suspension *out = nullptr;
    const std::int32_t status = unisono_coordinator_begin_suspension(raw_, std::string(reason).c_str(), &out);
    if (status < 0) return Status::of(status);
    return Suspension(out);
  }

  Result<std::vector<std::string>> suspension_reasons() const {
    const char *const *raw = nullptr;
    std::size_t count = 0;
    const std::int32_t status = unisono_coordinator_suspension_reasons(raw_, &raw, &count);
    if (status < 0) return Status::of(status);
    detail::Owned<const char *const> owned(raw);
    return detail::texts(raw, count);
  }

  Status set_waiting_reasons(const std::vector<std::string> &reasons) const {
    if (!std::all_of(reasons.begin(), reasons.end(), detail::is_whole)) return detail::not_whole();
    const auto raw = detail::pointers(reasons);
    return Status::of(unisono_coordinator_set_waiting_reasons(raw_, raw.empty() ? nullptr : raw.data(), raw.size()));
  }
  Status set_participant_limit(std::string_view reason, std::uint32_t limit) const {
    if (!detail::is_whole(reason)) return detail::not_whole();
    return Status::of(unisono_coordinator_set_participant_limit(raw_, std::string(reason).c_str(), limit));
  }
  Status set_pause_snaps_to_originator(bool snaps) const {
    return Status::of(unisono_coordinator_set_pause_snaps_to_originator(raw_, snaps));
  }
  Status set_prepares_ahead(bool prepares) const {
    return Status::of(unisono_coordinator_set_prepares_ahead(raw_, prepares));
  }
  Status set_wait_limit(Duration limit) const { return Status::of(unisono_coordinator_set_wait_limit(raw_, limit.count())); }
  /// Zero: as the library has it (300 ms, 10 s).
  Status set_stall_policy(bool wait, Duration debounce = Duration{0}, Duration limit = Duration{0}) const {
    unisono_stall_policy raw = UNISONO_STALL_POLICY_INIT;
    raw.wait = wait;
    raw.debounce = debounce.count();
    raw.limit = limit.count();
    return Status::of(unisono_coordinator_set_stall_policy(raw_, &raw));
  }
  Status set_action_at_end(unisono_action_at_end action) const {
    return Status::of(unisono_coordinator_set_action_at_end(raw_, action));
  }
  Result<unisono_action_at_end> action_at_end() const {
    const std::int32_t status = unisono_coordinator_action_at_end(raw_);
    if (status < 0) return Status::of(status);
    return static_cast<unisono_action_at_end>(status);
  }
  /// kinds: bits of unisono_range_kind that the group leaves out.
  Status set_skipped_ranges(std::uint32_t kinds) const { return Status::of(unisono_coordinator_set_skipped_ranges(raw_, kinds)); }
  Result<std::uint32_t> skipped_ranges() const {
    const std::int32_t status = unisono_coordinator_skipped_ranges(raw_);
    if (status < 0) return Status::of(status);
    return static_cast<std::uint32_t>(status);
  }
  /// Of the own copy of an item; none: all of it is the group's.
  Status set_interstitials(std::string_view identifier, const std::vector<Interstitial> &ranges) const {
    if (!detail::is_whole(identifier)) return detail::not_whole();
    const std::string text(identifier);
    std::vector<unisono_interstitial> raw;
    for (const Interstitial &range : ranges) raw.push_back(unisono_interstitial{range.begin.count(), range.end.count()});
    return Status::of(unisono_coordinator_set_interstitials(raw_, text.c_str(), raw.empty() ? nullptr : raw.data(), raw.size()));
  }
  /// Zero: as the library has it (60 s).
  Status set_start_policy(
      unisono_start_rule start, Duration limit = Duration{0}, unisono_leaving_rule leaving = UNISONO_LEAVING_GO_ON) const {
    unisono_start_policy raw = UNISONO_START_POLICY_INIT;
    raw.start = start;
    raw.limit = limit.count();
    raw.leaving = leaving;
    return Status::of(unisono_coordinator_set_start_policy(raw_, &raw));
  }
  Result<unisono_start_policy> start_policy() const {
    unisono_start_policy out = UNISONO_START_POLICY_INIT;
    const std::int32_t status = unisono_coordinator_get_start_policy(raw_, &out);
    if (status < 0) return Status::of(status);
    return out;
  }
  Status set_ready(unisono_readiness readiness) const {
    return Status::of(unisono_coordinator_set_ready(raw_, readiness));
  }
  /// The start that waits for persons goes on without those of these participants; none: without waiting for any.
  Status start_without(const std::vector<ParticipantID> &participants = {}) const {
    std::vector<unisono_participant_id> ids;
    for (const ParticipantID &one : participants) ids.push_back(one.raw());
    return Status::of(unisono_coordinator_start_without(raw_, ids.data(), ids.size()));
  }
  Status set_output_offset(Duration offset) const { return Status::of(unisono_coordinator_set_output_offset(raw_, offset.count())); }

  Status report(const PlaybackReport &report) const {
    unisono_playback_report raw = UNISONO_PLAYBACK_REPORT_INIT;
    raw.stalled = report.stalled;
    raw.rate = report.rate;
    if (report.position) {
      raw.flags |= UNISONO_HAS_POSITION;
      raw.item_time = report.position->first.count();
      raw.host_time = detail::lowered(report.position->second);
    }
    if (report.range) {
      raw.flags |= UNISONO_HAS_RANGE;
      raw.earliest = report.range->first.count();
      raw.latest = report.range->second.count();
    }
    return Status::of(unisono_coordinator_report(raw_, &raw));
  }

  /// What the player says of itself: true, a person did it at the player's own controls; false, the echo of a command.
  Result<bool> is_wish(unisono_motion motion, double value) const {
    const std::int32_t status = unisono_coordinator_is_wish(raw_, motion, value);
    if (status < 0) return Status::of(status);
    return status == 1;
  }
  /// This host commands its player, which will say so: no wish. Over the player layer the library knows it.
  Status expect_motion(unisono_motion motion, double value) const {
    return Status::of(unisono_coordinator_expect_motion(raw_, motion, value));
  }

  Result<std::vector<Participant>> other_participants() const {
    const unisono_participants *raw = nullptr;
    const std::int32_t status = unisono_coordinator_other_participants(raw_, &raw);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_participants> owned(raw);
    return detail::participants(raw->items, raw->count);
  }

  Result<std::vector<WaitingFor>> waiting_for() const {
    const unisono_waiting_for *raw = nullptr;
    std::size_t count = 0;
    const std::int32_t status = unisono_coordinator_waiting_for(raw_, &raw, &count);
    if (status < 0) return Status::of(status);
    detail::Owned<unisono_waiting_for> owned(raw);
    std::vector<WaitingFor> found;
    for (std::size_t index = 0; index < count; index++) found.push_back({raw[index].participant, detail::text(raw[index].reason)});
    return found;
  }

  Result<unisono_coordinator_statistics> statistics() const {
    unisono_coordinator_statistics out = UNISONO_COORDINATOR_STATISTICS_INIT;
    const std::int32_t status = unisono_coordinator_get_statistics(raw_, &out);
    if (status < 0) return Status::of(status);
    return out;
  }

 private:
  unisono_coordinator *raw_ = nullptr;
};

/// The group's voice to one player.
class Coordinator : public CoordinatorRef {
 public:
  /// An empty delegate: everything goes to the event queue.
  static Result<Coordinator> create(const Context &context, Delegate delegate = {}) {
    unisono_playback_delegate raw = UNISONO_PLAYBACK_DELEGATE_INIT;
    if (delegate.play) raw.play = carry_out<&Delegate::play>;
    if (delegate.pause) raw.pause = carry_out<&Delegate::pause>;
    if (delegate.seek) raw.seek = carry_out<&Delegate::seek>;
    if (delegate.buffer) raw.buffer = carry_out<&Delegate::buffer>;
    detail::bind<&Delegate::participants_changed, ParticipantsEvent>(raw.participants_changed, delegate);
    detail::bind<&Delegate::suspensions_changed, SuspensionsEvent>(raw.suspensions_changed, delegate);
    detail::bind<&Delegate::timing_changed, TimingEvent>(raw.timing_changed, delegate);
    detail::bind<&Delegate::listening_changed, ListeningEvent>(raw.listening_changed, delegate);
    detail::bind<&Delegate::invited, InviteEvent>(raw.invited, delegate);
    detail::bind<&Delegate::error, ErrorEvent>(raw.error, delegate);
    raw.released = detail::Box<Delegate>::released;
    const bool has_any = delegate.play || delegate.pause || delegate.seek || delegate.buffer || delegate.participants_changed ||
                         delegate.suspensions_changed || delegate.timing_changed || delegate.listening_changed || delegate.invited ||
                         delegate.error || delegate.released;
    unisono_coordinator *out = nullptr;
    if (!has_any) {
      const std::int32_t status = unisono_coordinator_create(context.get(), nullptr, nullptr, &out);
      if (status < 0) return Status::of(status);
      return Coordinator(out);
    }
    Status status = detail::made(std::move(delegate), [&](void *user) {
      return unisono_coordinator_create(context.get(), &raw, user, &out);
    });
    if (!status) return status;
    return Coordinator(out);
  }

  Coordinator() = default;
  explicit Coordinator(unisono_coordinator *raw) noexcept : CoordinatorRef(raw), owned_(raw) {}
  Coordinator(Coordinator &&other) noexcept : CoordinatorRef(other.get()), owned_(std::move(other.owned_)) {
    static_cast<CoordinatorRef &>(other) = CoordinatorRef();
  }
  Coordinator &operator=(Coordinator &&other) noexcept {
    if (this != &other) {
      owned_ = std::move(other.owned_);
      static_cast<CoordinatorRef &>(*this) = CoordinatorRef(owned_.get());
      static_cast<CoordinatorRef &>(other) = CoordinatorRef();
    }
    return *this;
  }

 private:
  /// A command that the function throws out of is answered as failed.
  template <std::function<void(const Command &)> Delegate::*member>
  static void UNISONO_CALL carry_out(void *user, const unisono_command *command) noexcept {
    const bool done = detail::guarded("command", [&] { (detail::functions_of<Delegate>(user).*member)(Command(*command)); });
    if (!done) unisono_coordinator_fail(static_cast<unisono_coordinator *>(command->base.source), command->id, UNISONO_EINTERNAL);
  }

  detail::Handle<unisono_coordinator, unisono_coordinator_destroy> owned_;
};

// ---- Player ---------------------------------------------------------------------------------------------------------

/// What draws and sounds; unisono_renderer. load, play, pause, seek and stop belong together, or none and events.
struct Renderer {
  std::uint32_t capabilities = 0;  // UNISONO_RENDERER_...
  double nudge_limit = 0;
  Duration dead_band{0};
  std::function<void(const RendererCommand &)> load, cue, play, pause, seek, nudge, set_volume, set_render_size, stop;
  /// Where it is and when that held; none: not known. Empty: POSITIONs are reported.
  std::function<std::optional<std::pair<ItemTime, HostTime>>()> now;
  std::function<void()> released;
};

/// Answers a RendererCommand, with its request, or tells what happened by itself; unisono_player_report.
struct RendererReport {
  unisono_renderer_state state = UNISONO_RENDERER_POSITION;
  std::uint64_t request = 0;
  std::optional<std::pair<ItemTime, HostTime>> position;
  std::optional<Duration> duration;                       // none: not said; Duration::max(): live
  std::optional<std::pair<ItemTime, ItemTime>> seekable;  // start, end
  std::int32_t status = UNISONO_OK;
  std::string message;
};

struct PlayerItem {
  std::string identifier;
  std::string uri;  // empty: the identifier
  ItemTime start_time{0};
  std::optional<Duration> duration;
  bool is_live = false;
};

struct PlayerCallbacks {
  std::function<void(const PlayerEvent &)> time_control, rate_changed, time_jumped, item_state, item_ended, seek_done;
  std::function<void(const ErrorEvent &)> error;
  std::function<void()> released;
  std::function<void(const ListeningEvent &)> listening_changed = {};  // of the player's coordinator
  std::function<void(const InviteEvent &)> invited = {};  // its coordinator, by who it listens to
};

struct SurfaceCallbacks {
  std::function<void(const SurfaceEvent &)> changed, skipped, will_begin, will_end, restore_user_interface;
  std::function<void()> released;
};

/// A player over the host's renderer, which keeps it in step with the group.
class Player : public detail::Handle<unisono_player, unisono_player_destroy> {
 public:
  using Handle::Handle;

  /// An empty renderer: every command is an event.
  static Result<Player> create(const Context &context, Renderer renderer, PlayerCallbacks callbacks = {}) {
    unisono_renderer raw = UNISONO_RENDERER_INIT;
    raw.capabilities = renderer.capabilities;
    raw.nudge_limit = renderer.nudge_limit;
    raw.dead_band = renderer.dead_band.count();
    if (renderer.load) raw.load = carry_out<&Renderer::load>;
    if (renderer.cue) raw.cue = carry_out<&Renderer::cue>;
    if (renderer.play) raw.play = carry_out<&Renderer::play>;
    if (renderer.pause) raw.pause = carry_out<&Renderer::pause>;
    if (renderer.seek) raw.seek = carry_out<&Renderer::seek>;
    detail::bind<&Renderer::nudge, RendererCommand>(raw.nudge, renderer);
    detail::bind<&Renderer::set_volume, RendererCommand>(raw.set_volume, renderer);
    detail::bind<&Renderer::set_render_size, RendererCommand>(raw.set_render_size, renderer);
    detail::bind<&Renderer::stop, RendererCommand>(raw.stop, renderer);
    if (renderer.now) raw.now = now;
    raw.released = detail::Box<Renderer>::released;

    unisono_player_callbacks functions = UNISONO_PLAYER_CALLBACKS_INIT;
    detail::bind<&PlayerCallbacks::time_control, PlayerEvent>(functions.time_control, callbacks);
    detail::bind<&PlayerCallbacks::rate_changed, PlayerEvent>(functions.rate_changed, callbacks);
    detail::bind<&PlayerCallbacks::time_jumped, PlayerEvent>(functions.time_jumped, callbacks);
    detail::bind<&PlayerCallbacks::item_state, PlayerEvent>(functions.item_state, callbacks);
    detail::bind<&PlayerCallbacks::item_ended, PlayerEvent>(functions.item_ended, callbacks);
    detail::bind<&PlayerCallbacks::seek_done, PlayerEvent>(functions.seek_done, callbacks);
    detail::bind<&PlayerCallbacks::listening_changed, ListeningEvent>(functions.listening_changed, callbacks);
    detail::bind<&PlayerCallbacks::invited, InviteEvent>(functions.invited, callbacks);
    detail::bind<&PlayerCallbacks::error, ErrorEvent>(functions.error, callbacks);
    functions.released = detail::Box<PlayerCallbacks>::released;

    unisono_player *out = nullptr;
    Status status = detail::made(std::move(renderer), [&](void *renderer_user) {
      std::int32_t code = UNISONO_OK;
      Status inner = detail::made(std::move(callbacks), [&](void *user) {
        return code = unisono_player_create(context.get(), &raw, renderer_user, &functions, user, &out);
      });
      return code;
    });
    if (!status) return status;
    return Player(out);
  }

  /// For coordinate_with, settings and reading; lives as long as the player.
  CoordinatorRef coordinator() const {
    unisono_coordinator *borrowed = nullptr;
    unisono_player_coordinator(get(), &borrowed);
    return CoordinatorRef(borrowed);
  }

  Status insert_item(const PlayerItem &item, const std::optional<std::string> &after = {}) const {
    return with(item, [&](const unisono_player_item *raw) {
      return unisono_player_insert_item(get(), raw, after ? after->c_str() : nullptr);
    });
  }
  Status remove_item(const std::string &identifier) const {
    if (!detail::is_whole(identifier)) return detail::not_whole();
    return Status::of(unisono_player_remove_item(get(), identifier.c_str()));
  }
  Status advance() const { return Status::of(unisono_player_advance(get())); }
  Status replace_current_item(const PlayerItem &item) const {
    return with(item, [&](const unisono_player_item *raw) { return unisono_player_replace_current_item(get(), raw); });
  }
  /// Nothing plays.
  Status clear_current_item() const { return Status::of(unisono_player_replace_current_item(get(), nullptr)); }

  Status play(std::uint32_t options = 0) const { return Status::of(unisono_player_play(get(), options)); }
  Status pause() const { return Status::of(unisono_player_pause(get())); }
  Status set_rate(double rate, std::uint32_t options = 0) const {
    return Status::of(unisono_player_set_rate(get(), rate, options));
  }
  /// Its number in SEEK_DONE.
  Result<std::uint64_t> seek(
      ItemTime item_time, Duration tolerance_before = Duration{0}, Duration tolerance_after = Duration{0}) const {
    std::uint64_t request = 0;
    const std::int32_t status =
        unisono_player_seek(get(), item_time.count(), tolerance_before.count(), tolerance_after.count(), &request);
    if (status < 0) return Status::of(status);
    return request;
  }
  Status begin_scrub() const { return Status::of(unisono_player_begin_scrub(get())); }
  Status scrub_to(ItemTime item_time) const { return Status::of(unisono_player_scrub_to(get(), item_time.count())); }
  Status end_scrub(bool commit) const { return Status::of(unisono_player_end_scrub(get(), commit)); }
  /// Rate 0: twice as fast.
  Status replay(Duration back, double rate = 0) const { return Status::of(unisono_player_replay(get(), back.count(), rate)); }

  Result<unisono_time_control> time_control() const {
    return enumerated<unisono_time_control>(unisono_player_time_control(get()));
  }
  Result<unisono_waiting_reason> waiting_reason() const {
    return enumerated<unisono_waiting_reason>(unisono_player_waiting_reason(get()));
  }
  Result<unisono_item_state> item_state() const { return enumerated<unisono_item_state>(unisono_player_item_state(get())); }
  /// The position, and when it held.
  Result<std::pair<ItemTime, HostTime>> current_time() const {
    std::int64_t item_time = 0, host_time = 0;
    const std::int32_t status = unisono_player_current_time(get(), &item_time, &host_time);
    if (status < 0) return Status::of(status);
    return std::pair(ItemTime(item_time), detail::host(host_time));
  }

  Status begin_interruption() const { return Status::of(unisono_player_begin_interruption(get())); }
  Status end_interruption(bool should_resume) const { return Status::of(unisono_player_end_interruption(get(), should_resume)); }
  Status begin_interstitial() const { return Status::of(unisono_player_begin_interstitial(get())); }
  Status end_interstitial() const { return Status::of(unisono_player_end_interstitial(get())); }
  Status set_volume(double volume) const { return Status::of(unisono_player_set_volume(get(), volume)); }

  Status report(const RendererReport &report) const {
    if (!detail::is_whole(report.message)) return detail::not_whole();
    unisono_renderer_report raw = UNISONO_RENDERER_REPORT_INIT;
    raw.state = report.state;
    raw.request = report.request;
    raw.duration = detail::lowered(report.duration);
    raw.status = report.status;
    raw.message = detail::or_null(report.message);
    if (report.position) {
      raw.flags |= UNISONO_HAS_POSITION;
      raw.item_time = report.position->first.count();
      raw.host_time = detail::lowered(report.position->second);
    }
    if (report.seekable) {
      raw.flags |= UNISONO_HAS_RANGE;
      raw.seekable_start = report.seekable->first.count();
      raw.seekable_end = report.seekable->second.count();
    }
    return Status::of(unisono_player_report(get(), &raw));
  }

  Result<unisono_player_statistics> statistics() const {
    unisono_player_statistics out = UNISONO_PLAYER_STATISTICS_INIT;
    const std::int32_t status = unisono_player_get_statistics(get(), &out);
    if (status < 0) return Status::of(status);
    return out;
  }

 private:
  template <class Enumeration>
  static Result<Enumeration> enumerated(std::int32_t value) {
    if (value < 0) return Status::of(value);
    return static_cast<Enumeration>(value);
  }

  template <class Body>
  static Status with(const PlayerItem &item, Body body) {
    if (!detail::is_whole(item.identifier) || !detail::is_whole(item.uri)) return detail::not_whole();
    unisono_player_item raw = UNISONO_PLAYER_ITEM_INIT;
    raw.is_live = item.is_live;
    raw.identifier = detail::or_null(item.identifier);
    raw.uri = detail::or_null(item.uri);
    raw.start_time = item.start_time.count();
    raw.duration = detail::lowered(item.duration);
    return Status::of(body(&raw));
  }

  /// A command that the function throws out of is answered as failed.
  template <std::function<void(const RendererCommand &)> Renderer::*member>
  static void UNISONO_CALL carry_out(void *user, const unisono_renderer_command *command) noexcept {
    const bool done =
        detail::guarded("renderer", [&] { (detail::functions_of<Renderer>(user).*member)(RendererCommand(*command)); });
    if (done) return;
    unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
    report.state = UNISONO_RENDERER_FAILED;
    report.request = command->request;
    report.status = UNISONO_EINTERNAL;
    report.message = "an exception left the renderer";
    unisono_player_report(static_cast<unisono_player *>(command->base.source), &report);
  }

  static std::int32_t UNISONO_CALL now(void *user, std::int64_t *item_time, std::int64_t *host_time) noexcept {
    std::int32_t status = UNISONO_ESTATE;
    detail::guarded("now", [&] {
      if (const auto position = detail::functions_of<Renderer>(user).now()) {
        *item_time = position->first.count();
        *host_time = detail::lowered(position->second);
        status = UNISONO_OK;
      }
    });
    return status;
  }
};

/// A place where a player is shown and controlled.
class Surface : public detail::Handle<unisono_surface, unisono_surface_destroy> {
 public:
  using Handle::Handle;

  static Result<Surface> create(const Player &player, unisono_surface_kind kind, SurfaceCallbacks callbacks = {}) {
    unisono_surface_callbacks raw = UNISONO_SURFACE_CALLBACKS_INIT;
    detail::bind<&SurfaceCallbacks::changed, SurfaceEvent>(raw.changed, callbacks);
    detail::bind<&SurfaceCallbacks::skipped, SurfaceEvent>(raw.skipped, callbacks);
    detail::bind<&SurfaceCallbacks::will_begin, SurfaceEvent>(raw.will_begin, callbacks);
    detail::bind<&SurfaceCallbacks::will_end, SurfaceEvent>(raw.will_end, callbacks);
    detail::bind<&SurfaceCallbacks::restore_user_interface, SurfaceEvent>(raw.restore_user_interface, callbacks);
    raw.released = detail::Box<SurfaceCallbacks>::released;
    unisono_surface *out = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) {
      return unisono_surface_create(player.get(), kind, &raw, user, &out);
    });
    if (!status) return status;
    return Surface(out);
  }

  Status begin() const { return Status::of(unisono_surface_begin(get())); }
  Status end() const { return Status::of(unisono_surface_end(get())); }
  Status set_playing(bool playing) const { return Status::of(unisono_surface_set_playing(get(), playing)); }
  /// Its number in SKIPPED.
  Result<std::uint64_t> skip_by(Duration interval) const {
    std::uint64_t request = 0;
    const std::int32_t status = unisono_surface_skip_by(get(), interval.count(), &request);
    if (status < 0) return Status::of(status);
    return request;
  }
  struct TimeRange {
    std::optional<ItemTime> start;     // none: nothing to play
    std::optional<Duration> duration;  // none: not known; Duration::max(): live
  };
  Result<TimeRange> time_range() const {
    std::int64_t start = 0, duration = 0;
    const std::int32_t status = unisono_surface_time_range(get(), &start, &duration);
    if (status < 0) return Status::of(status);
    return TimeRange{detail::maybe_time(start), detail::maybe_time(duration)};
  }
  Result<bool> is_paused() const {
    const std::int32_t paused = unisono_surface_is_paused(get());
    if (paused < 0) return Status::of(paused);
    return paused != 0;
  }
  Status set_render_size(std::int32_t width, std::int32_t height) const {
    return Status::of(unisono_surface_set_render_size(get(), width, height));
  }
  Status complete_restore(std::uint64_t request, bool restored) const {
    return Status::of(unisono_surface_complete_restore(get(), request, restored));
  }
};

// ---- Hub and nearby -------------------------------------------------------------------------------------------------

struct HubCallbacks {
  std::function<void()> released;
};

/// A hub of one's own in this process.
class Hub : public detail::Handle<unisono_hub, unisono_hub_destroy> {
 public:
  using Handle::Handle;

  static Result<Hub> create(const Context &context, const HubOptions &options = {}, HubCallbacks callbacks = {}) {
    const detail::RawHubOptions raw(options);
    unisono_hub_callbacks functions = UNISONO_HUB_CALLBACKS_INIT;
    functions.released = detail::Box<HubCallbacks>::released;
    unisono_hub *out = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) {
      return unisono_hub_create(context.get(), raw.get(), &functions, user, &out);
    });
    if (!status) return status;
    return Hub(out);
  }

  /// By which sessions use it (SessionOptions::hub), one for each of its addresses: "unisono-hub://host:port/id".
  Result<std::vector<std::string>> lines() const { return detail_addresses(get(), unisono_hub_line); }

  Result<unisono_hub_statistics> statistics() const {
    unisono_hub_statistics out = UNISONO_HUB_STATISTICS_INIT;
    const std::int32_t status = unisono_hub_get_statistics(get(), &out);
    if (status < 0) return Status::of(status);
    return out;
  }

 private:
  template <class Raw>
  static Result<std::vector<std::string>> detail_addresses(
      Raw *raw, std::int32_t(UNISONO_CALL *address)(Raw *, std::size_t, char *, std::size_t *)) {
    std::vector<std::string> found;
    for (std::size_t index = 0;; index++) {
      auto one = detail::got([&](char *buffer, std::size_t *length) { return address(raw, index, buffer, length); });
      if (one.status().code() == UNISONO_ENOTFOUND) return found;
      if (!one) return one.status();
      found.push_back(*std::move(one));
    }
  }
  friend class Advertiser;
};

struct Service {
  std::string identifier, usage_description;
  std::string device_name;      // empty: the context's
  std::uint32_t platforms = 0;  // UNISONO_PLATFORM_...; 0: any
  std::uint32_t platform = 0;   // 0: found out
};

struct AdvertiserCallbacks {
  std::function<void(const NearbyEvent &)> join_requested, join_withdrawn, invite;
  std::function<void(const ErrorEvent &)> error;
  std::function<void()> released;
};

struct BrowserCallbacks {
  std::function<void(const NearbyEvent &)> found, updated, lost, digits, invite, failed;
  std::function<void(const ErrorEvent &)> error;
  std::function<void()> released;
};

namespace detail {
inline bool is_whole_service(const Service &service) noexcept {
  return is_whole(service.identifier) && is_whole(service.usage_description) && is_whole(service.device_name);
}
inline unisono_service raw_service(const Service &service) noexcept {
  unisono_service raw = UNISONO_SERVICE_INIT;
  raw.platforms = service.platforms;
  raw.platform = service.platform;
  raw.identifier = or_null(service.identifier);
  raw.usage_description = or_null(service.usage_description);
  raw.device_name = or_null(service.device_name);
  return raw;
}
}  // namespace detail

/// Says on the local network that this device is here, and takes asks.
class Advertiser : public detail::Handle<unisono_advertiser, unisono_advertiser_destroy> {
 public:
  using Handle::Handle;

  /// session null: others may ask this device to come into theirs.
  static Result<Advertiser> create(
      const Context &context, const Session *session, const Service &service, AdvertiserCallbacks callbacks = {}) {
    if (!detail::is_whole_service(service)) return detail::not_whole();
    const unisono_service raw = detail::raw_service(service);
    unisono_advertiser_callbacks functions = UNISONO_ADVERTISER_CALLBACKS_INIT;
    detail::bind<&AdvertiserCallbacks::join_requested, NearbyEvent>(functions.join_requested, callbacks);
    detail::bind<&AdvertiserCallbacks::join_withdrawn, NearbyEvent>(functions.join_withdrawn, callbacks);
    detail::bind<&AdvertiserCallbacks::invite, NearbyEvent>(functions.invite, callbacks);
    detail::bind<&AdvertiserCallbacks::error, ErrorEvent>(functions.error, callbacks);
    functions.released = detail::Box<AdvertiserCallbacks>::released;
    unisono_advertiser *out = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) {
      return unisono_advertiser_create(
          context.get(), session != nullptr ? session->get() : nullptr, &raw, &functions, user, &out);
    });
    if (!status) return status;
    return Advertiser(out);
  }

  /// "host:port", for people to type.
  Result<std::vector<std::string>> addresses() const { return Hub::detail_addresses(get(), unisono_advertiser_address); }
};

/// Looks for devices that advertise a service.
class Browser : public detail::Handle<unisono_browser, unisono_browser_destroy> {
 public:
  using Handle::Handle;

  static Result<Browser> create(const Context &context, const Service &service, BrowserCallbacks callbacks = {}) {
    if (!detail::is_whole_service(service)) return detail::not_whole();
    const unisono_service raw = detail::raw_service(service);
    unisono_browser_callbacks functions = UNISONO_BROWSER_CALLBACKS_INIT;
    detail::bind<&BrowserCallbacks::found, NearbyEvent>(functions.found, callbacks);
    detail::bind<&BrowserCallbacks::updated, NearbyEvent>(functions.updated, callbacks);
    detail::bind<&BrowserCallbacks::lost, NearbyEvent>(functions.lost, callbacks);
    detail::bind<&BrowserCallbacks::digits, NearbyEvent>(functions.digits, callbacks);
    detail::bind<&BrowserCallbacks::invite, NearbyEvent>(functions.invite, callbacks);
    detail::bind<&BrowserCallbacks::failed, NearbyEvent>(functions.failed, callbacks);
    detail::bind<&BrowserCallbacks::error, ErrorEvent>(functions.error, callbacks);
    functions.released = detail::Box<BrowserCallbacks>::released;
    unisono_browser *out = nullptr;
    Status status = detail::made(std::move(callbacks), [&](void *user) {
      return unisono_browser_create(context.get(), &raw, &functions, user, &out);
    });
    if (!status) return status;
    return Browser(out);
  }

  /// The device's number.
  Result<std::uint64_t> add_address(const std::string &address) const {
    if (!detail::is_whole(address)) return detail::not_whole();
    std::uint64_t device = 0;
    const std::int32_t status = unisono_browser_add_address(get(), address.c_str(), &device);
    if (status < 0) return Status::of(status);
    return device;
  }
  Status connect(std::uint64_t device) const { return Status::of(unisono_browser_connect(get(), device)); }
  Status invite(std::uint64_t device, const Session &session) const {
    return Status::of(unisono_browser_invite(get(), device, session.get()));
  }
  Status confirm(std::uint64_t device, bool digits_match) const {
    return Status::of(unisono_browser_confirm(get(), device, digits_match));
  }
};

/** Payloads that have no type of their own here yet; NULL where the event is another one. */
inline const unisono_succession_event *succession_of(const unisono_context_event *event) noexcept {
  return unisono_event_succession(event);
}
inline const unisono_request_event *request_of(const unisono_context_event *event) noexcept {
  return unisono_event_request(event);
}
inline const unisono_ignored_event *ignored_of(const unisono_context_event *event) noexcept {
  return unisono_event_ignored(event);
}

}  // namespace unisono

/// So that ids can be keys of unordered containers.
template <>
struct std::hash<unisono::ParticipantID> {
  std::size_t operator()(const unisono::ParticipantID &id) const noexcept {
    // The bytes are a hash already.
    std::size_t value = 0;
    for (std::size_t index = 0; index < sizeof value; index++) value = value << 8 | id.bytes()[index];
    return value;
  }
};

#endif  // UNISONO_HPP
