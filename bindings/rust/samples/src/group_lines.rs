//! A line that a person types to the group, with the same words as in the sample hosts in C ("say hello", "ready", "add ITEM"), and what
//! the group shares as sentences.

use crate::calls::{c_text, check, list, sized, text, Owned, Refusal};
use crate::member::Member;
use std::cell::Cell;
use std::ptr::{null, null_mut};
use unisono_sys::*;

pub const HELP: &str = "play, pause, seek S, undo, say TEXT, react TEXT, history, who, ready, unready, \
    start-policy none|first|every [S] [pause], go [NAME], at +S|off, countdown, list, add ITEM, next, drop N, move N TO, select N, \
    copy PATH, cut S, attach PATH, attachments, load N PATH, close, open, leave, end, quit";

/// What a person does with the player, and with the item that the group goes to.
#[derive(Clone, Copy)]
pub enum Transport {
    Coordinator(*mut unisono_coordinator),
    Player(*mut unisono_player),
}

impl Transport {
    fn play(self, rate: f64) -> Result<i32, Refusal> {
        // SAFETY: handles are judged by the library; in the others, too.
        check(match self {
            Transport::Coordinator(coordinator) => unsafe { unisono_coordinator_coordinate_rate_change(coordinator, rate, 0) },
            Transport::Player(player) => unsafe { unisono_player_set_rate(player, rate, 0) },
        })
    }

    fn pause(self) -> Result<i32, Refusal> {
        check(match self {
            Transport::Coordinator(coordinator) => unsafe { unisono_coordinator_coordinate_rate_change(coordinator, 0.0, 0) },
            Transport::Player(player) => unsafe { unisono_player_pause(player) },
        })
    }

    fn seek(self, to: i64) -> Result<i32, Refusal> {
        check(match self {
            Transport::Coordinator(coordinator) => unsafe { unisono_coordinator_coordinate_seek(coordinator, to, 0) },
            Transport::Player(player) => unsafe { unisono_player_seek(player, to, 0, 0, null_mut()) },
        })
    }

    /// Moves nobody else.
    pub fn go_to(self, item: &str) -> Result<i32, Refusal> {
        let identifier = c_text(item)?;
        check(match self {
            Transport::Coordinator(coordinator) => unsafe {
                unisono_coordinator_transition_to_item(coordinator, identifier.as_ptr(), null())
            },
            Transport::Player(player) => unsafe {
                let mut item: unisono_player_item = sized();
                item.identifier = identifier.as_ptr();
                unisono_player_replace_current_item(player, &item)
            },
        })
    }
}

pub struct GroupLines {
    context: *mut unisono_context,
    session: *mut unisono_session,
    pub(crate) coordinator: *mut unisono_coordinator,
    transport: Transport,
    is_closed: Cell<bool>,
}

fn refused<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}

/// Without what controls a terminal.
fn tell(sentence: impl AsRef<str>) {
    println!("{}", sentence.as_ref().replace(char::is_control, " "));
}

fn seconds(nanoseconds: i64) -> f64 {
    nanoseconds as f64 / 1e9
}

fn number(words: &str) -> Result<f64, Refusal> {
    match words.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => refused(format!("\"{words}\" is no number")),
    }
}

/// Held at the ends of what can be said, which the library refuses.
fn nanoseconds(words: &str) -> Result<i64, Refusal> {
    Ok((number(words)? * 1e9) as i64)
}

/// The Nth of a list, from 1.
fn nth<'a, T>(all: &[&'a T], words: &str, what: &str) -> Result<&'a T, Refusal> {
    let index = words.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match index.and_then(|index| all.get(index)) {
        Some(one) => Ok(*one),
        None => refused(format!("{what} has nothing of this number")),
    }
}

fn said(entry: &unisono_chat_entry) -> String {
    let name = if entry.name.is_null() { "Somebody".into() } else { text(entry.name) };
    format!("{name}: {}", text(entry.text))
}

fn sized_name(one: &unisono_attachment) -> String {
    format!("{}, {:.1} MB", text(one.name), one.length as f64 / 1e6)
}

impl GroupLines {
    pub fn new(member: &Member, coordinator: *mut unisono_coordinator, transport: Transport) -> GroupLines {
        GroupLines { context: member.context, session: member.session, coordinator, transport, is_closed: Cell::new(false) }
    }

    // ---- What the group tells ---------------------------------------------------------------------------------------------

