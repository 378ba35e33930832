# Orrery: planets that stand where they stand for everybody. Space lets time run or stand, left and right move everybody by ten seconds.
#
#   godot3 --path bindings/godot/sample3 --host --name=Ann          prints "invite ..."
#   godot3 --path bindings/godot/sample3 --join=INVITE --name=Ben
#
# What is typed into the line at the bottom goes to the group: "say hello", "ready", "add ITEM"; help lists the words.
#
# Further options: --listen=ADDRESS, --trace=FILE (a line a frame while it plays: host time, position, cost of the poll, in nanoseconds),
# --typed=FILE (lines that come into a file are done as if they were typed, for who runs it without a window).
extends Node2D

const Group = preload("res://group.gdns")
const PLANETS = [[60, 3.0, 6], [105, 7.0, 9], [155, 12.0, 10], [205, 22.0, 8], [250, 60.0, 16]] # distance, seconds a round, size

var group
var options = {}
var trace = null
var typed = null
var names = {}
var shown = "looking for the others"
var position_now = 0.0


func _ready():
	for argument in OS.get_cmdline_args():
		var parts = argument.trim_prefix("--").split("=", true, 1)
		options[parts[0]] = parts[1] if parts.size() > 1 else ""
	group = Group.new()
	add_child(group)
	group.connect("state_changed", self, "_on_state_changed")
	group.connect("timing_changed", self, "_on_timing_changed")
	group.connect("participant_joined", self, "_on_participant")
	group.connect("participant_updated", self, "_on_participant")
	group.connect("participant_left", self, "_on_participant_left")
	group.connect("message_received", self, "_on_message_received")
	group.connect("noticed", self, "_show")
	group.connect("told", self, "_show")
	group.connect("refused", self, "_show")
	var line = LineEdit.new()
	line.rect_position = Vector2(8, 508)
	line.rect_size = Vector2(944, 24)
	line.connect("text_entered", self, "_on_typed", [line])
	add_child(line)
	group.transition_to("orrery")
	if options.has("typed"):
		typed = File.new()
		typed.open(options["typed"], File.READ)
	if options.has("trace"):
		trace = File.new()
		trace.open(options["trace"], File.WRITE)
	if options.has("join"):
		group.open(options["join"], options.get("name", ""))
	else:
		print("invite ", group.host(options.get("name", ""), options.get("listen", "")))


func _process(_delta):
	var begin = group.host_time()
	group.poll()
	_read_typed()
	var now = group.host_time()
	var expected = group.position_at(now)
	if is_nan(expected):
		return
	position_now = expected
	if trace != null and group.is_playing():
		trace.store_line("%d %d %d" % [now, int(expected * 1e9), now - begin])
	update()


func _unhandled_key_input(event):
	if not event.pressed:
		return
	if event.scancode == KEY_SPACE:
		if group.is_playing():
			group.pause()
		else:
			group.play(1.0)
	elif event.scancode == KEY_LEFT:
		group.seek(max(0.0, position_now - 10.0))
	elif event.scancode == KEY_RIGHT:
		group.seek(position_now + 10.0)


func _draw():
	var sun = Vector2(480, 270)
	draw_rect(Rect2(0, 0, 960, 540), Color(0.04, 0.05, 0.1))
	draw_circle(sun, 24, Color(1, 0.8, 0.3))
	for index in PLANETS.size():
		var planet = PLANETS[index]
		draw_arc(sun, planet[0], 0, TAU, 90, Color(1, 1, 1, 0.15))
		var at = sun + Vector2(planet[0], 0).rotated(TAU * position_now / planet[1])
		draw_circle(at, planet[2], Color.from_hsv(index / 5.0, 0.5, 1))


func _show(what):
	shown = what
	print("told ", what)


func _on_typed(words, line):
	line.clear()
	if not group.run(words):
		get_tree().quit()


# The whole lines that have come into the file.
func _read_typed():
	while typed != null and typed.get_position() < typed.get_len():
		if not group.run(typed.get_line()):
			get_tree().quit()


func _on_state_changed(state, message):
	print("state ", state, " ", message)
	if state == "over":
		get_tree().quit()


func _on_timing_changed(state, at, rate):
	print("timing %s %.3f %.2f" % [state, at, rate])


# A name comes with the participant, or soon after.
func _on_participant(id, name):
	if name != "" and name != names.get(id):
		names[id] = name
		print("participant ", name)
		group.send(("hello from " + options.get("name", "nobody")).to_utf8(), true)


func _on_participant_left(id, _name):
	names.erase(id)


func _on_message_received(_sender, data):
	print("message of %d bytes: %s" % [data.size(), data.get_string_from_utf8()])
