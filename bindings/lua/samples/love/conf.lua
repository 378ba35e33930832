function love.conf(t)
  t.identity = "unisono-lanterns"
  t.version = "11.4"
  t.window.title = "Lanterns"
  t.window.width, t.window.height = 960, 540
  t.modules.joystick, t.modules.physics, t.modules.video, t.modules.touch = false, false, false, false
end
