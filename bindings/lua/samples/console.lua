--- The smallest useful host in Lua: a player that is a number, sixty frames a second.
--
--     luajit bindings/lua/samples/console.lua host                     prints "invite ..."
--     luajit bindings/lua/samples/console.lua join INVITE --play      in another terminal: joins, and presses play
--
-- It ends with the session. Options: --name NAME, --listen ADDRESS, --trace FILE (a line a frame while it plays: host time, position and
-- cost of the poll, all in nanoseconds).
package.path = (arg[0]:match("^(.*)samples/[^/]*$") or "../") .. "?.lua;" .. package.path
local ffi = require("ffi")
local unisono = require("unisono")
ffi.cdef("int poll(void *descriptors, unsigned long count, int milliseconds);")

local options, words = {}, { unpack(arg) }
local command = table.remove(words, 1)
local invite = command == "join" and table.remove(words, 1)
if command ~= "host" and not invite then error("usage: console.lua host | join INVITE [--name NAME] [--play]", 0) end
while #words > 0 do
  local name = table.remove(words, 1):match("^%-%-(%l+)$") or error("options begin with --", 0)
  options[name] = name == "play" or table.remove(words, 1)
end

local context = unisono.context({ device_name = options.name })
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
function session:on_notice(event) print(unisono.notice_text(event)) end
function session:on_state(change)
  print(change.state, change.connection, change.message)
  over = change.state == "invalidated"
end
-- What is refused, at once or later, is said.
function coordinator:on_error(event) print(event.message) end
session.on_error = coordinator.on_error

coordinator:coordinate_with_session(session)
session:join()
coordinator:transition_to_item("world")
if not invite then print("invite " .. session:invite()) end
io.stdout:setvbuf("line")
io.stdout:flush()

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
  ffi.C.poll(nil, 0, 16)
end
context:destroy()
