-- F74: unisono.lua itself, with two participants in one process. Fails with a sentence.
package.path = "bindings/lua/?.lua;" .. package.path
local unisono = require("unisono")
local ffi, bit = require("ffi"), require("bit")

local function expect(holds, what) if not holds then error("expected: " .. what, 2) end end

local function fails(status, call, ...)
  local ok, fault = pcall(call, ...)
  expect(not ok, "a failure with " .. status)
  expect(getmetatable(fault) == unisono.Error, "an Error, not " .. tostring(fault))
  expect(fault.status == status, status .. ", not " .. tostring(fault.status))
  expect(fault.number < -100 and #tostring(fault) > 10, "a number and a sentence")
end

local a = unisono.context({ device_name = "desk", person = ("p"):rep(16) })
local b = unisono.context({ device_name = "sofa" })
local host = a:host({ display_name = "Ann", hub_options = { listen = { "127.0.0.1:0" } }, control_policy = "everyone",
                      activity = { identifier = "org.example.game", type = "play_together", title = "Game", payload = "level\0one" } })
local guest = b:open(host:invite(), { display_name = "Ben" })
expect(host:get_state() == "waiting" and type(host:connection()) == "string", "an enumeration is a name")

local heard = {} -- by "on_name" of who heard it
local function listen(name, object, handlers)
  for _, handler in ipairs(handlers) do
    object["on_" .. handler] = function(self, event)
      expect(self == object and event.source == object, "an event comes to whom it concerns")
      heard[name .. " " .. handler] = event
      if event.id and handler ~= "request" then event:complete() end
    end
  end
end
local one, two = a:coordinator(), b:coordinator()
for name, object in pairs({ one = one, two = two }) do
  listen(name, object, { "play", "pause", "seek", "buffer", "timing", "suspensions", "participants", "error" })
end
for name, object in pairs({ host = host, guest = guest }) do
  listen(name, object, { "state", "participants", "message", "notice", "activity", "error" })
end

local function turn(holds, what)
  local limit = unisono.host_time() + unisono.ns(30)
  while not holds() do
    expect(unisono.host_time() < limit, what .. ", within 30 s")
    a:poll(2000000)
    b:poll(2000000)
  end
end

one:coordinate_with_session(host)
two:coordinate_with_session(guest)
host:join()
guest:join()
one:transition_to_item("film", { rate = 0, item_time = unisono.ns(5) })
two:transition_to_item("film")
local function has(people, field, value)
  for _, person in ipairs(people) do if person[field] == value then return true end end
end
local function has_name(people, name) return has(people, "display_name", name) end
turn(function() return has_name(host:participants(), "Ben") and has_name(guest:participants(), "Ann") and #two:other_participants() == 1 end,
  "both are in, with their names")
turn(function() return two:timing() and two:timing().item_time == 5000000000LL end, "the item's time came along")
expect(two:timing().state == "paused", "standing")
turn(function() return guest:get_statistics().clock_state == "synchronized" end, "one clock")

local people = guest:participants()
expect(#people[1].id == 16 and type(people[1].is_local) == "boolean", "identifiers are texts, truth values are true or false")
local names = {}
for _, person in ipairs(people) do names[person.display_name] = person end
expect(names.Ann.device_name == "desk" and names.Ann.role == "owner" and names.Ben.is_local, "who is there")
expect(names.Ben.id == guest:local_participant() and #unisono.hex(names.Ben.id) == 32, "the own identifier")
expect(names.Ann.suspension_reasons[1] == nil, "a list without anything")
local activity = guest:activity()
expect(activity.title == "Game" and activity.payload == "level\0one" and activity.type == "play_together", "the activity with its bytes")

two:play()
turn(function() return heard["one play"] and heard["two play"] end, "both play")
expect(heard["one play"].rate == 1 and heard["one play"].item == "film" and heard["one play"].cause == "play", "a command's fields")
expect(heard["one play"].originator == guest:local_participant() and heard["one play"].is_local == false, "who asked")
turn(function() return one:timing().state == "playing" and two:timing().state == "playing" end, "both run")
local now = unisono.host_time()
local mine, yours = one:expected_item_time(now), two:expected_item_time(now)
expect(ffi.istype("int64_t", mine) and mine > 0, "a time is an int64_t")
expect(math.abs(tonumber(mine - yours)) < 5e6, "both are at one position")
two:report({ rate = 1, item_time = yours, host_time = now, earliest = 0, latest = unisono.ns(600) })

two:seek(unisono.ns(60))
turn(function() return heard["one seek"] and one:timing().state == "playing" end, "both go on elsewhere")
expect(heard["one seek"].item_time >= 60000000000LL, "where to")
one:pause()
turn(function() return heard["two pause"] end, "both stand")
turn(function() return heard["guest notice"] end, "and it is told")
expect(unisono.notice_text(heard["guest notice"]):match("^Ann "), "a sentence: " .. unisono.notice_text(heard["guest notice"]))

host:send("bytes \0 and all", "reliable", { guest:local_participant() })
turn(function() return heard["guest message"] end, "a message comes")
expect(heard["guest message"].data == "bytes \0 and all" and heard["guest message"].delivery == "reliable", "with all its bytes")
expect(heard["guest message"].sender == host:local_participant(), "and its sender")

local rest = two:begin_suspension("tea")
turn(function() return two:suspension_reasons()[1] == "tea" end, "a suspension")
expect(rest:reason() == "tea" and rest:begin_time() > now, "with its reason and when it began")
turn(function() return heard["one participants"] and heard["one participants"].updated[1] and
  heard["one participants"].updated[1].suspension_reasons[1] == "tea" end, "that the others see")
rest:end_()
fails("ESTATE", rest.end_, rest)
two:set_waiting_reasons({ "tea", "coffee" })
fails("EDENIED", guest.set_deputies, guest, {}, "nobody", 0)
expect(host:get_succession().deputies[9] == nil and host:get_succession().succession == "by_seniority", "deputies")

-- What the group shares.
for name, object in pairs({ host = host, guest = guest }) do listen(name, object, { "chat", "playlist", "copy", "attachment" }) end
fails("EINVAL", guest.chat, guest, "")
local number = guest:chat("hello\nto all")
turn(function() return heard["host chat"] and heard["guest chat"] end, "words come")
local entry = heard["host chat"].entry
expect(entry.text == "hello\nto all" and entry.name == "Ben" and entry.author == guest:local_participant(), "with their author")
expect(entry.kind == "text" and entry.number == number and entry.item == "film" and entry.item_time, "and what was on")
expect(heard["guest chat"].own and not heard["host chat"].own and not heard["host chat"].is_history, "and whose they are")
local history = host:chat_history()
expect(#history == 1 and history[1].text == entry.text, "they are kept")
heard["host chat"] = nil
guest:react("clap")
turn(function() return heard["host chat"] end, "a reaction comes")
expect(heard["host chat"].entry.kind == "reaction" and #host:chat_history() == 1, "and is not kept")

local long = assert(io.open(arg[0]))
local size = #long:read("*a")
long:close()
local copy = unisono.copy_of_file(arg[0], unisono.ns(60))
expect(copy.has_hash and #copy.hash == 32 and copy.file_size == size and copy.duration == 60000000000LL, "a copy of a file")
fails("ENOTFOUND", unisono.copy_of_file, arg[0] .. ".none")
local second = host:add_entry({ item = "second", title = "The second", addresses = { "https://example.org/second" }, copy = copy })
local first = host:add_entry({ item = "first" }, second)
expect(#first == 16 and first ~= second, "an entry has an id")
turn(function() return #guest:playlist().items == 2 end, "the playlist is everybody's")
local items = guest:playlist().items
expect(items[1].id == first and items[2].title == "The second" and items[2].addresses[1] == "https://example.org/second", "in its order")
expect(items[2].copy.hash == copy.hash and guest:playlist().current == nil, "with its copy; nowhere yet")
guest:move_entry(first)
turn(function() return host:playlist().items[2].id == first end, "an entry at the end")
host:next_entry()
turn(function() return heard["guest playlist"] and heard["guest playlist"].current_changed end, "the group is at an entry")
expect(heard["guest playlist"].item == "second" and heard["guest playlist"].current == second, "at the first of them")
expect(guest:playlist().current == second, "as the list says")
host:set_copy(second, copy)
guest:set_copy(second, { duration = unisono.ns(70), file_size = 1, hash = ("h"):rep(32) })
turn(function() return heard["host copy"] and heard["guest copy"] end, "what differs is told to both")
expect(bit.band(heard["host copy"].differs, unisono.constants.DIFFERS_DURATION) ~= 0, "the duration")
expect(heard["host copy"].copy.hash == ("h"):rep(32) and heard["host copy"].participant == guest:local_participant(), "whose copy")
expect(#heard["guest copy"].message > 10, "and for people")
guest:remove_entry(first)
turn(function() return #host:playlist().items == 1 end, "an entry less")
fails("EINVAL", host.remove_entry, host)
expect(not pcall(host.remove_entry, host, "short"), "an identifier of another length is refused")

local request = host:attach_bytes("not much", "words.txt", "text/plain")
turn(function() return heard["guest attachment"] and heard["host attachment"] end, "something is offered")
local offered = heard["guest attachment"].attachment
expect(heard["host attachment"].request == request and heard["guest attachment"].change == "added", "as it was asked for")
expect(offered.name == "words.txt" and offered.media_type == "text/plain" and tonumber(offered.length) == 8, "what it is")
expect(#offered.id == 32 and offered.owner == host:local_participant() and not offered.is_available, "and whose")
local path = os.tmpname()
os.remove(path)
guest:load_attachment(offered.id, path)
turn(function() return heard["guest attachment"].change == "loaded" end, "it is loaded")
local loaded = assert(io.open(path))
expect(loaded:read("*a") == "not much" and guest:attachments()[1].is_available, "it is there")
loaded:close()
os.remove(path)
host:remove_attachment(offered.id)
turn(function() return heard["guest attachment"].change == "removed" and #guest:attachments() == 0 end, "and taken back")

expect(two:get_start_policy().start == "at_once", "no start waits for persons")
one:set_start_policy({ start = "when_ready", limit = unisono.ns(60), leaving = "pause" })
turn(function() return two:get_start_policy().leaving == "pause" end, "a policy of all")
expect(two:get_start_policy().start == "when_ready" and two:get_start_policy().limit == 60000000000LL, "with its limit")
two:set_ready("ready")
turn(function() return has(host:participants(), "readiness", "ready") end, "a person is ready")
fails("ESTATE", function() a:coordinator():undo_jump() end)
one:undo_jump()
turn(function() return two:timing() and two:timing().item_time < 60000000000LL end, "a jump is taken back")

local fired = {}
a:call_at(unisono.host_time() + 1000000LL, function(event) fired.due = event.status end)
local token = a:call_at(unisono.host_time() + unisono.ns(100), function(event) fired.cancelled = event.status end)
a:cancel(token)
turn(function() return fired.due and fired.cancelled end, "timers answer once")
expect(fired.due == "OK" and fired.cancelled == "ECANCELED", "with how it went")
fails("ENOTFOUND", a.cancel, a, token)

local player = b:player({ capabilities = unisono.constants.RENDERER_NUDGES })
listen("player", player, { "load", "cue", "item_state", "error" })
player:insert_item({ identifier = "song", duration = unisono.ns(30) })
turn(function() return heard["player load"] end, "a renderer's command is an event of the player")
player:report({ state = "ready", request = heard["player load"].request, item_time = 0, host_time = unisono.host_time() })
turn(function() return player:item_state() == "ready" end, "the item is ready")
player:end_scrub(false)
turn(function() return heard["player error"] end, "what is refused later is told")
expect(heard["player error"].status == "ESTATE" and heard["player error"].operation == "unisono_player_end_scrub", "in which call")
local surface = player:surface("inline")
local start, duration = surface:time_range()
expect(start == 0 and duration == 30000000000LL and surface:is_paused() == true, "two results, and a truth value")
expect(player:coordinator():current_item() == "song", "the player's own coordinator")
expect(player:coordinator():is_wish("rate", 1.5), "a speed that nobody commanded")
expect(not player:coordinator():is_wish("rate", 1), "back at the usual one")
expect(player:seek(unisono.ns(3), 0, 0) > 0, "a seek's number")

local hub = b:hub({ listen = { "127.0.0.1:0" } })
expect(hub:line(0):match("^unisono%-hub://127%.0%.0%.1:%d+/%w+$") and hub:get_statistics().rooms == 0, "a hub")
fails("ENOTFOUND", hub.line, hub, 100)
hub:destroy()
hub:destroy()
fails("ECLOSED", hub.get_statistics, hub)

fails("EINVAL", b.open, b, "nonsense")
expect(not pcall(b.host, b, { dispaly_name = "Ben" }), "a field that is none is refused")
expect(not pcall(host.set_role, host, names.Ben.id, "king"), "a name that is none is refused")
local nothing_yet = b:coordinator()
local position, status = nothing_yet:expected_item_time(now)
expect(position == nil and status == "ESTATE", "what is not there yet is no error")

guest.on_message = function() error("a fault of the game") end
host:send("fault", "reliable")
local limit, fault = unisono.host_time() + unisono.ns(30), nil
while not fault do
  expect(unisono.host_time() < limit, "a fault in a handler leaves poll, within 30 s")
  a:poll(2000000)
  local ok, what = pcall(b.poll, b, 2000000)
  if not ok then fault = what end
end
expect(tostring(fault):match("a fault of the game"), "as it was raised")

host:end_()
turn(function() return heard["guest state"].state == "invalidated" end, "the session ends for all")
expect(guest:get_state() == "invalidated", "and is over")
expect(heard["guest state"].reason == "EENDED", "and says why")
b:destroy()
fails("ECLOSED", guest.get_state, guest)
a:destroy()
print("ok")
