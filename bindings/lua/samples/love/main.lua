--- Lanterns: a river at night that is the same for everybody, at the same moment.
--
--     love bindings/lua/samples/love host                      prints the invite, and puts it on the clipboard
--     love bindings/lua/samples/love join INVITE --name Ben    in another window, on another machine
--
-- Space lets time run or stand, for all; left and right row the own boat; backspace takes everybody ten seconds back. A lantern
-- comes down on each beat of the music: whoever is under it has it. The world is a function of one number, the position that the
-- group agrees on, so that there is nothing to be sent about it: only where boats are goes over the line.
--
-- Return opens a line for what commands.lua knows: say hello, ready, add ITEM, attach PATH, ... (help); escape closes it. What is told
-- stands beside it.
--
-- Further options: --name NAME, --hub LINE, --listen ADDRESS, --trace FILE (a line for each frame: host time, position, cost of the
-- poll, all in nanoseconds), --picture FILE --picture-at SECONDS (a screenshot at that position).
local source = love.filesystem.getSource()
package.path = source .. "/../../?.lua;" .. source .. "/../?.lua;" .. package.path
local unisono = require("unisono")
local commands_of = require("commands")

local WIDTH, HEIGHT, WATER = 960, 540, 430
local BEAT = 0.5 -- seconds
local FALL = 4 -- beats that a lantern is on its way
local REACH = 45 -- pixels beside a boat
local COLOURS = { { 1, 0.55, 0.35 }, { 0.45, 0.8, 1 }, { 0.7, 1, 0.5 }, { 1, 0.6, 0.9 }, { 1, 0.9, 0.4 }, { 0.7, 0.6, 1 } }

local options = { name = "Ann" }
local context, session, coordinator, music
local me, boats = nil, {} -- by identifier: x, score, name
local position, playing, status = 0, false, ""
local commands, told, line = nil, {}, nil -- the last sentences; what is being typed, nil: nothing
local sent_at, sent_x, trace, poll_cost = 0, nil, nil, 0

--- For who started it: a line at once, whatever stdout is.
local function print_line(text)
  io.stdout:write(text, "\n")
  io.stdout:flush()
end

-- ---- The player: the world itself. It is ready at once, and where it has to be by itself. ----------------------------------

local function answer(_, command) command:complete() end

local function on_play(_, command)
  context:call_at(command.host_time, function(timer)
    if timer.status == "OK" then command:complete() end -- an older one counts for nothing
  end)
end

