--- What both samples have in common: lines that a person types to the group, the same as in the hosts in C, and sentences about what the
-- group shares.
--
--     local commands = require("commands")(session, coordinator, print)
--     commands:run("say hello")       -- false: it was "quit"
--
-- Made once the session has its own on_state, if any. It hears the session's states, notices, chat, playlist, copies, attachments and
-- refusals, and the coordinator's refusals.
local unisono = require("unisono")

local Commands = {}
Commands.__index = Commands

local HELP = "play, pause, seek S, undo, say TEXT, react TEXT, history, who, ready, unready, start-policy none|first|every [S] [pause], " ..
  "go [NAME], at +S|off, countdown, list, add ITEM, next, drop N, move N TO, select N, copy PATH, cut S, attach PATH, attachments, " ..
  "load N PATH, close, open, leave, end, quit"

-- ---- What the group tells ---------------------------------------------------------------------------------------------------

local function said(entry) return (entry.name or "Somebody") .. ": " .. entry.text end

local function megabytes(attachment) return ("%s, %.1f MB"):format(attachment.name, tonumber(attachment.length) / 1e6) end

local attachment_sentences = {
  added = function(event) return "Offered: " .. megabytes(event.attachment) end,
  removed = function(event) return "Not offered any more: " .. event.attachment.name end,
  progress = function(event)
    local part = tonumber(event.transferred) / math.max(1, tonumber(event.attachment.length))
    return ("Loading %s: %d %%"):format(event.attachment.name, 100 * part)
  end,
  loaded = function(event) return "Loaded: " .. event.attachment.name end,
}

local schedule_sentences = {
  set = "%s begins in %.0f s",
  canceled = "The start of %s was called off",
  remaining = "%s begins in %.0f s",
  due = "%s begins",
}

local function listen(self, session, coordinator)
  local on_state, is_closed = session.on_state, false
  function session.on_state(_, event)
    if on_state then on_state(session, event) end
    if event.state ~= "joined" or event.closed == is_closed then return end
    is_closed = event.closed
    self:tell(is_closed and "The group is closed: nobody new is let in" or "The group is open again")
  end
  function session.on_notice(_, event) self:tell(unisono.notice_text(event)) end
  function session.on_chat(_, event) self:tell(said(event.entry)) end
  function session.on_copy(_, event) if event.differs ~= 0 then self:tell(event.message) end end
  function session.on_attachment(_, event)
    local sentence = attachment_sentences[event.change]
    self:tell(sentence and sentence(event) or event.attachment.name .. ": " .. event.message)
  end
  -- The group is at another entry of the playlist: so is this player.
  function session.on_playlist(_, event)
    if event.current_changed and event.item then
      coordinator:transition_to_item(event.item)
      self:tell("The group is at " .. event.item)
    end
  end
  function session.on_schedule(_, event)
    local sentence = schedule_sentences[event.change]
    if sentence then self:tell(sentence:format(event.start.item, unisono.seconds(event.remaining))) end
  end
  function session.on_error(_, event) self:tell(event.message) end
  coordinator.on_error = session.on_error
end

-- ---- What a person asks ------------------------------------------------------------------------------------------------------

local function fail(sentence) error(sentence, 0) end

local function number_in(text, what) return tonumber(text) or fail(what .. " is a number") end

--- The Nth of a list, from 1.
local function nth(list, number, what)
  return list[tonumber(number)] or fail(what .. " has nothing of this number")
end