    /// False: the session is over.
    pub(crate) fn hear(&self, event: *const unisono_context_event) -> bool {
        // SAFETY: an event that was not asked past yet; each reader gives NULL for those of another kind, and what hangs on an event
        // lives as long.
        unsafe {
            if let Some(one) = unisono_event_notice(event).as_ref() {
                let mut room = [0; 1025];
                let mut length = room.len();
                if unisono_notice_text(one.notice, room.as_mut_ptr(), &mut length) == UNISONO_OK {
                    tell(text(room.as_ptr()));
                }
            } else if let Some(one) = unisono_event_chat(event).as_ref() {
                tell(said(&*one.entry));
            } else if let Some(one) = unisono_event_copy(event).as_ref() {
                if one.differs != 0 {
                    tell(text(one.message));
                }
            } else if let Some(one) = unisono_event_attachment(event).as_ref() {
                self.hear_attachment(one, &*one.attachment);
            } else if let Some(one) = unisono_event_schedule(event).as_ref() {
                self.hear_schedule(one, &text((*one.start).item));
            } else if let Some(one) = unisono_event_playlist(event).as_ref() {
                if one.current_changed != 0 && !one.item.is_null() {
                    let item = text(one.item);
                    if let Err(why) = self.transport.go_to(&item) {
                        tell(format!("refused: {why}"));
                    }
                    tell(format!("The group is at {item}"));
                }
            } else if let Some(one) = unisono_event_timing(event).as_ref() {
                let state = match one.state {
                    UNISONO_TIMING_PAUSED => "paused",
                    UNISONO_TIMING_WAITING => "waiting",
                    UNISONO_TIMING_PLAYING => "playing",
                    _ => "none",
                };
                tell(format!("{state} at {:.3}", seconds(one.item_time)));
            } else if let Some(one) = unisono_event_error(event).as_ref() {
                tell(format!("refused: {}", text(one.message)));
            } else if let Some(one) = unisono_event_session_state(event).as_ref() {
                if one.reason != 0 {
                    tell(text(one.message));
                }
                if one.state == UNISONO_SESSION_JOINED && self.is_closed.replace(one.closed != 0) != (one.closed != 0) {
                    tell(if one.closed != 0 { "The group is closed: nobody new is let in" } else { "The group is open again" });
                }
                return one.state != UNISONO_SESSION_INVALIDATED;
            }
        }
        true
    }

    fn hear_attachment(&self, one: &unisono_attachment_event, attachment: &unisono_attachment) {
        let name = text(attachment.name);
        tell(match one.change {
            UNISONO_ATTACHMENT_ADDED => format!("Offered: {}", sized_name(attachment)),
            UNISONO_ATTACHMENT_REMOVED => format!("Not offered any more: {name}"),
            UNISONO_ATTACHMENT_PROGRESS => format!("Loading {name}: {} %", 100 * one.transferred / attachment.length.max(1)),
            UNISONO_ATTACHMENT_LOADED => format!("Loaded: {name}"),
            _ => format!("{name}: {}", text(one.message)),
        });
    }

    fn hear_schedule(&self, one: &unisono_schedule_event, item: &str) {
        match one.change {
            UNISONO_SCHEDULE_SET | UNISONO_SCHEDULE_REMAINING => tell(format!("{item} begins in {:.0} s", seconds(one.remaining))),
            UNISONO_SCHEDULE_CANCELED => tell(format!("The start of {item} was called off")),
            UNISONO_SCHEDULE_DUE => tell(format!("{item} begins")),
            _ => {}
        }
    }

    // ---- What a person asks -----------------------------------------------------------------------------------------------

    /// Does what a line says; what is refused is told. False: the person wants to quit.
    pub fn run(&self, line: &str) -> bool {
        let line = line.trim();
        let (word, argument) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        if word == "quit" {
            return false;
        }
        if let Err(why) = self.act(word, argument) {
            tell(format!("{word}: {why}"));
        }
        true
    }