local function on_timing(_, change)
  playing = change.state == "playing"
  local waits = {}
  for _, one in ipairs(change.waiting_for) do waits[#waits + 1] = boats[one.participant] and boats[one.participant].name or "somebody" end
  status = change.state == "waiting" and "waiting for " .. table.concat(waits, ", ") or change.state
  print_line(("%s at %.3f"):format(change.state, unisono.seconds(change.item_time or 0)))
end

-- ---- The others -------------------------------------------------------------------------------------------------------------

local function on_participants(_, change)
  for _, kind in ipairs({ "joined", "updated" }) do
    for _, participant in ipairs(change[kind]) do
      boats[participant.id] = boats[participant.id] or { x = WIDTH / 2, shown = WIDTH / 2, score = 0 }
      boats[participant.id].name = participant.display_name
    end
  end
  for _, participant in ipairs(change.left) do boats[participant.id] = nil end
end

local function on_message(_, message)
  local x, score = message.data:match("^boat (%-?%d+) (%d+)$")
  local boat = boats[message.sender]
  if not boat or not x then return end -- whatever it is, it is none of ours
  boat.x, boat.score = math.max(0, math.min(WIDTH, tonumber(x))), tonumber(score)
end

local function send_boat(now)
  local boat = boats[me]
  if not boat or session:get_state() ~= "joined" then return end
  local moved, since = boat.x ~= sent_x, now - sent_at
  if since < 50e6 or not moved and since < 1e9 then return end -- at most twenty a second, and one for newcomers
  if pcall(session.send, session, ("boat %d %d"):format(boat.x, boat.score), "unreliable") then sent_at, sent_x = now, boat.x end
end

-- ---- Music ------------------------------------------------------------------------------------------------------------------

--- Eight beats that repeat: a drum on each, and a tune of five notes.
local function make_music()
  local rate, beats = 44100, 8
  local sound = love.sound.newSoundData(rate * BEAT * beats, rate, 16, 1)
  local notes = { 0, 7, 12, 7, 3, 10, 15, 10, 5, 12, 17, 12, 3, 10, 15, 7 }
  for sample = 0, sound:getSampleCount() - 1 do
    local t = sample / rate
    local beat, half = t % BEAT, t % (BEAT / 2)
    local drum = math.sin(2 * math.pi * (50 + 60 * math.exp(-beat * 30)) * beat) * math.exp(-beat * 14)
    local note = 220 * 2 ^ (notes[math.floor(t / (BEAT / 2)) % #notes + 1] / 12)
    local pluck = math.sin(2 * math.pi * note * t) * math.exp(-half * 9)
    sound:setSample(sample, 0.5 * drum + 0.2 * pluck)
  end
  music = love.audio.newSource(sound)
  music:setLooping(true)
end

--- The sound card has a clock of its own: a little faster or slower, or a jump where that is far off.
local function keep_music()
  if not playing then
    music:pause()
    return
  end
  if not music:isPlaying() then
    music:seek(position % music:getDuration())
    music:play()
  end
  local ahead = (music:tell() - position + music:getDuration() / 2) % music:getDuration() - music:getDuration() / 2
  if math.abs(ahead) > 0.08 then
    music:seek(position % music:getDuration())
  else
    music:setPitch(1 - math.max(-0.01, math.min(0.01, ahead)))
  end
end

-- ---- The world: a function of the position ------------------------------------------------------------------------------------

--- A number of 0...1 that belongs to a number, the same everywhere.
local function chance(number) return (math.sin(number * 127.1 + 11.7) * 43758.5453) % 1 end

local function lantern(number) return 90 + chance(number) * (WIDTH - 180) end

local caught_until -- the last beat that was looked at

local function catch()
  local beat = math.floor(position / BEAT)
  if caught_until == nil or beat < caught_until or beat > caught_until + 4 then caught_until = beat end
  local boat = boats[me]
  while caught_until < beat do
    caught_until = caught_until + 1
    if boat and playing and math.abs(boat.x - lantern(caught_until)) < REACH then boat.score = boat.score + 1 end
  end
end

local function draw_world()
  local night = 0.5 + 0.5 * math.cos(position / 60 * math.pi)
  for row = 0, 26 do
    local high = 1 - row / 26
    love.graphics.setColor(0.05 + 0.25 * (1 - night) * high, 0.06 + 0.14 * (1 - high), 0.18 + 0.25 * (1 - high))
    love.graphics.rectangle("fill", 0, row * WATER / 26, WIDTH, WATER / 26 + 1)
  end
  love.graphics.setColor(1, 1, 0.9, 0.8)
  for star = 1, 60 do love.graphics.circle("fill", (chance(star) * WIDTH - position * 2) % WIDTH, chance(star + 99) * 250, 1.2) end
  love.graphics.circle("fill", (700 - position * 3) % (WIDTH + 120) - 60, 90, 34)
  for hill = 0, 2 do
    love.graphics.setColor(0.04 + 0.02 * hill, 0.09 + 0.03 * hill, 0.14 + 0.02 * hill)
    local function height(x)
      local at = (x + position * (8 + 10 * hill)) / (190 - 40 * hill)
      return WATER - 90 + 30 * hill - 26 * math.sin(at) - 14 * math.sin(at * 2.3 + hill)
    end
    for x = 0, WIDTH - 24, 24 do love.graphics.polygon("fill", x, WATER, x, height(x), x + 24, height(x + 24), x + 24, WATER) end
  end
  love.graphics.setColor(0.05, 0.12, 0.2)
  love.graphics.rectangle("fill", 0, WATER, WIDTH, HEIGHT - WATER)
  love.graphics.setColor(0.5, 0.7, 0.9, 0.25)
  for wave = 1, 40 do
    local x = (chance(wave + 7) * WIDTH - position * 30 * (1 + chance(wave))) % (WIDTH + 80) - 80
    love.graphics.line(x, WATER + 8 + wave * 2.5, x + 60, WATER + 8 + wave * 2.5)
  end
end

local function draw_lanterns()
  local first = math.ceil(position / BEAT)
  for number = first, first + FALL do
    local left = number - position / BEAT -- beats
    local x, y = lantern(number) + 14 * math.sin(left * 2 + number), WATER - 10 - left / FALL * (WATER - 40)
    local glow = 0.6 + 0.4 * math.max(0, 1 - left)
    love.graphics.setColor(1, 0.75, 0.3, 0.16 * glow)
    love.graphics.circle("fill", x, y, 34)
    love.graphics.setColor(1, 0.8, 0.4, glow)
    love.graphics.rectangle("fill", x - 9, y - 12, 18, 24, 6)
    love.graphics.setColor(1, 0.95, 0.75)
    love.graphics.circle("fill", x, y + 3, 4)
  end
end

local function draw_boats()
  local ids = {}
  for id in pairs(boats) do ids[#ids + 1] = id end
  table.sort(ids) -- the same colours everywhere
  for index, id in ipairs(ids) do
    local boat, colour = boats[id], COLOURS[(index - 1) % #COLOURS + 1]
    local y = WATER + 22 + 4 * math.sin(position * 2 + index)
    love.graphics.setColor(colour)
    love.graphics.polygon("fill", boat.shown - 42, y, boat.shown + 42, y, boat.shown + 28, y + 18, boat.shown - 28, y + 18)
    love.graphics.setColor(0, 0, 0, 0.5)
    love.graphics.printf(("%s  %d"):format(boat.name, boat.score), boat.shown - 100, y + 24, 200, "center")
    love.graphics.setColor(1, 1, 1)
    love.graphics.printf(("%s  %d"):format(boat.name, boat.score), boat.shown - 101, y + 23, 200, "center")
  end
end

-- ---- The frame loop ---------------------------------------------------------------------------------------------------------

local function read_arguments(arguments)
  local command = table.remove(arguments, 1)
  if command == "join" then options.invite = table.remove(arguments, 1) end
  if command ~= "host" and not options.invite then error("usage: love bindings/lua/samples/love host | join INVITE [--name NAME]") end
  while #arguments > 0 do
    local name = table.remove(arguments, 1):match("^%-%-(%l[%l-]*)$")
    if not name then error("options begin with --") end
    options[name] = table.remove(arguments, 1)
  end
end

--- For the person in front of the window.
local function tell(sentence)
  told[#told + 1] = sentence
  if #told > 6 then table.remove(told, 1) end
  print_line("* " .. sentence)
end

function love.load(arguments)
  read_arguments(arguments)
  context = unisono.context({ device_name = options.name })
  local own = { display_name = options.name }
  if options.invite then
    session = context:open(options.invite, own)
  else
    own.hub = options.hub
    if options.listen then own.hub_options = { listen = { options.listen } } end
    session = context:host(own)
    print_line("invite " .. session:invite())
    love.system.setClipboardText(session:invite())
  end
  me = session:local_participant()
  session.on_participants, session.on_message = on_participants, on_message
  function session:on_state(change)
    if change.state == "invalidated" then status = "the session is over: " .. change.message end
    if change.state == "joined" then print_line("joined") end
  end
  coordinator = context:coordinator()
  coordinator.on_play, coordinator.on_pause, coordinator.on_seek, coordinator.on_buffer = on_play, answer, answer, answer
  coordinator.on_timing = on_timing
  commands = commands_of(session, coordinator, tell)
  coordinator:coordinate_with_session(session)
  session:join()
  coordinator:transition_to_item("the river")
  trace = options.trace and io.open(options.trace, "w")
  make_music()
end

function love.update(dt)
  local before = unisono.host_time()
  context:poll()
  local now = unisono.host_time()
  poll_cost = tonumber(now - before)
  local expected = coordinator:expected_item_time(now)
  position = expected and math.max(0, unisono.seconds(expected)) or 0
  if trace and expected and playing then trace:write(("%s %s %d\n"):format(tostring(now):sub(1, -3), tostring(expected):sub(1, -3), poll_cost)) end
  if boats[me] then
    local way = (love.keyboard.isDown("right") and 1 or 0) - (love.keyboard.isDown("left") and 1 or 0)
    boats[me].x = math.max(40, math.min(WIDTH - 40, boats[me].x + way * 420 * dt))
  end
  for id, boat in pairs(boats) do
    boat.shown = id == me and boat.x or boat.shown + (boat.x - boat.shown) * math.min(1, dt * 12)
  end
  catch()
  send_boat(tonumber(now))
  keep_music()
end

function love.draw()
  draw_world()
  draw_lanterns()
  draw_boats()
  love.graphics.setColor(1, 1, 1)
  local bound = session:get_statistics().clock_error
  love.graphics.print(("%d:%04.1f   %s"):format(math.floor(position / 60), position % 60, status), 16, 12)
  love.graphics.print(bound and ("one clock for all, to %.2f ms; this frame's poll %.2f ms"):format(tonumber(bound) / 1e6, poll_cost / 1e6) or
    "looking for the others", 16, 30)
  love.graphics.print(table.concat(told, "\n"), 16, 54)
  if line then love.graphics.print("> " .. line .. "_", 16, HEIGHT - 22) end
  love.graphics.printf("space: time runs or stands, for all   arrows: row   backspace: ten seconds back   return: say, add ...", 0, HEIGHT - 22, WIDTH - 16, "right")
  if options.picture and playing and position >= tonumber(options["picture-at"] or 0) then
    local path = options.picture
    options.picture = nil
    love.graphics.captureScreenshot(function(image)
      local file = assert(io.open(path, "wb"))
      file:write(image:encode("png"):getString())
      file:close()
    end)
  end
end

function love.textinput(letters)
  if line then line = line .. letters end
end

--- A line is being typed: what is no letter.
local function edit(pressed)
  if pressed == "return" then
    if not commands:run(line) then love.event.quit() end
    line = nil
  elseif pressed == "backspace" then
    line = line:gsub("[%z\1-\127\194-\244][\128-\191]*$", "") -- a letter of UTF-8
  elseif pressed == "escape" then
    line = nil
  end
end

function love.keypressed(pressed)
  if line then
    edit(pressed)
  elseif pressed == "return" then
    line = ""
  elseif pressed == "space" then
    commands:run(playing and "pause" or "play")
  elseif pressed == "backspace" then
    commands:run(("seek %.3f"):format(math.max(0, position - 10)))
  elseif pressed == "escape" then
    love.event.quit()
  end
end

function love.quit()
  if trace then trace:close() end
  context:destroy()
end