--- Who is there, persons rather than devices, and whether they say that they are ready.
local function who(self)
  local persons, order = {}, {}
  for _, one in ipairs(self.session:participants()) do
    local key = one.person or one.id
    if not persons[key] then
      persons[key] = { name = one.display_name, devices = {}, said = {} }
      order[#order + 1] = persons[key]
    end
    table.insert(persons[key].devices, one.device_name)
    persons[key].said[one.readiness] = true
    if one.cut_offset ~= 0 then persons[key].cut = (", cut %.1f s"):format(unisono.seconds(one.cut_offset)) end
  end
  for _, person in ipairs(order) do
    table.sort(person.devices)
    local devices = #person.devices > 1 and (" (%s)"):format(table.concat(person.devices, ", ")) or ""
    local ready = person.said.not_ready and ", not ready" or person.said.ready and ", ready" or ""
    self:tell(person.name .. devices .. ready .. (person.cut or ""))
  end
end

local function start_policy(self, argument)
  local rules = { none = "at_once", first = "first_when_ready", every = "when_ready" }
  local when, rest = argument:match("^(%l+)%s*(.*)$")
  if not rules[when] then fail("none, first or every; then seconds, if you like; then pause, if leaving is to pause") end
  local seconds = rest:match("^[%d.]+")
  self.coordinator:set_start_policy({ start = rules[when], limit = unisono.ns(number_in(seconds or "0", "a limit")),
                                      leaving = rest:match("pause$") and "pause" or "go_on" })
end

--- Whoever is not ready is waited for no more; with a name, that one is not.
local function go(self, name)
  local named = {}
  for _, one in ipairs(self.session:participants()) do
    if #named == 0 and one.display_name == name then named[1] = one.id end
  end
  if name ~= "" and #named == 0 then fail("nobody here is called " .. name) end
  self.coordinator:start_without(named)
end

local function entry(self, number) return nth(self.session:playlist().items, number, "the playlist").id end

local function list(self)
  local playlist = self.session:playlist()
  for number, one in ipairs(playlist.items) do
    self:tell(("%s %d %s"):format(one.id == playlist.current and ">" or " ", number, one.title or one.item))
  end
  if #playlist.items == 0 then self:tell("the playlist is empty") end
end

--- To where the entry of the second number stands now; without one, to the end.
local function move(self, argument)
  local what, place = argument:match("^(%d+)%s*(%d*)$")
  self.session:move_entry(entry(self, what), place ~= "" and entry(self, place) or nil)
end

--- Which file this participant plays of the current entry.
local function copy(self, path)
  local current = self.session:playlist().current or fail("the group is at no entry of the playlist")
  self.session:set_copy(current, unisono.copy_of_file(path))
end

--- Everybody who is where this player is begins in so many seconds.
local function at(self, argument)
  if argument == "off" then return self.session:cancel_start() end
  local ahead = tonumber(argument:match("^%+([%d.]+)$") or fail("give + and seconds, or off"))
  if not ahead or ahead <= 0 or ahead >= 7 * 86400 then fail("give seconds, at most seven days of them") end
  for _, one in ipairs(self.session:participants()) do
    if one.is_local and one.item then
      return self.session:schedule_start(one.item, self.session.context:host_time() + unisono.ns(ahead), unisono.constants.TIME_INVALID)
    end
  end
  fail("there is no item")
end

local function countdown(self)
  local start = self.session:scheduled_start()
  if not start then return self:tell("nothing is scheduled") end
  local left = unisono.seconds(start.host_time - self.session.context:host_time())
  self:tell(("%.0f s until %s begins"):format(left, start.item))
end

local function load(self, argument)
  local number, path = argument:match("^(%d+)%s+(.+)$")
  if not number then fail("give a number of the list that `attachments` prints, and a path") end
  self.session:load_attachment(nth(self.session:attachments(), number, "the list").id, path)
end

local words = {
  play = function(self, rate) self.coordinator:play(tonumber(rate) or 1) end,
  pause = function(self) self.coordinator:pause() end,
  seek = function(self, seconds) self.coordinator:seek(unisono.ns(number_in(seconds, "a position"))) end,
  undo = function(self) self.coordinator:undo_jump() end,
  say = function(self, text) self.session:chat(text) end,
  react = function(self, text) self.session:react(text) end,
  history = function(self)
    for _, one in ipairs(self.session:chat_history()) do self:tell("  " .. said(one)) end
  end,
  who = who,
  ready = function(self) self.coordinator:set_ready("ready") end,
  unready = function(self) self.coordinator:set_ready("not_ready") end,
  ["start-policy"] = start_policy,
  go = go,
  at = at,
  countdown = countdown,
  list = list,
  add = function(self, item) self.session:add_entry({ item = item }) end,
  next = function(self) self.session:next_entry() end,
  drop = function(self, number) self.session:remove_entry(entry(self, number)) end,
  move = move,
  select = function(self, number) self.session:select_entry(entry(self, number)) end,
  copy = copy,
  cut = function(self, seconds) self.session:set_cut_offset(nil, unisono.ns(number_in(seconds, "an offset"))) end,
  attach = function(self, path) self.session:attach(path) end,
  attachments = function(self)
    for number, one in ipairs(self.session:attachments()) do
      self:tell(("%d %s%s"):format(number, megabytes(one), one.is_available and ", here" or ""))
    end
  end,
  load = load,
  close = function(self) self.session:set_closed(true) end,
  open = function(self) self.session:set_closed(false) end,
  leave = function(self) self.session:leave() end,
  ["end"] = function(self) self.session:end_() end,
  help = function(self) self:tell(HELP) end,
}

--- Runs a line; what is refused is told. False: the person wants to quit.
function Commands:run(line)
  local word, argument = line:match("^%s*(%S+)%s*(.-)%s*$")
  if word == "quit" then return false end
  if words[word] then
    local ok, fault = pcall(words[word], self, argument)
    if not ok then self:tell(word .. ": " .. tostring(fault)) end
  elseif word then
    self:tell(word .. ": not a command; try help")
  end
  return true
end

--- session, coordinator: what is talked about; tell(sentence): for the person here, without what controls a terminal.
return function(session, coordinator, tell)
  local self = setmetatable({ session = session, coordinator = coordinator }, Commands)
  function self.tell(_, sentence) tell((sentence:gsub("%c", " "))) end
  listen(self, session, coordinator)
  return self
end
