--[[ unisono.lua: an interface of VLC 3, by which unisono_vlc.c drives it over its standard input, a socket.

A line each, words parted by one space; times in microseconds of VLC's clock or of the film, as integers.

  n                    asks for a line "s":
                       s NOW WHAT STATE TIME LENGTH RATE CACHE    WHAT is open: film, next, previous, other or none
  run 1 | run 0        plays, stands
  time TIME            goes there
  rate RATE
  pitch 1 | pitch 0    keeps the pitch at another speed, by a filter that makes the sound some 30 ms late; or does not
  open MRL             the film, standing; nothing else is in VLC's list, but for what stands for the group's next and previous film
  back                 the film again, standing at its beginning
  stop
  uri                  asks for a line "u MRL" of what is open
  show TEXT            over the film; its lines are parted by the byte 31
  quit

The end of the socket ends VLC as well. ]]

local input = 0 -- its descriptor
local film = nil -- the identifier of VLC's list
local next_film, previous_film = nil, nil
local is_opening = false -- what VLC has open is not yet what it was told to open
local shows = nil -- a channel of the picture

-- An hour of nothing: it is left as soon as it is seen.
local placeholder = "vlc://pause:3600"

local function say(...) vlc.net.write(input, string.format(...) .. "\n") end

local function entries()
  local found = {}
  local list = vlc.playlist.get("playlist", false)
  for _, entry in ipairs(list and list.children or {}) do found[#found + 1] = entry.id end
  return found
end

local function open(mrl)
  vlc.playlist.stop()
  vlc.playlist.clear()
  vlc.playlist.enqueue({{path = placeholder, name = "The group's previous film"}})
  vlc.playlist.enqueue({{path = mrl}})
  vlc.playlist.enqueue({{path = placeholder, name = "The group's next film"}})
  local ids = entries()
  previous_film, film, next_film = ids[#ids - 2], ids[#ids - 1], ids[#ids]
  is_opening = true
  vlc.playlist.gotoitem(film)
end

local function what()
  if not vlc.object.input() then return "none" end
  local current = vlc.playlist.current()
  local known = current == film and "film" or current == next_film and "next" or current == previous_film and "previous"
  if known then is_opening = false end
  return known or is_opening and "none" or "other"
end

local function nothing() say("s %.0f none -1 0 0 1 1", vlc.misc.mdate()) end

local function answer()
  local now, kind, object = vlc.misc.mdate(), what(), vlc.object.input()
  if not object then return nothing() end
  say("s %.0f %s %d %.0f %.0f %.6f %.3f", now, kind, vlc.var.get(object, "state"), vlc.var.get(object, "time"),
    vlc.var.get(object, "length"), vlc.var.get(object, "rate"), vlc.var.get(object, "cache"))
end

local function set(name, value)
  local object = vlc.object.input()
  if object then vlc.var.set(object, name, value) end
end

-- Filters are made anew when their list becomes another one, for which it is one for a moment that does nothing.
local function keep_pitch(wanted)
  local out = vlc.object.aout()
  if not out then return end
  pcall(vlc.var.create, out, "audio-time-stretch", wanted)
  vlc.var.set(out, "audio-time-stretch", wanted)
  local filters = vlc.var.get(out, "audio-filter") or ""
  vlc.var.set(out, "audio-filter", filters == "gain" and "" or "gain")
  vlc.var.set(out, "audio-filter", filters)
end

local function show(text)
  if not vlc.object.vout() then return end
  shows = shows or vlc.osd.channel_register()
  local lines = text:gsub("\31", "\n")
  vlc.osd.message(lines, shows, "top-left", 4000000)
end

local done = false
local verbs = {
  n = answer,
  run = function(word) set("state", word == "1" and 2 or 3) end,
  time = function(word) set("time", tonumber(word)) end,
  rate = function(word) set("rate", tonumber(word)) end,
  pitch = function(word) keep_pitch(word == "1") end,
  open = open,
  back = function() if film then vlc.playlist.gotoitem(film) end end,
  stop = function() vlc.playlist.stop() end,
  uri = function()
    local item = vlc.input.item()
    say("u %s", item and item:uri() or "")
  end,
  show = show,
  quit = function() done = true end,
}

local rest = ""
while not done do
  vlc.net.poll({[input] = vlc.net.POLLIN})
  local bytes = vlc.net.read(input, 65536)
  if bytes == nil or bytes == "" then break end
  rest = rest .. bytes
  for line in rest:gmatch("([^\n]*)\n") do
    local verb, word = line:match("^(%S+) ?(.*)$")
    -- What fails, as with a film that has just ended, is seen by what the next answer says; and each question has one.
    local done_well = not verbs[verb] or pcall(verbs[verb], word)
    if not done_well and verb == "n" then nothing() end
  end
  rest = rest:match("([^\n]*)$")
end
vlc.misc.quit()
