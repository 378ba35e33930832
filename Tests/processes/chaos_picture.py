"""What `chaos.py` did and found, as a picture: faults as bars, and below them what was measured at each rest. Standard library only."""

WIDTH, LEFT, RIGHT, TOP = 980, 190, 24, 34
LANE, GAP = 15, 34
PANEL = 90
COLOURS = ("#0b63c5", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#475569", "#be185d", "#0f766e")

STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #333 } .small { font-size: 11px; fill: #666 } .title { font-weight: 600 }
.grid { stroke: #ddd; fill: none } .limit { stroke: #c2410c; stroke-dasharray: 4 3; fill: none } .bar { fill: #475569 }
.hub { fill: #c2410c } .dot { fill: #0b63c5 }
</style>"""


def draw(world, hubs):
    """`hubs`: what each part of the service is called, by its machine."""
    seconds = max(at + took for at, took, _ in world.rests)

    def x(at):
        return LEFT + min(at, seconds) / seconds * (WIDTH - LEFT - RIGHT)

    lanes = [
        ("participants killed", lambda f: f.kind == "killed" and f.who not in hubs),
        ("participants stopped", lambda f: f.kind == "stopped" and f.who not in hubs),
        ("machines cut off", lambda f: f.kind == "cut" and f.who not in hubs),
        ("calendar clocks set", lambda f: f.kind == "clock set"),
        *((f"{title}: {kind}", lambda f, n=name, k=kind: f.who == n and f.kind == k)
          for name, title in hubs.items() for kind in ("killed", "stopped", "cut")),
    ]
    lanes = [(name, [f for f in world.over if belongs(f)]) for name, belongs in lanes]
    lanes = [(name, faults) for name, faults in lanes if faults]
    parts, y = [], TOP
    parts.append(f'<text x="{LEFT}" y="{y - 12}" class="title">what happened: {len(world.over)} faults and deaths</text>')
    for name, faults in lanes:
        parts.append(f'<text x="{LEFT - 8}" y="{y + LANE - 4}" text-anchor="end">{name} ({len(faults)})</text>')
        kind = "hub" if name.startswith(tuple(hubs.values())) else "bar"
        for fault in faults:
            width = max(x(fault.end) - x(fault.begin), 1)
            parts.append(f'<rect x="{x(fault.begin):.1f}" y="{y + 2}" width="{width:.1f}" height="{LANE - 4}" class="{kind}" opacity=".7"/>')
        parts.append(f'<path class="grid" d="M{LEFT} {y + LANE}H{WIDTH - RIGHT}"/>')
        y += LANE

    def panel(title, rows, top, unit, limit=None):
        """`rows`: (name, points); one row is drawn as dots, several as lines with their names."""
        nonlocal y
        y += GAP
        parts.append(f'<text x="{LEFT}" y="{y - 10}" class="title">{title}</text>')
        for share in (0, 0.5, 1):
            at = y + PANEL - share * PANEL
            parts.append(f'<path class="grid" d="M{LEFT} {at}H{WIDTH - RIGHT}"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{at + 4}" class="small" text-anchor="end">{share * top:g} {unit}</text>')
        if limit:
            at = y + PANEL - limit / top * PANEL
            parts.append(f'<path class="limit" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        for number, (name, points) in enumerate(rows):
            places = [(x(at), y + PANEL - min(value, top) / top * PANEL) for at, value in points]
            if len(rows) == 1:
                parts.extend(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="2"/>' for a, b in places)
                continue
            colour = COLOURS[number % len(COLOURS)]
            line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
            parts.append(f'<text x="10" y="{y + 12 + 14 * number}" class="small" style="fill:{colour}">{name}</text>')
        y += PANEL

    panel("from the end of all faults until all agreed", [("", [(at, took) for at, took, _ in world.rests])], 30, "s", 30)
    panel("greatest difference of positions then", [("", [(at + took, spread) for at, took, spread in world.rests])], 10, "ms", 10)
    most = max(memory for one in world.measured for _, memory, _ in one.rows)
    ceiling = -(-int(most + 1) // 10) * 10
    panel("memory of those that lived through all", [(one.name, [row[:2] for row in one.rows]) for one in world.measured], ceiling, "MB")
    for minute in range(0, int(seconds // 60) + 1, max(1, int(seconds / 600))):
        parts.append(f'<text x="{x(60 * minute):.1f}" y="{y + 16}" class="small" text-anchor="middle">{minute} min</text>')
    height = y + 28
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">\n{STYLE}\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
