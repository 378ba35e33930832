//! A player that plays silence, over the coordinator layer: it is where the group is.
//!
//!     console NAME            prints "invite ..."
//!     console NAME INVITE     elsewhere; type help, quit

use std::ptr::{null, null_mut};
use unisono_samples::{check, GroupLines, Member, Refusal, Transport};
use unisono_sys::*;

fn main() -> Result<(), Refusal> {
    let member = Member::from_arguments()?;
    let mut coordinator = null_mut();
    // SAFETY: without a delegate, commands come as events.
    check(unsafe { unisono_coordinator_create(member.context, null(), null_mut(), &mut coordinator) })?;
    let transport = Transport::Coordinator(coordinator);
    let lines = GroupLines::new(&member, coordinator, transport);
    transport.go_to("silence")?;
    member.join(&lines)?;
    // It is ready at once, and says that it plays when it is time to: the newest command, and when that is.
    let mut waits: Option<(u64, i64)> = None;
    member.run(&lines, |event| {
        // SAFETY: an event, or NULL, for which there is no command.
        if let Some(command) = unsafe { unisono_event_command(event).as_ref() } {
            let at = if command.base.r#type == UNISONO_EVENT_COORDINATOR_PLAY { command.host_time } else { i64::MIN };
            waits = Some((command.id, at));
        }
        if let Some((id, at)) = waits {
            if at <= member.host_time() {
                // A command that a newer one replaced meanwhile is done with.
                unsafe { unisono_coordinator_complete(coordinator, id) };
                waits = None;
            }
        }
    })
}
