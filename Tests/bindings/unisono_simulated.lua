-- F88: a host's own test on virtual time: an hour of two participants, 60 ms apart, without sockets and without waiting.
package.path = "bindings/lua/?.lua;" .. package.path
local unisono = require("unisono")

local function expect(holds, what) if not holds then error("expected: " .. what, 2) end end

local began = unisono.host_time()
local simulation = unisono.simulation({ random_seed = 7 })
local contexts = {
  Ann = simulation:context({ device_name = "desk" }),
  Ben = simulation:context({ device_name = "sofa" }, { offset = unisono.ns(5), drift_ppm = 20 }),
}
simulation:set_link(contexts.Ben, { delay_out = 60e6, delay_in = 60e6, loss = 0.02 })
expect(contexts.Ben:host_time() - contexts.Ann:host_time() == 5000000000LL, "clocks that are not set alike")
expect(pcall(contexts.Ann.poll, contexts.Ann, 1e9) and unisono.host_time() - began < 1e9, "a poll that does not wait")

local sessions, coordinators = {}, {}
sessions.Ann = contexts.Ann:host({ display_name = "Ann" })
sessions.Ben = contexts.Ben:open(sessions.Ann:invite(), { display_name = "Ben" })
for name, session in pairs(sessions) do
  local context, coordinator = contexts[name], contexts[name]:coordinator()
  coordinators[name] = coordinator
  local function answer(_, command) command:complete() end
  coordinator.on_pause, coordinator.on_seek, coordinator.on_buffer = answer, answer, answer
  function coordinator:on_play(command)
    context:call_at(command.host_time, function(timer) if timer.status == "OK" then command:complete() end end)
  end
  coordinator:coordinate_with_session(session)
  session:join()
  coordinator:transition_to_item("film")
end

local function apart()
  -- At one instant, which Ben's clock calls otherwise.
  local mine = coordinators.Ann:expected_item_time(contexts.Ann:host_time())
  local yours = coordinators.Ben:expected_item_time(contexts.Ben:host_time())
  return math.abs(tonumber(mine - yours))
end

simulation:advance(unisono.ns(20))
expect(sessions.Ben:get_state() == "joined" and #sessions.Ann:participants() == 2, "both are in")
coordinators.Ben:play()
simulation:advance(unisono.ns(2))
expect(coordinators.Ann:timing().state == "playing" and coordinators.Ben:timing().state == "playing", "both play")
simulation:advance(unisono.ns(3600), unisono.ns(1))
local position = coordinators.Ann:expected_item_time(contexts.Ann:host_time())
expect(position > 3600e9 and position < 3603e9, "an hour has passed")
expect(apart() < 5e6, "they are in step after it")
sessions.Ben:chat("well?")
local heard
function sessions.Ann:on_chat(event) heard = event.entry.text end
simulation:set_link(contexts.Ben, { down = true })
simulation:advance(unisono.ns(1))
expect(heard == nil, "nothing passes a link that is down")
simulation:set_link(contexts.Ben, { delay_out = 60e6, delay_in = 60e6 })
simulation:advance(unisono.ns(10))
expect(heard == "well?", "it comes when the link is up again")

expect(not pcall(simulation.advance, simulation, -1), "time does not go back")
expect(not pcall(simulation.advance, simulation, 1e9, 0), "a step of nothing is refused")
expect(not pcall(simulation.context, simulation, { own_thread = true }), "a thread of its own has no virtual time")
contexts.Ben:destroy()
simulation:advance(unisono.ns(1))
simulation:destroy()
simulation:destroy()
expect(not pcall(simulation.advance, simulation, 0), "it is over")
print("ok")