    fn act(&self, word: &str, argument: &str) -> Result<(), Refusal> {
        let (session, coordinator) = (self.session, self.coordinator);
        // SAFETY: handles are judged by the library; what is passed lives until each call returns.
        unsafe {
            match word {
                "" => 0,
                "play" => {
                    let rate = if argument.is_empty() { 1.0 } else { number(argument)? };
                    self.transport.play(rate)?
                }
                "pause" => self.transport.pause()?,
                "seek" => self.transport.seek(nanoseconds(argument)?)?,
                "undo" => check(unisono_coordinator_undo_jump(coordinator))?,
                "say" => check(unisono_session_chat(session, c_text(argument)?.as_ptr(), null_mut()))?,
                "react" => check(unisono_session_react(session, c_text(argument)?.as_ptr()))?,
                "history" => return self.tell_history(),
                "who" => return self.tell_who(),
                "ready" => check(unisono_coordinator_set_ready(coordinator, UNISONO_READINESS_READY))?,
                "unready" => check(unisono_coordinator_set_ready(coordinator, UNISONO_READINESS_NOT_READY))?,
                "start-policy" => return self.set_start_policy(argument),
                "go" => return self.go_on(argument),
                "at" => return self.schedule(argument),
                "countdown" => return self.tell_countdown(),
                "list" => return self.tell_playlist(),
                "add" => {
                    let item = c_text(argument)?;
                    let mut entry: unisono_playlist_entry = sized();
                    entry.item = item.as_ptr();
                    check(unisono_session_add_entry(session, &entry, null(), null_mut()))?
                }
                "next" => check(unisono_session_next_entry(session, null()))?,
                "drop" => check(unisono_session_remove_entry(session, &self.entry(argument)?))?,
                "move" => {
                    // To where the entry of the second number stands now; without one, to the end.
                    let (what, place) = argument.split_once(' ').unwrap_or((argument, ""));
                    let place = if place.is_empty() { unisono_entry_id { bytes: [0; 16] } } else { self.entry(place.trim())? };
                    check(unisono_session_move_entry(session, &self.entry(what)?, &place))?
                }
                "select" => check(unisono_session_select_entry(session, &self.entry(argument)?))?,
                "copy" => return self.set_copy(argument),
                "cut" => check(unisono_session_set_cut_offset(session, null(), nanoseconds(argument)?))?,
                "attach" => check(unisono_session_attach(session, c_text(argument)?.as_ptr(), null(), null(), null_mut()))?,
                "attachments" => return self.tell_attachments(),
                "load" => return self.load(argument),
                "close" => check(unisono_session_set_closed(session, 1))?,
                "open" => check(unisono_session_set_closed(session, 0))?,
                "leave" => check(unisono_session_leave(session))?,
                "end" => check(unisono_session_end(session))?,
                "help" => {
                    tell(HELP);
                    0
                }
                _ => return refused("not a command; try help"),
            };
        }
        Ok(())
    }

    fn tell_history(&self) -> Result<(), Refusal> {
        if let Some(chat) = Owned::of(|out| unsafe { unisono_session_chat_history(self.session, out) })? {
            for entry in unsafe { list(chat.items, chat.count) } {
                tell(format!("  {}", said(entry)));
            }
        }
        Ok(())
    }

    /// What is asked of everybody who is there.
    fn with_participants<T>(&self, ask: impl FnOnce(&[&unisono_participant]) -> T) -> Result<T, Refusal> {
        let all = Owned::of(|out| unsafe { unisono_session_participants(self.session, out) })?;
        Ok(ask(&all.as_ref().map_or(vec![], |all| unsafe { list(all.items, all.count) })))
    }

    /// Persons rather than devices, whether they say that they are ready, and who has another cut.
    fn tell_who(&self) -> Result<(), Refusal> {
        self.with_participants(|all| {
            for (index, one) in all.iter().enumerate() {
                if all[..index].iter().any(|before| before.person.bytes == one.person.bytes) {
                    continue;
                }
                let devices: Vec<_> = all.iter().filter(|other| other.person.bytes == one.person.bytes).collect();
                let mut line = text(one.display_name);
                if devices.len() > 1 {
                    let mut names: Vec<_> = devices.iter().map(|device| text(device.device_name)).collect();
                    names.sort();
                    line += &format!(" ({})", names.join(", "));
                }
                if devices.iter().any(|device| device.readiness == UNISONO_READINESS_NOT_READY) {
                    line += ", not ready";
                } else if devices.iter().any(|device| device.readiness == UNISONO_READINESS_READY) {
                    line += ", ready";
                }
                if let Some(device) = devices.iter().find(|device| device.cut_offset != 0) {
                    line += &format!(", cut {:.1} s", seconds(device.cut_offset));
                }
                tell(line);
            }
        })
    }

    fn set_start_policy(&self, argument: &str) -> Result<(), Refusal> {
        let mut given = argument.split_whitespace();
        // SAFETY: zero is a value of each of its fields.
        let mut policy: unisono_start_policy = unsafe { sized() };
        policy.start = match given.next() {
            Some("none") => UNISONO_START_AT_ONCE,
            Some("first") => UNISONO_START_FIRST_WHEN_READY,
            Some("every") => UNISONO_START_WHEN_READY,
            _ => return refused("none, first or every; then seconds, if you like; then pause, if leaving is to pause"),
        };
        for word in given {
            if word == "pause" {
                policy.leaving = UNISONO_LEAVING_PAUSE;
            } else {
                policy.limit = nanoseconds(word)?;
            }
        }
        check(unsafe { unisono_coordinator_set_start_policy(self.coordinator, &policy) })?;
        Ok(())
    }

