--- Unisono for LuaJIT: any player, in step with everyone else in the group.
--
--     local unisono = require("unisono")
--     local context = unisono.context({ device_name = "Ann's desk" })
--     local session = context:open(invite, { display_name = "Ann" })       -- or context:host(), session:invite()
--     local coordinator = context:coordinator()
--     function coordinator:on_play(command) ... command:complete() end     -- on_pause, on_seek, on_buffer, on_timing, ...
--     coordinator:coordinate_with_session(session)
--     session:join()
--     coordinator:transition_to_item("level 1")
--     -- in each frame:
--     context:poll()
--     local position = coordinator:expected_item_time(context:host_time())
--
-- Everything that the C headers declare is here, under the same names: unisono_session_send(session, ...) is session:send(...),
-- unisono_player_create(context, ...) is context:player(...), unisono_context_options is a table with the same fields. What differs:
--   times        int64_t as LuaJIT has it (5000000000LL), so that nothing is lost: nanoseconds. `unisono.seconds` and `unisono.ns`
--                convert. A time that is not there is nil. Where a time is given, a Lua number does as well.
--   enumerations their names in small letters: session:get_state() == "joined", command.cause == "seek". Unknown ones: the number.
--   truth values true and false.
--   identifiers  of participants and entries of the playlist: strings of 16 bytes, of attachments: of 32 (`unisono.hex` shows them);
--                nil: nobody, none.
--   lists        what only has `items` in C is the list itself: session:participants(), session:chat_history().
--   flags        that say which times are set are set by themselves.
--   callbacks    there are none: context:poll() calls source:on_NAME(event), where NAME is the event's without its source's:
--                SESSION_MESSAGE calls session:on_message, RENDERER_LOAD player:on_load, ERROR on_error of whom it concerns.
--                The event is a table that can be kept. An error in such a function leaves poll; what is left comes with the next.
--   status       "OK", or an error's name: "EDENIED".
--   failures     raise a unisono.Error with `status`, `number` and `message`. A function that only reads what may not
--                be there yet (expected_item_time, timing, clock) returns nil and the status instead.
--
-- One thread of Lua: the one that polls. It never waits unless it is told to. The library's own work (the network, the clock) goes on
-- in a thread of the library, which never enters Lua: so a frame's poll only takes events off a queue, and a loading screen loses nobody.
-- With own_thread = false that work is done inside poll.
local found, ffi = pcall(require, "ffi")
if not found then error("unisono needs LuaJIT: this is " .. _VERSION .. " without ffi", 2) end
local declared = require("unisono_ffi")
local bit = require("bit")

local unisono = { constants = declared.constants }
local INVALID = declared.constants.TIME_INVALID
unisono.INDEFINITE = declared.constants.TIME_INDEFINITE

-- ---- The library ------------------------------------------------------------------------------------------------------

