// unisono.hpp over real sessions: two contexts of one process. Says what it found as TAP.
#include <unisono.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

using namespace std::chrono_literals;

namespace {

// ---- A small harness ------------------------------------------------------------------------------------------------

int tests = 0, failed = 0;
bool holds = true;

void check(bool condition, const char *what, int line) {
  if (condition) return;
  holds = false;
  std::printf("# line %d: not so: %s\n", line, what);
}
#define CHECK(condition) check(static_cast<bool>(condition), #condition, __LINE__)

void run(const char *sentence, void (*body)()) {
  holds = true;
  body();
  tests++;
  if (!holds) failed++;
  std::printf("%s %d - %s\n", holds ? "ok" : "not ok", tests, sentence);
  std::fflush(stdout);
}

/// Polls all contexts in turn until it is so, for at most twenty seconds.
template <class Condition>
bool until(std::initializer_list<const unisono::Context *> contexts, Condition condition) {
  const auto end = unisono::HostClock::now() + 20s;
  while (!condition()) {
    if (unisono::HostClock::now() > end) return false;
    for (const auto *context : contexts) {
      if (!context->poll(1ms)) return false;
    }
  }
  return true;
}

unisono::SessionOptions loopback(std::string name) {
  unisono::SessionOptions options;
  options.display_name = std::move(name);
  options.hub_options.emplace().listen = {"127.0.0.1:0"};
  return options;
}

/// Says in `alive` whether it is: for looking whether functions are kept, and let go once.
struct Witness {
  std::shared_ptr<int> alive = std::make_shared<int>(0);
  std::weak_ptr<int> seen = alive;
};

// ---- A coordinator's player: a line ---------------------------------------------------------------------------------

struct Line {
  explicit Line(const char *who) : name(who) {}
  std::string name;
  unisono::Context context = unisono::Context::create().value();
  unisono::Session session;
  unisono::Coordinator coordinator;
  int plays = 0, pauses = 0, seeks = 0, messages = 0;
  std::string said, noticed, read, shown;
  std::optional<std::uint32_t> compared;
  std::vector<unisono_attachment_change> changes;
  unisono::Attachment attachment;
  std::vector<unisono::Participant> there;
  bool throws = false;
  std::optional<unisono::Command> last;

  unisono::SessionCallbacks callbacks() {
    unisono::SessionCallbacks callbacks;
    callbacks.message = [this](const unisono::MessageEvent &message) {
      messages++;
      said = message.text();
    };
    callbacks.notice = [this](const unisono::NoticeEvent &event) {
      if (event.notice.kind == UNISONO_NOTICE_CUSTOM) noticed = event.notice.text;
    };
    callbacks.chat = [this](const unisono::ChatEvent &event) {
      read += event.entry.name + ": " + event.entry.text + (event.own ? " (own)" : "") + (event.is_history ? " (before)" : "");
    };
    callbacks.playlist = [this](const unisono::PlaylistEvent &event) {
      if (event.current_changed) shown = event.item;
    };
    callbacks.copy = [this](const unisono::CopyEvent &event) { compared = event.differs; };
    callbacks.attachment = [this](const unisono::AttachmentEvent &event) {
      if (event.change != UNISONO_ATTACHMENT_PROGRESS) changes.push_back(event.change);
      attachment = event.attachment;
    };
    callbacks.participants = [this](const unisono::ParticipantsEvent &event) {
      if (event.is_complete) there.clear();
      there.insert(there.end(), event.joined.begin(), event.joined.end());
    };
    return callbacks;
  }

  void coordinate() {
    unisono::Delegate delegate;
    const auto carry_out = [this](int Line::*count) {
      return [this, count](const unisono::Command &command) {
        (this->*count)++;
        last = command;
#if UNISONO_EXCEPTIONS
        if (throws) throw std::runtime_error("the decoder is gone");
#endif
        coordinator.complete(command).check();
      };
    };
    delegate.play = carry_out(&Line::plays);
    delegate.pause = carry_out(&Line::pauses);
    delegate.seek = delegate.buffer = carry_out(&Line::seeks);
    coordinator = unisono::Coordinator::create(context, std::move(delegate)).value();
    coordinator.coordinate_with(session).check();
    coordinator.transition_to_item("film").check();
    session.join().check();
  }

  bool is_joined() const { return session.state().value() == UNISONO_SESSION_JOINED; }

