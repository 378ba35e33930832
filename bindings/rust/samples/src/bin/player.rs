//! A film of two hours that is a number, over the player layer: only a renderer, which is told what to do and answers.
//!
//!     player NAME             prints "invite ..."
//!     player NAME INVITE      elsewhere; type help, quit

use std::ptr::{null, null_mut};
use unisono_samples::{check, sized, GroupLines, Member, Refusal, Transport};
use unisono_sys::*;

const DURATION: i64 = 7_200_000_000_000;
/// How often the player is told where the film is: 100 ms.
const BETWEEN_REPORTS: i64 = 100_000_000;

/// Where the film is: at `place` at host time `since`, from where it runs at `rate` times `factor`.
struct Reel {
    player: *mut unisono_player,
    place: i64,
    since: i64,
    rate: f64,
    factor: f64,
    reported: i64,
}

impl Reel {
    fn position(&self, now: i64) -> i64 {
        self.place + (self.rate * self.factor * (now - self.since) as f64) as i64
    }

    fn change(&mut self, now: i64, place: Option<i64>, rate: f64, factor: f64) {
        (self.place, self.since) = (place.unwrap_or(self.position(now)), now);
        (self.rate, self.factor) = (rate, factor);
    }

    /// Answers a command, with where the film is now; request 0: it was not asked.
    fn report(&mut self, state: unisono_renderer_state, request: u64, now: i64) {
        // SAFETY: zero is "not said" in each of its fields.
        let mut report: unisono_renderer_report = unsafe { sized() };
        (report.state, report.request, report.flags) = (state, request, UNISONO_HAS_POSITION);
        (report.item_time, report.host_time, report.duration) = (self.position(now), now, DURATION);
        self.reported = now;
        if let Err(why) = check(unsafe { unisono_player_report(self.player, &report) }) {
            println!("report: {why}");
        }
    }

    fn obey(&mut self, command: &unisono_renderer_command, now: i64) {
        let answer = match command.base.r#type {
            UNISONO_EVENT_RENDERER_LOAD | UNISONO_EVENT_RENDERER_CUE => {
                self.change(now, Some(command.item_time), 0.0, 1.0);
                Some(UNISONO_RENDERER_READY)
            }
            UNISONO_EVENT_RENDERER_PLAY => {
                self.change(now, None, command.rate, self.factor);
                Some(UNISONO_RENDERER_PLAYING)
            }
            UNISONO_EVENT_RENDERER_PAUSE => {
                self.change(now, None, 0.0, 1.0);
                Some(UNISONO_RENDERER_PAUSED)
            }
            UNISONO_EVENT_RENDERER_SEEK => {
                self.change(now, Some(command.item_time), self.rate, self.factor);
                Some(UNISONO_RENDERER_SEEKED)
            }
            UNISONO_EVENT_RENDERER_NUDGE => {
                self.change(now, None, self.rate, command.rate);
                None
            }
            UNISONO_EVENT_RENDERER_STOP => {
                self.change(now, Some(0), 0.0, 1.0);
                None
            }
            _ => None, // it has neither sound nor picture
        };
        if let Some(state) = answer {
            self.report(state, command.request, now);
        }
    }
}

fn main() -> Result<(), Refusal> {
    let member = Member::from_arguments()?;
    let (mut player, mut coordinator) = (null_mut(), null_mut());
    // SAFETY: without functions, what the renderer is told comes as events.
    unsafe {
        let mut renderer: unisono_renderer = sized();
        renderer.capabilities = UNISONO_RENDERER_NUDGES;
        check(unisono_player_create(member.context, &renderer, null_mut(), null(), null_mut(), &mut player))?;
        check(unisono_player_coordinator(player, &mut coordinator))?;
    }
    let transport = Transport::Player(player);
    let lines = GroupLines::new(&member, coordinator, transport);
    transport.go_to("film")?;
    member.join(&lines)?;
    let mut reel = Reel { player, place: 0, since: member.host_time(), rate: 0.0, factor: 1.0, reported: 0 };
    member.run(&lines, |event| {
        let now = member.host_time();
        // SAFETY: an event, or NULL, for which there is no command.
        if let Some(command) = unsafe { unisono_event_renderer(event).as_ref() } {
            reel.obey(command, now);
        } else if reel.rate != 0.0 && now - reel.reported >= BETWEEN_REPORTS {
            reel.report(UNISONO_RENDERER_POSITION, 0, now);
        }
    })
}