local function load_library()
  local named = os.getenv("UNISONO_LIBRARY")
  local names = named and { named } or { "libunisono.so.0", "unisono" }
  if ffi.os == "OSX" and not named then names[1] = "libunisono.0.dylib" end
  local faults = {}
  for _, name in ipairs(names) do
    local ok, library = pcall(ffi.load, name)
    if ok then return library end
    faults[#faults + 1] = tostring(library)
  end
  error("libunisono was not found; set UNISONO_LIBRARY to its path. Tried: " .. table.concat(faults, "; "))
end

local library = load_library()

-- ---- Errors, names, times -----------------------------------------------------------------------------------------------

local Error = {}
Error.__index = Error
Error.__tostring = function(self) return self.message end
unisono.Error = Error

local names, numbers = {}, {} -- of each enumeration
for enumeration, members in pairs(declared.enumerations) do
  names[enumeration], numbers[enumeration] = {}, {}
  for name, number in pairs(members) do
    name = enumeration == "status" and name or name:lower()
    names[enumeration][number], numbers[enumeration][name] = name, number
  end
end

local function name_of(enumeration, number) return names[enumeration][number] or number end

local function number_of(enumeration, value)
  if value == nil then return 0 end
  if type(value) == "number" then return value end
  local number = numbers[enumeration][value]
  if not number then error(("%q is no %s"):format(tostring(value), enumeration), 0) end
  return number
end

local function check(result)
  if result >= 0 then return result end
  local message = ffi.string(library.unisono_last_error())
  if message == "" then message = ffi.string(library.unisono_strerror(result)) end
  error(setmetatable({ status = name_of("status", result), number = result, message = message }, Error), 0)
end

--- Nanoseconds as seconds: a Lua number, exact to a microsecond for a century.
function unisono.seconds(ns) return tonumber(ns) / 1e9 end

--- Seconds as nanoseconds.
function unisono.ns(seconds) return ffi.cast("int64_t", seconds * 1e9) end

--- An identifier for people.
function unisono.hex(id) return (id:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

--- Host time now, ns; within a context, context:host_time().
function unisono.host_time() return library.unisono_host_time() end

function unisono.version() return ffi.string(library.unisono_version()) end

-- ---- Reading structs ----------------------------------------------------------------------------------------------------

local classes, objects = {}, {} -- by name of the handle; by handle, while they live

local function key(handle) return ffi.string(ffi.new("void *[1]", { ffi.cast("void *", handle) }), 8) end

local function object(name, handle, context)
  if handle == nil then return nil end
  local known = objects[key(handle)]
  if known then return known end
  return setmetatable({ handle = ffi.cast("unisono_" .. name .. " *", handle), context = context }, classes[name])
end

local function text(pointer) if pointer ~= nil then return ffi.string(pointer) end end

--- An identifier of any kind; nil: of nobody, of none.
local function id_text(id)
  local bytes = ffi.string(id.bytes, ffi.sizeof(id.bytes))
  if bytes:find("[^%z]") then return bytes end
end

local read

local function list(count, one)
  local all = {}
  for index = 0, tonumber(count) - 1 do all[index + 1] = one(index) end
  return all
end

--- By kind of a field: what it is in Lua.
local readers = {
  number = function(value) return tonumber(value) end,
  enumeration = function(value, _, name) return name_of(name, tonumber(value)) end,
  truth = function(value) return value ~= 0 end,
  time = function(value) if value ~= INVALID then return value end end,
  wide = function(value) return value end,
  text = function(value) return text(value) end,
  chars = function(value) return ffi.string(value) end,
  bytes = function(value) return ffi.string(value, ffi.sizeof(value)) end,
  id = function(value) return id_text(value) end,
  ids = function(value, view, _, count) return list(view[count], function(i) return id_text(value[i]) end) end,
  texts = function(value, view, _, count) return list(view[count], function(i) return ffi.string(value[i]) end) end,
  data = function(value, view, _, count) return value ~= nil and ffi.string(value, view[count]) or nil end,
  view = function(value, _, struct) if value ~= nil then return read(struct, value) end end,
  views = function(value, view, struct, count) return list(view[count], function(i) return read(struct, value[i]) end) end,
  list = function(value, view, struct, count) return list(view[count], function(i) return read(struct, value + i) end) end,
  handle = function(value, _, name) return object(name, value) end,
}

--- A struct as a table, all that hangs on it included.
function read(struct, view)
  local result = {}
  for _, field in ipairs(declared.structs[struct]) do
    local name, kind, detail, count = field[1], field[2], field[3], field[4]
    local reader = readers[kind]
    if reader and name ~= "size" and name ~= "reserved" then result[name] = reader(view[name], view, detail, count) end
  end
  return result
end

-- ---- Writing structs ----------------------------------------------------------------------------------------------------

--- Which flag says that a time is set.
local POINTS = {
  unisono_timing = { host_time = "HAS_HOST_TIME" },
  unisono_notice = { item_time = "HAS_POSITION" },
  unisono_playback_report = { item_time = "HAS_POSITION", earliest = "HAS_RANGE" },
  unisono_renderer_report = { item_time = "HAS_POSITION", seekable_start = "HAS_RANGE" },
}

local function id_given(id, struct)
  local value = ffi.new(struct)
  if type(id) ~= "string" or #id ~= ffi.sizeof(value) then
    error(("an identifier is a string of %d bytes"):format(ffi.sizeof(value)), 0)
  end
  ffi.copy(value.bytes, id, #id)
  return value
end

local function array(type_, values)
  return ffi.new(type_ .. "[?]", #values, values)
end

--- A table as a struct, and what must live as long.
local function given(struct, values, kept)
  local view = ffi.new(struct)
  kept[#kept + 1] = view
  local known = {}
  for _, field in ipairs(declared.structs[struct]) do
    local name, kind, detail, count = field[1], field[2], field[3], field[4]
    local value = values[name]
    known[name] = true
    if name == "size" then
      view.size = ffi.sizeof(struct)
    elseif value ~= nil then
      if kind == "truth" then
        view[name] = value and value ~= 0 and 1 or 0
      elseif kind == "enumeration" then
        view[name] = number_of(detail, value)
      elseif kind == "bytes" then
        if #value ~= ffi.sizeof(view[name]) then error(name .. " has " .. ffi.sizeof(view[name]) .. " bytes", 0) end
        ffi.copy(view[name], value, #value)
      elseif kind == "id" then
        view[name] = id_given(value, detail)
      elseif kind == "data" then
        view[name], view[count] = ffi.cast("const char *", value), #value
      elseif kind == "texts" then
        local texts = array("const char *", value)
        kept[#kept + 1] = texts
        view[name], view[count] = texts, #value
      elseif kind == "view" then
        view[name] = given(detail, value, kept)
      else
        view[name] = value
      end
    end
  end
  for name in pairs(values) do
    if not known[name] then error(struct .. " has no field " .. tostring(name), 0) end
  end
  if struct == "unisono_copy" and values.hash ~= nil and values.has_hash == nil then view.has_hash = 1 end
  for name, flag in pairs(POINTS[struct] or {}) do
    if values[name] ~= nil then view.flags = bit.bor(view.flags, declared.constants[flag]) end
  end
  return view
end

-- ---- Functions as methods -------------------------------------------------------------------------------------------------

local function nothing() end

--- Whether a struct is a list and nothing else.
local function only_items(struct)
  local found = false
  for _, field in ipairs(declared.structs[struct]) do
    if field[2] == "views" then found = true
    elseif field[2] ~= "count" and field[1] ~= "size" and field[1] ~= "reserved" then return false end
  end
  return found
end

--- By kind of a parameter: the argument, and what it gives back (nil: it takes one of the caller's arguments).
local outward = {
  out_text = function(arguments)
    local room = ffi.new("char[4097]")
    local length = ffi.new("size_t[1]", 4097)
    arguments.n = arguments.n + 2
    arguments[arguments.n - 1], arguments[arguments.n] = room, length
    return function() return ffi.string(room) end
  end,
  out_time = function(arguments)
    local out = ffi.new("int64_t[1]")
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function() if out[0] ~= INVALID then return out[0] end end
  end,
  out_wide = function(arguments)
    local out = ffi.new("uint64_t[1]")
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function() return out[0] end
  end,
  out_id = function(arguments, struct)
    local out = ffi.new(struct)
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function() return id_text(out) end
  end,
  out_struct = function(arguments, struct)
    local out = ffi.new(struct)
    out.size = ffi.sizeof(struct)
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function() return read(struct, out) end
  end,
  out_view = function(arguments, struct)
    local out = ffi.new("const " .. struct .. " *[1]")
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function()
      local result = out[0] ~= nil and read(struct, out[0]) or nil
      library.unisono_free(out[0])
      return result and (only_items(struct) and result.items or result)
    end
  end,
  out_list = function(arguments, struct)
    local out, count = ffi.new("const " .. struct .. " *[1]"), ffi.new("size_t[1]")
    arguments.n = arguments.n + 2
    arguments[arguments.n - 1], arguments[arguments.n] = out, count
    return function()
      local result = list(count[0], function(i) return read(struct, out[0] + i) end)
      library.unisono_free(out[0])
      return result
    end
  end,
  out_texts = function(arguments)
    local out, count = ffi.new("const char *const *[1]"), ffi.new("size_t[1]")
    arguments.n = arguments.n + 2
    arguments[arguments.n - 1], arguments[arguments.n] = out, count
    return function()
      local result = list(count[0], function(i) return ffi.string(out[0][i]) end)
      library.unisono_free(out[0])
      return result
    end
  end,
  out_handle = function(arguments, struct, context)
    local out = ffi.new(struct .. " *[1]")
    arguments.n = arguments.n + 1
    arguments[arguments.n] = out
    return function()
      local made = object(struct:sub(9), out[0], context)
      objects[key(out[0])] = made
      return made
    end
  end,
}
outward.out_borrowed = outward.out_handle

--- By kind of a parameter: the caller's argument as C has it.
local inward = {
  number = function(value) return value or 0 end,
  wide = function(value) return value or 0 end,
  time = function(value, _, _, name) return value == nil and error(name .. " is missing", 0) or value end,
  truth = function(value) return value and value ~= 0 and 1 or 0 end,
  enumeration = function(value, _, enumeration) return number_of(enumeration, value) end,
  text = function(value) return value end,
  id = function(value, _, struct) return value and id_given(value, struct) end,
  handle = function(value) return value and value.handle end,
  view = function(value, kept, struct) return value and given(struct, value, kept) end,
}
--- Two arguments in C: what it is, and how many.
local counted = {
  data = function(value) return value or "", #(value or "") end,
  ids = function(values)
    local ids = ffi.new("unisono_participant_id[?]", math.max(1, #(values or {})))
    for index, id in ipairs(values or {}) do ids[index - 1] = id_given(id, "unisono_participant_id") end
    return ids, #(values or {})
  end,
  texts = function(values) return array("const char *", values or {}), #(values or {}) end,
}

--- A method over a C function whose first parameter is a handle.
local function method(name, signature)
  local result, parameters = signature[1], signature[2]
  local call = library["unisono_" .. name]
  return function(self, ...)
    local arguments, kept, backs, next_one = { n = 1, self.handle }, {}, {}, 0
    for index = 2, #parameters do
      local parameter = parameters[index]
      local kind, detail = parameter[2], parameter[3]
      if outward[kind] then
        backs[#backs + 1] = outward[kind](arguments, detail, self.context or self)
      elseif kind == "null" then
        arguments.n = arguments.n + 1
      else
        next_one = next_one + 1
        local value = (select(next_one, ...))
        if counted[kind] then
          local pointer, count = counted[kind](value)
          kept[#kept + 1] = pointer
          arguments.n = arguments.n + 2
          arguments[arguments.n - 1], arguments[arguments.n] = pointer, count
        else
          arguments.n = arguments.n + 1
          arguments[arguments.n] = inward[kind](value, kept, detail, parameter[1])
        end
      end
    end
    local returned = call(unpack(arguments, 1, arguments.n))
    if result[1] == "nothing" then return end
    if result[1] == "time" then
      if returned < 0 then check(tonumber(returned)) end
      return returned
    end
    if result[1] == "answer" and returned < 0 then return nil, name_of("status", returned) end
    check(returned)
    if result[1] == "enumeration" then return name_of(result[2], returned) end
    if result[1] == "truth" then return returned ~= 0 end
    if #backs == 0 then return returned end
    local results = {}
    for index, back in ipairs(backs) do results[index] = back() end
    return unpack(results, 1, #backs)
  end
end

for _, name in ipairs({ "context", "session", "coordinator", "suspension", "player", "surface", "hub", "advertiser", "browser",
                        "join_request", "simulation" }) do
  classes[name] = { __name = "unisono." .. name }
  classes[name].__index = classes[name]
end
unisono.classes = classes

--- Makers are methods of what they are made from: session_host of a context is context:host, player_create context:player.
for name, signature in pairs(declared.functions) do
  local first = signature[2][1]
  if first and first[2] == "handle" then
    local own = name:match("^" .. first[3] .. "_(.+)$")
    local made = name:match("^(%l+)_create$")
    classes[first[3]][own or made or name:match("^%l+_(.+)$")] = method(name, signature)
  end
end

local destroy = {}
for name, class in pairs(classes) do
  destroy[name] = class.destroy
  if class.destroy then
    --- Ends it; again is fine. No event of it is delivered any more.
    function class:destroy()
      objects[key(self.handle)] = nil
      destroy[name](self)
    end
  end
end

--- `end` is a word of Lua: session:end_(), suspension:end_().
for _, class in pairs(classes) do class.end_ = class["end"] end

--- What a person asks of the group.
function classes.coordinator:play(rate, options) return self:coordinate_rate_change(rate or 1, options) end
function classes.coordinator:pause() return self:coordinate_rate_change(0) end
function classes.coordinator:seek(item_time, options) return self:coordinate_seek(item_time, options) end

-- ---- Context ------------------------------------------------------------------------------------------------------------

local Context = classes.context

--- fields: of unisono_context_options; make(options, out): the call of C that makes it.
local function new_context(fields, options, make)
  local kept, out = {}, ffi.new("unisono_context *[1]")
  for name, value in pairs(options or {}) do fields[name] = value end
  check(make(given("unisono_context_options", fields, kept), out))
  local self = setmetatable({ out = ffi.new("const unisono_context_event *[1]"), timers = {} }, Context)
  self.handle = out[0]
  -- A context that is forgotten, or that Lua ends with, says goodbye to the group.
  self.guard = ffi.gc(ffi.new("char[1]"), function() library.unisono_context_destroy(out[0]) end)
  return self
end

--- A context: the loop and everything that lives on it. options: fields of unisono_context_options; own_thread unless told.
function unisono.context(options)
  return new_context({ event_queue = true, own_thread = true }, options, function(fields, out)
    return library.unisono_context_create(fields, nil, nil, out)
  end)
end

--- Ends the context and everything made from it.
function Context:destroy()
  self.destroyed = true
  ffi.gc(self.guard, nil)
  library.unisono_context_destroy(self.handle)
  for handle, one in pairs(objects) do
    if one.context == self then objects[handle] = nil end
  end
end

local Event = {}
Event.__index = Event
unisono.Event = Event

--- Says that what a coordinator's command asked is done.
function Event:complete() return self.source:complete(self.id) end

--- Says that it cannot be done; status: "EIO" and the like.
function Event:fail(status) return self.source:fail(self.id, status or "EINTERNAL") end

local payloads = {} -- by type: the function and the struct, or false

local function payload(event)
  local type_ = tonumber(event.type)
  if payloads[type_] == nil then
    payloads[type_] = false
    for _, reader in ipairs(declared.readers) do
      if library["unisono_" .. reader[1]](event) ~= nil then payloads[type_] = reader end
    end
  end
  return payloads[type_]
end

local function table_of(event)
  local reader = payload(event)
  local result = reader and read(reader[2], library["unisono_" .. reader[1]](event)) or {}
  result.base = nil
  result.type = name_of("event_type", tonumber(event.type))
  result.source = objects[key(event.source)]
  result.host_time = result.host_time or event.host_time
  return setmetatable(result, Event)
end

--- Which part of an event's name is its source's.
local function handler_of(event)
  return "on_" .. tostring(event.type):gsub("^session_", ""):gsub("^coordinator_", ""):gsub("^player_", "")
    :gsub("^renderer_", ""):gsub("^surface_", ""):gsub("^nearby_", "")
end

--- The next event, or nil; waits max_wait nanoseconds for it (0 unless given). Calls nobody.
function Context:next_event(max_wait)
  if check(library.unisono_context_next_event(self.handle, max_wait or 0, self.out)) == 0 then return nil end
  local event = table_of(self.out[0])
  event.source = event.source or self
  return event
end

--- Delivers everything that is there: see `callbacks` above. max_wait: how long to wait for the first, ns; 0 unless given.
-- Returns how many came.
function Context:poll(max_wait)
  local count, event = 0, self:next_event(max_wait)
  while event do
    count = count + 1
    if event.type == "timer" then
      local name = tostring(event.token)
      local timer = self.timers[name]
      self.timers[name] = nil
      if timer then timer(event) end
    else
      local handler = event.source[handler_of(event)]
      if handler then handler(event.source, event) end
    end
    event = not self.destroyed and self:next_event(0)
  end
  return count
end

--- Calls a function once, in a poll when the host time has come; event.status is "ECANCELED" when it was cancelled.
-- Returns a token for context:cancel.
function Context:call_at(host_time, call)
  local token = ffi.new("uint64_t[1]")
  check(library.unisono_context_call_at(self.handle, host_time, nil, nil, token))
  self.timers[tostring(token[0])] = call
  return token[0]
end

-- ---- Virtual time, for tests ----------------------------------------------------------------------------------------------

local Simulation = classes.simulation

--- A clock that stands still until simulation:advance moves it, and a network in memory: for tests of hosts, never for anything
-- else. options: fields of unisono_simulation_options.
--
--     local simulation = unisono.simulation({ random_seed = 7 })
--     local ann, ben = simulation:context(), simulation:context(nil, { offset = unisono.ns(5), drift_ppm = 20 })
--     simulation:set_link(ben, { delay_out = 60e6, delay_in = 60e6, loss = 0.02 })
--     simulation:advance(unisono.ns(3600))
function unisono.simulation(options)
  local kept, out = {}, ffi.new("unisono_simulation *[1]")
  check(library.unisono_simulation_create(given("unisono_simulation_options", options or {}, kept), out))
  local self = setmetatable({ handle = out[0], contexts = {} }, Simulation)
  self.guard = ffi.gc(ffi.new("char[1]"), function() library.unisono_simulation_destroy(out[0]) end)
  return self
end

--- Another machine in it. options: as of unisono.context, without own_thread. clock: how far its clock is ahead at first (offset, ns) and
-- how much faster it goes (drift_ppm); nil: neither. Its handlers are called inside simulation:advance.
function Simulation:context(options, clock)
  clock = clock or {}
  local made = new_context({ event_queue = true }, options, function(fields, out)
    return library.unisono_simulation_context(self.handle, fields, nil, nil, clock.offset or 0, clock.drift_ppm or 0, out)
  end)
  made.simulation = self -- which ends with the last of its contexts, not before
  self.contexts[#self.contexts + 1] = made
  return made
end

--- Moves the clock on by a duration, ns, and calls the handlers of all contexts, at the latest `step` ns after what they are told
-- (10 ms unless given). duration 0: what is due now.
function Simulation:advance(duration, step)
  local left, most = ffi.cast("int64_t", duration), ffi.cast("int64_t", step or 10e6)
  if most <= 0 then error("step is the time between two looks at the events: more than 0", 2) end
  repeat
    local part = left < most and left or most
    check(library.unisono_simulation_advance(self.handle, part))
    for index = #self.contexts, 1, -1 do
      if self.contexts[index].destroyed then table.remove(self.contexts, index) end
    end
    for _, context in ipairs(self.contexts) do
      if not context.destroyed then context:poll() end
    end
    left = left - part
  until left <= 0
end

--- Ends it and its contexts; again is fine.
function Simulation:destroy()
  for _, context in ipairs(self.contexts) do context:destroy() end
  self.contexts = {}
  ffi.gc(self.guard, nil)
  library.unisono_simulation_destroy(self.handle)
end

-- ---- What stands alone ----------------------------------------------------------------------------------------------------

--- What identifies a file as a copy of a film: its size, a hash of samples of it and, where it is given, its duration, ns; for
-- session:set_copy and an entry's `copy`. Reads from the disk, and so may block.
function unisono.copy_of_file(path, duration)
  local out = ffi.new("unisono_copy", { size = ffi.sizeof("unisono_copy"), duration = duration or 0 })
  check(library.unisono_copy_of_file(path, out))
  return read("unisono_copy", out)
end

--- A notice as a sentence: an event of on_notice, or fields of unisono_notice.
function unisono.notice_text(notice)
  local kept, room, length = {}, ffi.new("char[1025]"), ffi.new("size_t[1]", 1025)
  check(library.unisono_notice_text(given("unisono_notice", notice.notice or notice, kept), room, length))
  return ffi.string(room)
end

return unisono