  /// Two are there, and neither is on its way in any more.
  bool has_company() const {
    const auto all = session.participants().value();
    return is_joined() && all.size() == 2 && std::all_of(all.begin(), all.end(), [](const unisono::Participant &one) {
             return one.is_local || one.connection == UNISONO_CONNECTION_CONNECTED;
           });
  }
};

/// Ann hosts, Bob joins, both stand at the beginning of the film.
struct Pair {
  Line ann{"Ann"}, bob{"Bob"};
  Pair() {
    ann.session = unisono::Session::host(ann.context, loopback("Ann"), ann.callbacks()).value();
    ann.coordinate();
    bob.session = unisono::Session::open(bob.context, ann.session.invite().value(), {}, bob.callbacks()).value();
    bob.coordinate();
    CHECK(until([this] { return ann.has_company() && bob.has_company(); }));
    CHECK(ann.there.size() == 2 && bob.there.size() == 2);
  }
  template <class Condition>
  bool until(Condition condition) {
    return ::until({&ann.context, &bob.context}, condition);
  }
};

void in_step() {
  Pair pair;
  pair.bob.coordinator.play().check();
  CHECK(pair.until([&] { return pair.ann.plays == 1 && pair.bob.plays == 1; }));
  const auto later = unisono::HostClock::now() + 1s;
  const auto a = pair.ann.coordinator.expected_item_time(later), b = pair.bob.coordinator.expected_item_time(later);
  CHECK(a && b);
  // The same host: what differs is the clocks' error.
  CHECK(std::chrono::abs(*a - *b) < 10ms);
  CHECK(*a > 0s && *a < 20s);
  const auto &play = *pair.ann.last;
  CHECK(play.type == UNISONO_EVENT_COORDINATOR_PLAY && play.item == "film" && play.rate == 1 && play.host_time);
  CHECK(play.originator == pair.bob.session.local_participant().value() && !play.is_local);
  CHECK(pair.ann.coordinator.timing().value().state == UNISONO_TIMING_PLAYING);

  pair.ann.coordinator.pause().check();
  CHECK(pair.until([&] { return pair.ann.pauses > 0 && pair.bob.pauses > 0; }));
  pair.ann.coordinator.coordinate_seek(5min).check();
  CHECK(pair.until([&] { return pair.bob.last->type == UNISONO_EVENT_COORDINATOR_SEEK; }));
  CHECK(pair.bob.last->item_time == 5min && !pair.bob.last->host_time);
}

void talk() {
  Pair pair;
  const auto everybody = pair.ann.session.participants().value();
  CHECK(everybody.size() == 2);
  const auto bob = std::find_if(everybody.begin(), everybody.end(), [](const auto &one) { return !one.is_local; });
  CHECK(bob != everybody.end() && bob->id == pair.bob.session.local_participant().value() && bob->id);
  CHECK(std::hash<unisono::ParticipantID>()(bob->id) == std::hash<unisono::ParticipantID>()(unisono::ParticipantID(bob->id)));
  pair.ann.session.send(std::string_view("a\0b", 3), UNISONO_DELIVERY_RELIABLE, {bob->id}).check();
  CHECK(pair.until([&] { return pair.bob.messages == 1; }));
  CHECK(pair.bob.said == std::string_view("a\0b", 3) && pair.ann.messages == 0);

  unisono::Notice notice(UNISONO_NOTICE_CUSTOM);
  notice.text = "added a film";
  pair.ann.session.post_notice(notice).check();
  CHECK(pair.until([&] { return !pair.bob.noticed.empty(); }));
  CHECK(pair.bob.noticed == notice.text);
  unisono::Notice paused(UNISONO_NOTICE_PAUSED);
  paused.name = "Ann";
  CHECK(paused.sentence().value() == "Ann paused");
  paused.name = std::string("A\0n", 3);
  CHECK(paused.sentence().status().code() == UNISONO_EINVAL);

  CHECK(pair.ann.session.chat("hello").value() > 0);
  CHECK(pair.until([&] { return !pair.bob.read.empty() && !pair.ann.read.empty(); }));
  CHECK(pair.bob.read == "Ann: hello" && pair.ann.read == "Ann: hello (own)");
  const auto kept = pair.bob.session.chat_history().value();
  CHECK(kept.size() == 1 && kept[0].text == "hello" && kept[0].kind == UNISONO_CHAT_TEXT && kept[0].said);
  CHECK(kept[0].author == pair.ann.session.local_participant().value() && kept[0].number > 0);
  CHECK(pair.ann.session.chat(std::string("a\0b", 3)).status().code() == UNISONO_EINVAL);
  unisono::PlaylistEntry entry("second");
  entry.title = "A film";
  entry.copy.emplace();
  entry.copy->file_size = 700;
  entry.addresses = {"https://example.org/a", "https://example.org/b"};
  entry.ranges = {{std::chrono::seconds(0), std::chrono::seconds(90), UNISONO_RANGE_INTRO}};
  const auto second = pair.ann.session.add_entry(entry).value();
  const auto first = pair.ann.session.add_entry(unisono::PlaylistEntry("first"), second).value();
  CHECK(pair.until([&] { return pair.bob.session.playlist().value().entries.size() == 2; }));
  const auto list = pair.bob.session.playlist().value();
  CHECK(list.current.is_none() && list.entries[0].id == first && list.entries[1].id == second);
  CHECK(list.entries[1].title == "A film" && list.entries[1].copy && list.entries[1].copy->file_size == 700);
  CHECK(list.entries[1].ranges.size() == 1 && list.entries[1].ranges[0].end == std::chrono::seconds(90));
  CHECK(list.entries[1].ranges[0].kind == UNISONO_RANGE_INTRO && list.entries[0].ranges.empty());
  CHECK(!list.entries[1].copy->hash && list.entries[1].addresses == entry.addresses && !list.entries[0].copy);
  pair.bob.session.select_entry(first).check();
  CHECK(pair.until([&] { return pair.ann.shown == "first"; }));
  pair.ann.session.next_entry(first).check();
  CHECK(pair.until([&] { return pair.bob.shown == "second"; }));
  pair.ann.session.set_copy(second, *entry.copy).check();
  entry.copy->file_size = 701;
  pair.bob.session.set_copy(second, *entry.copy).check();
  CHECK(pair.until([&] { return pair.ann.compared && pair.bob.compared; }));
  CHECK(*pair.ann.compared == UNISONO_DIFFERS_SIZE && *pair.bob.compared == UNISONO_DIFFERS_SIZE);
  pair.bob.session.set_cut_offset(second, std::chrono::seconds(12)).check();
  CHECK(pair.bob.session.set_cut_offset(second, std::chrono::hours(7)).code() == UNISONO_EINVAL);
  pair.bob.session.move_entry(first).check();
  pair.bob.session.remove_entry(second).check();
  CHECK(pair.until([&] { return pair.ann.session.playlist().value().entries.size() == 1; }));
  CHECK(unisono::Copy::of_file("/nowhere/at/all").status().code() == UNISONO_ENOTFOUND);
  CHECK(pair.ann.session.add_entry(unisono::PlaylistEntry(std::string("a\0b", 3))).status().code() == UNISONO_EINVAL);
  pair.ann.session.react("+1").check();
  CHECK(pair.until([&] { return pair.bob.read == "Ann: helloAnn: +1"; }));

  CHECK(pair.ann.session.attach_bytes("poster", 6, "poster.png", "image/png").value() == 1);
  CHECK(pair.until([&] { return !pair.bob.changes.empty(); }));
  CHECK(pair.bob.attachment.name == "poster.png" && pair.bob.attachment.length == 6 && !pair.bob.attachment.is_available);
  CHECK(pair.bob.attachment.owner == pair.ann.session.local_participant().value());
  CHECK(pair.bob.session.attachments().value().size() == 1);
  const std::string path = "/tmp/unisono-cpp-" + std::to_string(unisono_host_time());
  pair.bob.session.load_attachment(pair.bob.attachment, path).check();
  CHECK(pair.until([&] { return pair.bob.changes.back() == UNISONO_ATTACHMENT_LOADED; }));
  CHECK(std::remove(path.c_str()) == 0);
  pair.bob.session.cancel_attachment(pair.bob.attachment).check();
  pair.ann.session.remove_attachment(pair.bob.attachment).check();
  CHECK(pair.until([&] { return pair.bob.changes.back() == UNISONO_ATTACHMENT_REMOVED; }));
  CHECK(pair.ann.session.attach("/nothing/at/all").value() == 2);
  CHECK(pair.until([&] { return pair.ann.changes.back() == UNISONO_ATTACHMENT_FAILED; }));

  unisono::Activity film("org.example.film", UNISONO_ACTIVITY_WATCH_TOGETHER);
  film.title = "A film";
  film.payload = {std::byte{7}};
  pair.ann.session.activate(film).check();
  CHECK(pair.until([&] { return pair.bob.session.activity().value().has_value(); }));
  const auto seen = pair.bob.session.activity().value();
  CHECK(seen->identifier == film.identifier && seen->title == "A film" && seen->payload == film.payload && seen->subtitle.empty());
  CHECK(pair.ann.session.statistics().value().messages_sent > 0);
  CHECK(pair.ann.coordinator.other_participants().value().size() == 1);
}

void suspended() {
  Pair pair;
  auto suspension = pair.ann.coordinator.begin_suspension("looking elsewhere").value();
  CHECK(suspension.reason().value() == "looking elsewhere");
  CHECK(suspension.begin_time().value() <= unisono::HostClock::now());
  CHECK(pair.until([&] { return pair.ann.coordinator.suspension_reasons().value() == std::vector<std::string>{"looking elsewhere"}; }));
  CHECK(pair.until([&] {
    const auto others = pair.bob.coordinator.other_participants().value();
    return others.size() == 1 && others[0].suspension_reasons == std::vector<std::string>{"looking elsewhere"};
  }));
  // What is let go is ended.
  suspension = unisono::Suspension();
  CHECK(pair.until([&] { return pair.ann.coordinator.suspension_reasons().value().empty(); }));
  pair.ann.coordinator.set_waiting_reasons({"looking elsewhere"}).check();
  pair.ann.coordinator.set_participant_limit("looking elsewhere", 3).check();
  pair.ann.coordinator.set_stall_policy(true).check();
  pair.ann.coordinator.set_interstitials("other", {{unisono::ItemTime(5), unisono::ItemTime(9)}, {unisono::ItemTime(1), unisono::ItemTime(5)}}).check();
  CHECK(!pair.ann.coordinator.set_interstitials("other", {{unisono::ItemTime(5), unisono::ItemTime(5)}}).ok());
  pair.ann.coordinator.set_interstitials("other", {}).check();
  pair.ann.coordinator.set_start_policy(UNISONO_START_FIRST_WHEN_READY, 30s, UNISONO_LEAVING_PAUSE).check();
  CHECK(pair.until([&] { return pair.bob.coordinator.start_policy().value().limit == 30'000'000'000; }));
  CHECK(pair.bob.coordinator.start_policy().value().leaving == UNISONO_LEAVING_PAUSE);
  pair.ann.coordinator.set_ready(UNISONO_READINESS_READY).check();
  CHECK(pair.until([&] {
    const auto others = pair.bob.coordinator.other_participants().value();
    return others.size() == 1 && others[0].readiness == UNISONO_READINESS_READY;
  }));
  pair.ann.coordinator.start_without({pair.bob.session.local_participant().value()}).check();
  pair.ann.coordinator.set_output_offset(20ms).check();
  CHECK(pair.ann.coordinator.is_wish(UNISONO_MOTION_RATE, 1.5).value());  // nobody commanded it
  pair.ann.coordinator.expect_motion(UNISONO_MOTION_RATE, 2).check();
  CHECK(!pair.ann.coordinator.is_wish(UNISONO_MOTION_RATE, 2).value());
  pair.ann.coordinator.set_wait_limit(3s).check();
  pair.ann.coordinator.set_pause_snaps_to_originator(true).check();
  pair.ann.coordinator.set_prepares_ahead(true).check();
  unisono::PlaybackReport report;
  report.position.emplace(3s, unisono::HostClock::now());
  report.range.emplace(0s, 1h);
  pair.ann.coordinator.report(report).check();
  CHECK(pair.ann.coordinator.current_item().value() == "film");
  CHECK(pair.ann.coordinator.waiting_for().value().empty());
}

// ---- A player over a renderer that does at once what it is told ------------------------------------------------------

struct Film {
  unisono::Player *player = nullptr;
  unisono::ItemTime at{0};
  unisono::HostTime since{};
  double rate = 0;
  int loads = 0, plays = 0, stops = 0;
  bool throws = false;

  std::pair<unisono::ItemTime, unisono::HostTime> now() const {
    const auto time = unisono::HostClock::now();
    const std::chrono::duration<double, std::nano> moved = (time - since) * rate;
    return {at + std::chrono::duration_cast<unisono::ItemTime>(moved), time};
  }
  void stand(unisono::ItemTime position, double speed) {
    at = position;
    since = unisono::HostClock::now();
    rate = speed;
  }
  void answer(const unisono::RendererCommand &command, unisono_renderer_state state) {
    unisono::RendererReport report;
    report.state = state;
    report.request = command.request;
    report.position = now();
    report.duration = 1h;
    player->report(report).check();
  }
  unisono::Renderer renderer() {
    unisono::Renderer renderer;
    renderer.capabilities = UNISONO_RENDERER_NUDGES;
    renderer.load = [this](const unisono::RendererCommand &command) {
#if UNISONO_EXCEPTIONS
      if (throws) throw std::runtime_error("no such codec");
#endif
      loads++;
      stand(command.item_time, 0);
      answer(command, UNISONO_RENDERER_READY);
    };
    renderer.cue = [this](const unisono::RendererCommand &command) {
      stand(command.item_time, 0);
      answer(command, UNISONO_RENDERER_READY);
    };
    renderer.play = [this](const unisono::RendererCommand &command) {
      plays++;
      stand(now().first, command.rate);
      answer(command, UNISONO_RENDERER_PLAYING);
    };
    renderer.pause = [this](const unisono::RendererCommand &command) {
      stand(now().first, 0);
      answer(command, UNISONO_RENDERER_PAUSED);
    };
    renderer.seek = [this](const unisono::RendererCommand &command) {
      stand(command.item_time, rate);
      answer(command, UNISONO_RENDERER_SEEKED);
    };
    renderer.nudge = [this](const unisono::RendererCommand &command) { stand(now().first, command.rate); };
    renderer.stop = [this](const unisono::RendererCommand &) { stops++; };
    renderer.now = [this] { return std::optional(now()); };
    return renderer;
  }
};

void players() {
  Line ann("Ann"), bob("Bob");
  Film films[2];
  unisono::Player players[2];
  int controls[2] = {0, 0};
  ann.session = unisono::Session::host(ann.context, loopback("Ann")).value();
  bob.session = unisono::Session::open(bob.context, ann.session.invite().value()).value();
  Line *lines[2] = {&ann, &bob};
  for (int index = 0; index < 2; index++) {
    films[index].player = &players[index];
    unisono::PlayerCallbacks callbacks;
    callbacks.time_control = [&controls, index](const unisono::PlayerEvent &) { controls[index]++; };
    players[index] = unisono::Player::create(lines[index]->context, films[index].renderer(), std::move(callbacks)).value();
    unisono::PlayerItem item;
    item.identifier = "film";
    item.uri = "file:///film.mkv";
    players[index].insert_item(item).check();
    players[index].coordinator().coordinate_with(lines[index]->session).check();
    lines[index]->session.join().check();
  }
  const auto both = [&](auto condition) { return until({&ann.context, &bob.context}, condition); };
  CHECK(both([&] { return ann.is_joined() && bob.is_joined() && films[0].loads > 0 && films[1].loads > 0; }));
  CHECK(both([&] { return players[0].item_state().value() == UNISONO_ITEM_READY && players[1].item_state().value() == UNISONO_ITEM_READY; }));
  players[1].play().check();
  CHECK(both([&] { return films[0].rate != 0 && films[1].rate != 0; }));
  CHECK(both([&] { return films[0].now().first > 500ms; }));
  // Both are at the same place, in what they play and in what they say.
  CHECK(std::chrono::abs(films[0].now().first - films[1].now().first) < 100ms);
  CHECK(players[0].time_control().value() == UNISONO_TIME_CONTROL_PLAYING);
  const auto [position, when] = players[0].current_time().value();
  CHECK(position > 0s && when <= unisono::HostClock::now());
  CHECK(controls[0] > 0 && controls[1] > 0);
  const auto surface = unisono::Surface::create(players[0], UNISONO_SURFACE_INLINE).value();
  CHECK(both([&] { return surface.time_range().value().duration == 1h; }));
  CHECK(!surface.is_paused().value());
  surface.set_playing(false).check();
  CHECK(both([&] { return films[0].rate == 0 && films[1].rate == 0; }));
  CHECK(players[0].seek(10min).value() != 0);
  CHECK(both([&] { return std::chrono::abs(films[1].now().first - 10min) < 1s; }));
  // A player's coordinator is the player's: a copy of its name ends nothing.
  { const auto borrowed = players[0].coordinator(); CHECK(borrowed.current_item().value() == "film"); }
  CHECK(players[0].coordinator().current_item().value() == "film");
  players[0] = unisono::Player();
  CHECK(both([&] { return films[0].stops == 0; }));  // the surface keeps it
}

// ---- Lifetimes ------------------------------------------------------------------------------------------------------

void any_order() {
  Witness witness;
  {
    unisono::Session session;
    unisono::Coordinator coordinator;
    {
      auto context = unisono::Context::create().value();
      unisono::SessionCallbacks callbacks;
      callbacks.message = [kept = std::move(witness.alive)](const unisono::MessageEvent &) { static_cast<void>(kept); };
      session = unisono::Session::host(context, loopback("Ann"), std::move(callbacks)).value();
      coordinator = unisono::Coordinator::create(
                        context, {[](const unisono::Command &) {}, [](const unisono::Command &) {}, [](const unisono::Command &) {},
                                  [](const unisono::Command &) {}, {}, {}, {}, {}, {}})
                        .value();
      CHECK(!witness.seen.expired());
    }
    // The context is gone, and what was made from it is closed; its functions were let go.
    CHECK(witness.seen.expired());
    CHECK(session.join().code() == UNISONO_ECLOSED);
    CHECK(coordinator.play().code() == UNISONO_ECLOSED);
    CHECK(!session.join().message().empty());
  }
  auto context = unisono::Context::create().value();
  auto moved = std::move(context);
  CHECK(!context && moved && moved.poll(0ns));
  moved = unisono::Context();
  CHECK(moved.poll(0ns).status().code() == UNISONO_EINVAL);
}

void ended_inside_a_callback() {
  Witness witness;
  bool called = false;
  unisono::ContextOptions options;
  auto context = unisono::Context::create(options).value();
  auto session = std::make_shared<unisono::Session>();
  unisono::SessionCallbacks callbacks;
  callbacks.participants = [&called, session, kept = std::move(witness.alive)](const unisono::ParticipantsEvent &) {
    // Ends the session, and so, after this call, this function.
    *session = unisono::Session();
    called = true;
    CHECK(*kept == 0);
  };
  *session = unisono::Session::host(context, loopback("Ann"), std::move(callbacks)).value();
  session->join().check();
  CHECK(until({&context}, [&] { return called && witness.seen.expired(); }));
}

void failed_to_be_made() {
  Witness witness;
  int released = 0;
  auto context = unisono::Context::create().value();
  unisono::Delegate delegate;  // the other three are missing
  delegate.play = [kept = std::move(witness.alive)](const unisono::Command &) { static_cast<void>(kept); };
  delegate.released = [&released] { released++; };
  const auto coordinator = unisono::Coordinator::create(context, std::move(delegate));
  CHECK(!coordinator && coordinator.status().code() == UNISONO_EINVAL);
  CHECK(coordinator.status().message().find("delegate") != std::string::npos);
  CHECK(witness.seen.expired() && released == 0);
}

void another_thread() {
  std::atomic<int> called = 0;
  {
    unisono::ContextOptions options;
    options.own_thread = true;
    auto context = unisono::Context::create(options).value();
    context.call_at(unisono::HostClock::now() + 5ms, [&](const unisono::TimerEvent &event) {
      if (event.status == UNISONO_OK) called = 1;
    }).check();
    const auto end = unisono::HostClock::now() + 10s;
    while (called == 0 && unisono::HostClock::now() < end) std::this_thread::yield();
    CHECK(called == 1);
    context.call_at(unisono::HostClock::now() + 1h, [&](const unisono::TimerEvent &event) {
      if (event.status == UNISONO_ECANCELED) called = 2;
    }).check();
  }
  // The destructor joined the thread, and what had been asked for was answered.
  CHECK(called == 2);
}

void cancelled() {
  int called = 0;
  auto context = unisono::Context::create().value();
  const auto token = context.call_at(unisono::HostClock::now() + 1h, [&](const unisono::TimerEvent &event) {
    CHECK(event.status == UNISONO_ECANCELED);
    called++;
  }).value();
  CHECK(context.timeout().value() <= 1h);
  context.cancel(token).check();
  CHECK(until({&context}, [&] { return called == 1; }));
  CHECK(context.cancel(token).code() == UNISONO_ENOTFOUND);
  CHECK(context.fd().value() >= 0);
}

// ---- Events ---------------------------------------------------------------------------------------------------------

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

void events() {
  unisono::ContextOptions options;
  options.event_queue = true;
  auto context = unisono::Context::create(options).value();
  auto session = unisono::Session::host(context, loopback("Ann")).value();
  auto coordinator = unisono::Coordinator::create(context).value();
  coordinator.coordinate_with(session).check();
  coordinator.transition_to_item("film").check();
  session.join().check();
  bool is_joined = false, has_played = false, has_asked = false;
  std::optional<unisono::Command> kept;
  const auto end = unisono::HostClock::now() + 20s;
  while (!has_played && unisono::HostClock::now() < end) {
    const auto event = context.next_event(100ms).value();
    if (!event) continue;
    CHECK(unisono::head(*event).type != UNISONO_EVENT_NONE);
    std::visit(
        Overloaded{
            [&](const unisono::SessionStateEvent &state) {
              is_joined = state.state == UNISONO_SESSION_JOINED;
              CHECK(state.source == session.get());
            },
            [&](const unisono::Command &command) {
              CHECK(command.source == coordinator.get() && command.item == "film");
              coordinator.complete(command).check();
              if (command.type == UNISONO_EVENT_COORDINATOR_PLAY) {
                has_played = true;
                kept = command;
              }
            },
            [](const auto &) {},
        },
        *event);
    if (is_joined && !has_asked) {
      coordinator.play().check();
      has_asked = true;
    }
  }
  CHECK(has_played);
  // An event can be kept: it is no view.
  CHECK(!context.next_event(0ns).status().code());
  CHECK(kept && kept->item == "film" && kept->host_time);
}

// ---- Errors ---------------------------------------------------------------------------------------------------------

void errors() {
  CHECK(unisono::is_compatible() && !unisono::version().empty());
  auto context = unisono::Context::create().value();
  const auto opened = unisono::Session::open(context, "unisono://nonsense");
  CHECK(!opened && opened.status().code() == UNISONO_EINVAL && !opened.status().message().empty());
  // What C would cut off is refused.
  CHECK(unisono::Session::open(context, std::string_view("a\0b", 3)).status().code() == UNISONO_EINVAL);
  auto session = unisono::Session::host(context, loopback("Ann")).value();
  CHECK(unisono::Session::reach(session.invite().value()).value() == UNISONO_REACH_MACHINE);
  CHECK(unisono::Session::reach("nonsense").status().code() == UNISONO_EINVAL);
  CHECK(session.send("early").code() == UNISONO_ESTATE);
  const auto waiting = unisono::Session::open(context, session.invite().value()).value();
  CHECK(waiting.clock().status().code() == UNISONO_ESTATE);
  const std::vector<std::uint8_t> key(32, 7);
  CHECK(session.continuation(key).status().code() == UNISONO_ESTATE);
  unisono::SessionOptions past;
  past.continuation = key;
  past.continuation_key = key;
  CHECK(unisono::Session::host(context, past).status().code() == UNISONO_EINVAL);
  unisono::SessionOptions nobody;
  nobody.display_name = std::string("a\0b", 3);
  CHECK(unisono::Session::host(context, nobody).status().code() == UNISONO_EINVAL);
  nobody.display_name = std::string(64, 'a');
  CHECK(unisono::Session::host(context, nobody).status().code() == UNISONO_EINVAL);
  auto coordinator = unisono::Coordinator::create(
                         context, {[](const unisono::Command &) {}, [](const unisono::Command &) {}, [](const unisono::Command &) {},
                                   [](const unisono::Command &) {}, {}, {}, {}, {}, {}})
                         .value();
  CHECK(coordinator.transition_to_item(std::string_view("a\0b", 3)).code() == UNISONO_EINVAL);
  CHECK(coordinator.set_waiting_reasons({"good", std::string("a\0b", 3)}).code() == UNISONO_EINVAL);
  CHECK(coordinator.play().code() == UNISONO_ESTATE);
  // A text longer than the first guess comes whole.
  const std::string name(1'000, 'x');
  coordinator.transition_to_item(name).check();
  CHECK(until({&context}, [&] { return coordinator.current_item().value() == name; }));
#if UNISONO_EXCEPTIONS
  try {
    static_cast<void>(unisono::Session::open(context, "unisono://nonsense").value());
    CHECK(false);
  } catch (const unisono::Error &error) {
    CHECK(error.code() == UNISONO_EINVAL && std::strlen(error.what()) > 0);
  }
#endif
}

#if UNISONO_EXCEPTIONS
std::vector<std::string> escaped;

void thrown_commands() {
  escaped.clear();
  Pair pair;
  pair.bob.throws = true;
  pair.ann.coordinator.play().check();
  // Bob's player cannot; it is answered for him, so nobody waits, and the others see him apart.
  CHECK(pair.until([&] { return pair.bob.coordinator.statistics().value().commands_failed > 0; }));
  CHECK(pair.until([&] {
    const auto others = pair.ann.coordinator.other_participants().value();
    return others.size() == 1 && !others[0].suspension_reasons.empty();
  }));
  CHECK(pair.until([&] { return pair.ann.plays == 1; }));
  CHECK(!escaped.empty() && escaped[0] == "command: the decoder is gone");
}

void thrown_loads() {
  escaped.clear();
  auto context = unisono::Context::create().value();
  Film film;
  film.throws = true;
  int failures = 0;
  unisono::PlayerCallbacks callbacks;
  callbacks.item_state = [&](const unisono::PlayerEvent &event) {
    if (event.item_state == UNISONO_ITEM_FAILED && event.status == UNISONO_EINTERNAL) failures++;
  };
  auto player = unisono::Player::create(context, film.renderer(), std::move(callbacks)).value();
  film.player = &player;
  unisono::PlayerItem item;
  item.identifier = "film";
  player.insert_item(item).check();
  CHECK(until({&context}, [&] { return failures == 1; }));
  CHECK(player.item_state().value() == UNISONO_ITEM_FAILED);
  CHECK(!escaped.empty() && escaped[0] == "renderer: no such codec");
}

void thrown_events() {
  escaped.clear();
  Pair pair;
  int called = 0;
  pair.ann.context.call_at(unisono::HostClock::now(), [&](const unisono::TimerEvent &) {
    called++;
    throw 7;  // no std::exception
  }).check();
  CHECK(pair.until([&] { return called == 1; }));
  CHECK(escaped.size() == 1 && escaped[0] == "call_at: something");
  // Everything goes on.
  pair.ann.coordinator.play().check();
  CHECK(pair.until([&] { return pair.ann.plays == 1 && pair.bob.plays == 1; }));
}
#endif

// ---- Hub and nearby -------------------------------------------------------------------------------------------------

void own_hub() {
  auto context = unisono::Context::create().value();
  unisono::HubOptions options;
  options.listen = {"127.0.0.1:0"};
  const auto hub = unisono::Hub::create(context, options).value();
  const auto lines = hub.lines().value();
  CHECK(lines.size() == 1 && lines[0].rfind("unisono-hub://127.0.0.1:", 0) == 0);
  unisono::SessionOptions through;
  through.hub = lines[0];
  auto session = unisono::Session::host(context, through).value();
  session.join().check();
  CHECK(until({&context}, [&] { return session.state().value() == UNISONO_SESSION_JOINED; }));
  CHECK(hub.statistics().value().connections == 1);
  options.listen = {"nonsense"};
  CHECK(!unisono::Hub::create(context, options));
}

void nearby() {
  auto tv = unisono::Context::create().value(), phone = unisono::Context::create().value();
  auto session = unisono::Session::host(tv, loopback("TV")).value();
  unisono::Service service;
  service.identifier = "org.example.cpp-" + std::to_string(unisono::HostClock::now().time_since_epoch().count());
  service.usage_description = "Watch films together";
  service.device_name = "tv";
  std::string shown[2], invite;
  unisono::AdvertiserCallbacks asks;
  asks.join_requested = [&](const unisono::NearbyEvent &event) {
    shown[0] = event.digits;
    CHECK(event.device_name == "phone");
    event.request.accept().check();
  };
  const auto advertiser = unisono::Advertiser::create(tv, &session, service, std::move(asks)).value();
  service.device_name = "phone";
  bool is_found = false;
  unisono::BrowserCallbacks devices;
  devices.found = [&](const unisono::NearbyEvent &event) { is_found = is_found || event.intent != UNISONO_INTENT_INVITE; };
  unisono::Browser browser;
  devices.digits = [&](const unisono::NearbyEvent &event) {
    shown[1] = event.digits;
    browser.confirm(event.device, true).check();
  };
  devices.invite = [&](const unisono::NearbyEvent &event) { invite = event.invite; };
  browser = unisono::Browser::create(phone, service, std::move(devices)).value();
  const auto addresses = advertiser.addresses().value();
  CHECK(!addresses.empty());
  // Typed, as where devices do not find each other.
  const auto port = addresses[0].substr(addresses[0].rfind(':'));
  const auto device = browser.add_address("127.0.0.1" + port).value();
  CHECK(until({&tv, &phone}, [&] { return is_found; }));
  browser.connect(device).check();
  CHECK(until({&tv, &phone}, [&] { return !invite.empty(); }));
  CHECK(shown[0] == shown[1] && shown[0].size() == 6);
  CHECK(unisono::Session::open(phone, invite));
}

void simulated() {
  auto simulation = unisono::Simulation::create(7).value();
  std::vector<unisono::Context> contexts;
  std::vector<unisono::Session> sessions;
  std::vector<unisono::Coordinator> coordinators;
  std::array<int, 3> plays{};
  coordinators.reserve(3);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; i++) {
    contexts.push_back(simulation.context({}, {}, std::chrono::seconds(5 * i), 30.0 * i).value());
    sessions.push_back(i == 0 ? unisono::Session::host(contexts[0]).value()
                              : unisono::Session::open(contexts[i], sessions[0].invite().value()).value());
    unisono::Delegate delegate;
    const auto carry_out = [&, i](const unisono::Command &command) { coordinators[i].complete(command).check(); };
    delegate.play = [&, i, carry_out](const unisono::Command &command) {
      plays[i]++;
      carry_out(command);
    };
    delegate.pause = delegate.seek = delegate.buffer = carry_out;
    coordinators.push_back(unisono::Coordinator::create(contexts[i], std::move(delegate)).value());
    CHECK(coordinators[i].coordinate_with(sessions[i]));
    CHECK(sessions[i].join());
    CHECK(simulation.advance(std::chrono::seconds(2)));
    CHECK(coordinators[i].transition_to_item("film"));
  }
  unisono::SimulatedLink far;
  far.delay_out = far.delay_in = std::chrono::milliseconds(80);
  CHECK(simulation.set_link(contexts[2], far));
  CHECK(simulation.advance(std::chrono::seconds(10)));
  CHECK(coordinators[2].play());
  CHECK(simulation.advance(std::chrono::hours(1)));
  CHECK((plays == std::array<int, 3>{1, 1, 1}));
  CHECK(simulation.advance(std::chrono::seconds(-1)).code() == UNISONO_EINVAL);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::minutes(1));
}

// F101: each of two has a second screen beside the film, with a state of its own.
void named() {
  auto simulation = unisono::Simulation::create(11).value();
  std::vector<unisono::Context> contexts;
  std::vector<unisono::Session> sessions;
  std::vector<unisono::Coordinator> films, screens;
  std::array<int, 2> film_plays{}, screen_plays{};
  std::optional<unisono::Notice> told;
  for (auto *made : {&films, &screens}) made->reserve(2);
  const auto obeying = [](std::vector<unisono::Coordinator> &made, int i, int &plays) {
    unisono::Delegate delegate;
    const auto carry_out = [&made, i](const unisono::Command &command) { made[i].complete(command).check(); };
    delegate.play = [&plays, carry_out](const unisono::Command &command) {
      plays++;
      carry_out(command);
    };
    delegate.pause = delegate.seek = delegate.buffer = carry_out;
    return delegate;
  };
  for (int i = 0; i < 2; i++) {
    contexts.push_back(simulation.context().value());
    unisono::SessionCallbacks callbacks;
    if (i == 1) {
      callbacks.notice = [&](const unisono::NoticeEvent &event) {
        if (event.notice.kind == UNISONO_NOTICE_PLAYED) told = event.notice;
      };
    }
    sessions.push_back(i == 0 ? unisono::Session::host(contexts[0], {}, std::move(callbacks)).value()
                              : unisono::Session::open(contexts[i], sessions[0].invite().value(), {}, std::move(callbacks)).value());
    films.push_back(unisono::Coordinator::create(contexts[i], obeying(films, i, film_plays[i])).value());
    screens.push_back(unisono::Coordinator::create(contexts[i], obeying(screens, i, screen_plays[i])).value());
    CHECK(films[i].coordinate_with(sessions[i]));
    CHECK(screens[i].coordinate_with(sessions[i], "second screen"));
    CHECK(sessions[i].join());
    CHECK(simulation.advance(std::chrono::seconds(2)));
    CHECK(films[i].transition_to_item("film"));
    CHECK(screens[i].transition_to_item("film"));
  }
  CHECK(simulation.advance(std::chrono::seconds(10)));
  CHECK(screens[0].play());
  CHECK(simulation.advance(std::chrono::seconds(10)));
  CHECK((screen_plays == std::array<int, 2>{1, 1}) && (film_plays == std::array<int, 2>{0, 0}));
  CHECK(told && told->coordinator == "second screen");
  CHECK(told && told->sentence().value().find("second screen: ") == 0);
  told.reset();
  CHECK(films[1].play());
  CHECK(simulation.advance(std::chrono::seconds(10)));
  CHECK((screen_plays == std::array<int, 2>{1, 1}) && (film_plays == std::array<int, 2>{1, 1}));
  unisono::Delegate idle;
  idle.play = idle.pause = idle.seek = idle.buffer = [](const unisono::Command &) {};
  const auto late = unisono::Coordinator::create(contexts[0], std::move(idle)).value();
  CHECK(late.coordinate_with(sessions[0], "second screen").code() == UNISONO_EBUSY);
  CHECK(films[0].coordinate_with(sessions[0], std::string_view("a\0b", 3)).code() == UNISONO_EINVAL);
}

// One hosts and opens an audience; the other, who has its link, is in no session, asks to speak and is invited.
void listened_to() {
  auto simulation = unisono::Simulation::create(23).value();
  const auto stage = simulation.context().value(), room = simulation.context().value();
  std::optional<unisono::AudienceEvent> audience;
  std::optional<unisono::ListeningEvent> heard;
  std::optional<unisono::ErrorEvent> refused;
  std::optional<unisono::ListenerEvent> asked;
  std::optional<unisono::InviteEvent> invited;
  unisono::Coordinator film, screen;
  int film_plays = 0, screen_plays = 0;
  const auto obeying = [](unisono::Coordinator &made, int &plays) {
    unisono::Delegate delegate;
    const auto carry_out = [&made](const unisono::Command &command) { made.complete(command).check(); };
    delegate.play = [&plays, carry_out](const unisono::Command &command) {
      plays++;
      carry_out(command);
    };
    delegate.pause = delegate.seek = delegate.buffer = carry_out;
    return delegate;
  };
  unisono::SessionOptions options;
  options.control_policy = UNISONO_CONTROL_HOSTS_ONLY;
  unisono::Activity activity;
  activity.identifier = "org.example.premiere";
  options.activity = activity;
  unisono::SessionCallbacks callbacks;
  callbacks.audience = [&](const unisono::AudienceEvent &event) { audience = event; };
  callbacks.listener = [&](const unisono::ListenerEvent &event) { asked = event; };
  const auto session = unisono::Session::host(stage, options, std::move(callbacks)).value();
  film = unisono::Coordinator::create(stage, obeying(film, film_plays)).value();
  CHECK(film.coordinate_with(session));
  CHECK(session.audience_link().status().code() == UNISONO_ESTATE);
  CHECK(session.join());
  CHECK(simulation.advance(5s));
  CHECK(film.transition_to_item("film"));
  unisono::AudienceOptions wishes;
  wishes.ready_share = 101;
  CHECK(session.open_audience(wishes).code() == UNISONO_EINVAL);
  wishes.ready_share = 100;
  wishes.ready_wait = 2s;
  wishes.reactions = {"+1", std::string("a\0b", 3)};
  CHECK(session.open_audience(wishes).code() == UNISONO_EINVAL);
  wishes.reactions = {"+1", "-1"};
  CHECK(session.open_audience(wishes));
  CHECK(simulation.advance(5s));
  CHECK(audience && audience->state == UNISONO_AUDIENCE_OPEN && audience->listeners == 0);
  unisono::Delegate listening = obeying(screen, screen_plays);
  listening.listening_changed = [&](const unisono::ListeningEvent &event) { heard = event; };
  listening.error = [&](const unisono::ErrorEvent &event) { refused = event; };
  listening.invited = [&](const unisono::InviteEvent &event) { invited = event; };
  screen = unisono::Coordinator::create(room, std::move(listening)).value();
  CHECK(screen.listen(session.invite().value()).code() == UNISONO_EINVAL);
  CHECK(screen.listen(std::string_view("a\0b", 3)).code() == UNISONO_EINVAL);
  CHECK(screen.listen(session.audience_link().value()));
  CHECK(simulation.advance(10s));
  CHECK(heard && heard->status == UNISONO_LISTENING_FOLLOWING && heard->item == "film");
  CHECK(heard && heard->activity && heard->activity->identifier == "org.example.premiere");
  CHECK(audience && audience->listeners == 1);
  CHECK(screen.transition_to_item("film"));
  CHECK(film.play());
  CHECK(simulation.advance(10s));
  CHECK(film_plays == 1 && screen_plays == 1);
  CHECK(screen.react("?").code() == UNISONO_EINVAL);
  CHECK(heard && heard->reactions.size() == 2 && heard->reactions[1].reaction == "-1");
  CHECK(screen.react("-1"));
  CHECK(screen.react("-1").code() == UNISONO_EBUSY);
  CHECK(simulation.advance(2s));
  CHECK(audience && audience->reactions.size() == 2 && audience->reactions[0].count == 0 && audience->reactions[1].count == 1);
  CHECK(screen.pause());
  CHECK(simulation.advance(1s));
  CHECK(refused && refused->status == UNISONO_EDENIED);
  CHECK(screen.say_to_hosts("who are you?"));
  CHECK(simulation.advance(1s));
  CHECK(asked && asked->word == UNISONO_LISTENER_SAYS && asked->text == "who are you?");
  CHECK(session.invite_listener(asked->listener).code() == UNISONO_ENOTFOUND);
  CHECK(screen.ask_to_speak());
  CHECK(screen.ask_to_speak("again").code() == UNISONO_EBUSY);
  CHECK(simulation.advance(1s));
  CHECK(asked && asked->word == UNISONO_LISTENER_ASKS && asked->text.empty());
  CHECK(session.invite_listener(asked->listener));
  CHECK(simulation.advance(1s));
  CHECK(invited && invited->invite == session.invite().value());
  CHECK(audience && audience->left_out == 0);
  const auto old = session.audience_link().value();
  CHECK(session.renew_audience());
  CHECK(simulation.advance(20s));
  CHECK(audience && audience->state == UNISONO_AUDIENCE_OPEN && session.audience_link().value() != old);
  CHECK(heard && heard->status == UNISONO_LISTENING_FOLLOWING && !heard->clock_doubt && heard->clock_ahead && heard->clock_behind);
  CHECK(session.close_audience());
  CHECK(simulation.advance(5s));
  CHECK(heard && heard->status == UNISONO_LISTENING_OVER && !heard->reason.empty());
  CHECK(audience && audience->state == UNISONO_AUDIENCE_CLOSED);
  CHECK(screen.stop_listening());
}

// A hub of its own is gone, and another one answers at its address: who was there is told.
void doubted() {
  auto simulation = unisono::Simulation::create(3).value();
  const auto machine = simulation.context().value();
  unisono::HubOptions where;
  where.listen = {"10.0.0.1:7400"};
  auto hub = unisono::Hub::create(machine, where).value();
  std::optional<unisono::HubDoubtEvent> told;
  unisono::SessionCallbacks callbacks;
  callbacks.hub_doubt = [&](const unisono::HubDoubtEvent &event) { told = event; };
  unisono::SessionOptions options;
  options.hub = hub.lines().value().at(0);
  options.no_standby_hub = true;
  const auto context = simulation.context().value();
  const auto session = unisono::Session::host(context, options, std::move(callbacks)).value();
  CHECK(session.join());
  CHECK(simulation.advance(std::chrono::seconds(10)));
  CHECK(session.state().value() == UNISONO_SESSION_JOINED && !told);
  hub = unisono::Hub();
  hub = unisono::Hub::create(machine, where).value();
  CHECK(simulation.advance(std::chrono::seconds(30)));
  CHECK(told && told->reason == UNISONO_HUB_DOUBT_IDENTITY && told->hub == "10.0.0.1:7400" && !told->over && !told->message.empty());
}

// As the library tells it: by the function that it was given, and through the queue.
void split() {
  unisono_split_event raw;
  std::memset(&raw, 0, sizeof raw);
  raw.base.size = sizeof raw;
  raw.base.type = UNISONO_EVENT_SESSION_SPLIT;
  raw.participant.bytes[15] = 7;
  raw.kind = UNISONO_SPLIT_DEAF;
  raw.over = 1;
  raw.since = 5'000'000'000;
  raw.hub = "hub:7400";
  raw.message = "they do not hear each other";
  const auto is_it = [](const unisono::SplitEvent &event) {
    return event.participant.bytes()[15] == 7 && event.kind == UNISONO_SPLIT_DEAF && event.over && event.hub == "hub:7400" &&
           event.since.time_since_epoch() == std::chrono::seconds(5) && event.message == "they do not hear each other";
  };
  int told = 0;
  unisono::detail::Box<unisono::SessionCallbacks> box;
  box.functions.split = [&](const unisono::SplitEvent &event) { told += is_it(event); };
  unisono::detail::raw_callbacks(box.functions).split(&box, &raw);
  CHECK(told == 1);
  const unisono::Event event = unisono::detail::event(&raw.base);
  CHECK(std::holds_alternative<unisono::SplitEvent>(event) && is_it(std::get<unisono::SplitEvent>(event)));
}

}  // namespace

int main() {
#if UNISONO_EXCEPTIONS
  unisono::on_escaped_exception([](const char *callback) {
    std::string what = "something";
    try {
      throw;
    } catch (const std::exception &error) {
      what = error.what();
    } catch (...) {
    }
    escaped.push_back(std::string(callback) + ": " + what);
  });
#endif
  run("F70: two players of one process are commanded in step through lambdas", in_step);
  run("F70: messages, activities and participants are values", talk);
  run("F70: a suspension lives as long as its object", suspended);
  run("F70: two players over renderers of lambdas play in step", players);
  run("F70: objects may go in any order, and functions go with the last call", any_order);
  run("F70: a session may be ended inside its own callback", ended_inside_a_callback);
  run("F70: functions of what could not be made are let go at once", failed_to_be_made);
  run("F70: a context with a thread of its own ends it in its destructor", another_thread);
  run("F70: what was asked for a time can be cancelled", cancelled);
  run("F70: events of the queue are a variant of values", events);
  run("F70: what fails says so, and nothing is cut off in silence", errors);
#if UNISONO_EXCEPTIONS
  run("F70: an exception out of a command is caught, and the command is answered as failed", thrown_commands);
  run("F70: an exception out of a renderer is caught, and the item fails", thrown_loads);
  run("F70: an exception out of an event is caught, and everything goes on", thrown_events);
#endif
  run("F70: a hub of one's own", own_hub);
  run("F88: three hosts play an hour on virtual time", simulated);
  run("F101: a second screen beside the film, with a state of its own", named);
  run("F133, F134, F135: an audience is opened, follows, asks to speak and is closed", listened_to);
  run("F83: a hub that is another one at the same address is in doubt", doubted);
  run("F49: who does not hear whom is a value, by a lambda and through the queue", split);
  run("F50, F51: a device nearby is asked and lets this one in", nearby);
  std::printf("1..%d\n%d passed, %d failed\n", tests, tests - failed, failed);
  return failed != 0;
}
