--- The smallest useful host in Lua: a player that is a number, sixty frames a second.
--
--     luajit bindings/lua/samples/console.lua host                     prints "invite ..."
--     luajit bindings/lua/samples/console.lua join INVITE --play      in another terminal: joins, and presses play
--
-- Then lines of commands.lua: pause, say hello, add film, ready, ... (help lists them). It ends with the session, or by quit. Options:
-- --name NAME, --listen ADDRESS, --person SECRET (16 characters, the same on all devices of one person), --device NAME, --trace FILE
-- (a line a frame while it plays: host time, position and cost of the poll, all in nanoseconds).
local here = arg[0]:match("^(.*)samples/[^/]*$") or "../"
package.path = here .. "?.lua;" .. here .. "samples/?.lua;" .. package.path
local ffi = require("ffi")
local unisono = require("unisono")
ffi.cdef([[
struct pollfd { int fd; short events, revents; };
int poll(struct pollfd *descriptors, unsigned long count, int milliseconds);
long read(int descriptor, void *buffer, size_t count);
]])

local options, words = {}, { unpack(arg) }
local command = table.remove(words, 1)
local invite = command == "join" and table.remove(words, 1)
if command ~= "host" and not invite then error("usage: console.lua host | join INVITE [--name NAME] [--play]", 0) end
while #words > 0 do
  local name = table.remove(words, 1):match("^%-%-(%l+)$") or error("options begin with --", 0)
  options[name] = name == "play" or table.remove(words, 1)
end

local context = unisono.context({ device_name = options.device or options.name, person = options.person })
local session = invite and context:open(invite, { display_name = options.name }) or
  context:host({ display_name = options.name, hub_options = options.listen and { listen = { options.listen } } })
local coordinator, playing, over = context:coordinator(), false, false

-- It is ready at once, and starts when it is time to: where it is, is read from the coordinator in each frame.
local function answer(_, wish) wish:complete() end
coordinator.on_pause, coordinator.on_seek, coordinator.on_buffer = answer, answer, answer
function coordinator:on_play(wish)
  context:call_at(wish.host_time, function(timer) if timer.status == "OK" then wish:complete() end end)
end
function coordinator:on_timing(change)
  playing = change.state == "playing"
  print(("%s at %.3f"):format(change.state, unisono.seconds(change.item_time or 0)))
end
function session:on_state(change)
  print(change.state, change.connection, change.message)
  over = change.state == "invalidated"
end
local commands = require("commands")(session, coordinator, print) -- what is refused, at once or later, is said

coordinator:coordinate_with_session(session)
session:join()
coordinator:transition_to_item("world")
if not invite then print("invite " .. session:invite()) end
io.stdout:setvbuf("line")
io.stdout:flush()

-- Waits a frame for the keyboard, and runs the lines that are complete.
local keyboard, room, typed = ffi.new("struct pollfd[1]", { { 0, 1, 0 } }), ffi.new("char[4096]"), ""
local function wait_for_lines()
  if ffi.C.poll(keyboard, 1, 16) < 1 then return end
  local count = ffi.C.read(0, room, 4096)
  if count <= 0 then keyboard[0].fd = -1 end -- nobody types; it goes on
  typed = typed .. ffi.string(room, math.max(0, tonumber(count)))
  for line in typed:gmatch("([^\n]*)\n") do over = not commands:run(line) or over end
  typed = typed:match("[^\n]*$")
end

local trace = options.trace and io.open(options.trace, "w")
while not over do
  local begin = context:host_time()
  context:poll()
  local now = context:host_time()
  local position = coordinator:expected_item_time(now)
  if trace and playing and position then
    trace:write(tostring(now):sub(1, -3), " ", tostring(position):sub(1, -3), " ", tostring(now - begin):sub(1, -3), "\n")
    trace:flush()
  end
  -- Whoever came to press play does so once there is somebody to play with, and one clock.
  if options.play and #coordinator:other_participants() > 0 and session:get_statistics().clock_state == "synchronized" then
    options.play = false
    coordinator:play()
  end
  wait_for_lines()
end
context:destroy()