    /// Whoever is not ready is waited for no more; with a name, that one is not.
    fn go_on(&self, name: &str) -> Result<(), Refusal> {
        let named = self.with_participants(|all| all.iter().find(|one| text(one.display_name) == name).map(|one| one.id))?;
        if !name.is_empty() && named.is_none() {
            return refused(format!("nobody here is called {name}"));
        }
        let ids: Vec<_> = if name.is_empty() { vec![] } else { named.into_iter().collect() };
        check(unsafe { unisono_coordinator_start_without(self.coordinator, ids.as_ptr(), ids.len()) })?;
        Ok(())
    }

    /// Everybody who is where this player is begins in so many seconds.
    fn schedule(&self, argument: &str) -> Result<(), Refusal> {
        if argument == "off" {
            check(unsafe { unisono_session_cancel_start(self.session) })?;
            return Ok(());
        }
        let ahead = match argument.strip_prefix('+').and_then(|words| words.parse::<f64>().ok()) {
            Some(ahead) if ahead > 0.0 && ahead < 7.0 * 86_400.0 => (ahead * 1e9) as i64,
            _ => return refused("give + and seconds, or off"),
        };
        let mut item = [0; 1024];
        let mut length = item.len();
        unsafe {
            check(unisono_coordinator_current_item(self.coordinator, item.as_mut_ptr(), &mut length))?;
            let at = unisono_context_host_time(self.context) + ahead;
            check(unisono_session_schedule_start(self.session, item.as_ptr(), at, UNISONO_TIME_INVALID))?;
        }
        Ok(())
    }

    fn tell_countdown(&self) -> Result<(), Refusal> {
        match Owned::of(|out| unsafe { unisono_session_scheduled_start(self.session, out) })? {
            None => tell("nothing is scheduled"),
            Some(start) => {
                let left = start.host_time - unsafe { unisono_context_host_time(self.context) };
                tell(format!("{:.0} s until {} begins", seconds(left), text(start.item)));
            }
        }
        Ok(())
    }

    fn playlist(&self) -> Result<Option<Owned<unisono_playlist>>, Refusal> {
        Owned::of(|out| unsafe { unisono_session_playlist(self.session, out) })
    }

    fn entry(&self, words: &str) -> Result<unisono_entry_id, Refusal> {
        let list_of_all = self.playlist()?;
        let all = list_of_all.as_ref().map_or(vec![], |all| unsafe { list(all.items, all.count) });
        Ok(nth(&all, words, "the playlist")?.id)
    }

    fn tell_playlist(&self) -> Result<(), Refusal> {
        let Some(all) = self.playlist()? else { return Ok(()) };
        for (index, one) in unsafe { list(all.items, all.count) }.into_iter().enumerate() {
            let mark = if one.id.bytes == all.current.bytes { ">" } else { " " };
            tell(format!("{mark} {} {}", index + 1, text(if one.title.is_null() { one.item } else { one.title })));
        }
        if all.count == 0 {
            tell("the playlist is empty");
        }
        Ok(())
    }

    fn set_copy(&self, path: &str) -> Result<(), Refusal> {
        let current = self.playlist()?.map_or([0; 16], |all| all.current.bytes);
        if current == [0; 16] {
            return refused("the group is at no entry of the playlist");
        }
        unsafe {
            let mut copy: unisono_copy = sized();
            check(unisono_copy_of_file(c_text(path)?.as_ptr(), &mut copy))?;
            check(unisono_session_set_copy(self.session, &unisono_entry_id { bytes: current }, &copy))?;
        }
        Ok(())
    }

    fn attachments(&self) -> Result<Option<Owned<unisono_attachments>>, Refusal> {
        Owned::of(|out| unsafe { unisono_session_attachments(self.session, out) })
    }

    fn tell_attachments(&self) -> Result<(), Refusal> {
        let Some(all) = self.attachments()? else { return Ok(()) };
        for (index, one) in unsafe { list(all.items, all.count) }.into_iter().enumerate() {
            tell(format!("{} {}{}", index + 1, sized_name(one), if one.is_available != 0 { ", here" } else { "" }));
        }
        Ok(())
    }

    fn load(&self, argument: &str) -> Result<(), Refusal> {
        let Some((words, path)) = argument.split_once(' ') else {
            return refused("give a number of the list that `attachments` prints, and a path");
        };
        let offered = self.attachments()?;
        let all = offered.as_ref().map_or(vec![], |all| unsafe { list(all.items, all.count) });
        let id = nth(&all, words, "the list")?.id;
        check(unsafe { unisono_session_load_attachment(self.session, &id, c_text(path.trim())?.as_ptr()) })?;
        Ok(())
    }
}
