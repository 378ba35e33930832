//! A member of a group: its context runs in a thread of its own, its events and the keyboard's lines come to one loop.

use crate::calls::{c_text, check, sized, text, Refusal};
use crate::group_lines::GroupLines;
use std::io::BufRead;
use std::ptr::{null, null_mut};
use std::sync::mpsc;
use unisono_sys::*;

/// Longest wait for an event, so that what was typed is seen: 10 ms.
const TURN: i64 = 10_000_000;

pub struct Member {
    pub context: *mut unisono_context,
    pub session: *mut unisono_session,
}

impl Member {
    /// Hosts as `[NAME]`, or joins as `NAME INVITE`, by the program's arguments.
    pub fn from_arguments() -> Result<Member, Refusal> {
        let arguments: Vec<String> = std::env::args().collect();
        let name = arguments.get(1).map(|name| c_text(name)).transpose()?;
        let invite = arguments.get(2).map(|invite| c_text(invite)).transpose()?;
        // SAFETY: what is passed lives until each call returns, and is copied.
        unsafe {
            let mut of_context: unisono_context_options = sized();
            (of_context.own_thread, of_context.event_queue) = (1, 1);
            let mut made = Member { context: null_mut(), session: null_mut() };
            check(unisono_context_create(&of_context, null(), null_mut(), &mut made.context))?;
            let mut options: unisono_session_options = sized();
            options.display_name = name.as_ref().map_or(null(), |name| name.as_ptr());
            check(match &invite {
                Some(invite) => unisono_session_open(made.context, invite.as_ptr(), &options, null(), null_mut(), &mut made.session),
                None => unisono_session_host(made.context, &options, null(), null_mut(), &mut made.session),
            })?;
            Ok(made)
        }
    }

    /// Joins, with the coordinator that the lines are for, and prints the invite.
    pub fn join(&self, lines: &GroupLines) -> Result<(), Refusal> {
        let mut room = [0; 4096];
        let mut length = room.len();
        // SAFETY: handles are judged by the library.
        unsafe {
            check(unisono_coordinator_coordinate_with_session(lines.coordinator, self.session))?;
            check(unisono_session_join(self.session))?;
            check(unisono_session_invite(self.session, room.as_mut_ptr(), &mut length))?;
        }
        println!("invite {}", text(room.as_ptr()));
        Ok(())
    }

    pub fn host_time(&self) -> i64 {
        // SAFETY: as above.
        unsafe { unisono_context_host_time(self.context) }
    }

    /// Until the person quits, or the session is over. turn: gets each event, and NULL when there is none.
    pub fn run(&self, lines: &GroupLines, mut turn: impl FnMut(*const unisono_context_event)) -> Result<(), Refusal> {
        let (typed, keyboard) = mpsc::channel();
        // It touches nothing of Unisono.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { break };
                if typed.send(line).is_err() {
                    return;
                }
            }
            let _ = typed.send("quit".into());
        });
        loop {
            let mut event = null();
            // SAFETY: this thread alone takes events; one lives until the next is asked for.
            check(unsafe { unisono_context_next_event(self.context, TURN, &mut event) })?;
            turn(event);
            if !event.is_null() && !lines.hear(event) {
                return Ok(());
            }
            for line in keyboard.try_iter() {
                if !lines.run(&line) {
                    return Ok(());
                }
            }
        }
    }
}

impl Drop for Member {
    /// The session says goodbye.
    fn drop(&mut self) {
        // SAFETY: NULL is fine, too.
        unsafe { unisono_context_destroy(self.context) }
    }
}
