using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Unisono
{
    /// <summary>A line that a person types to the group, with the same words as in the sample hosts in C ("say hello", "ready", "add ITEM"), and what
    /// the group shares as sentences. For consoles, and for the console line of a game.</summary>
    public sealed class GroupLines
    {
        public const string Help = "play, pause, seek S, undo, say TEXT, react TEXT, history, who, ready, unready, " +
            "start-policy none|first|every [S] [pause], go [NAME], at +S|off, countdown, list, add ITEM, next, drop N, move N TO, " +
            "select N, copy PATH, cut S, attach PATH, attachments, load N PATH, close, open, leave, end, quit";

        readonly Session session;
        readonly Coordinator coordinator;
        readonly Action<string> tell;
        readonly Dictionary<string, Action<string>> words;
        bool isClosed;

        /// <summary>tell: gets each sentence, without what controls a terminal. followsPlaylist: the coordinator goes where the group is on the
        /// playlist; false: the host does so.</summary>
        public GroupLines(Session session, Coordinator coordinator, Action<string> tell, bool followsPlaylist = true)
        {
            this.session = session;
            this.coordinator = coordinator;
            this.tell = sentence => tell(new string(sentence.Select(one => char.IsControl(one) ? ' ' : one).ToArray()));
            words = new Dictionary<string, Action<string>> {
                { "play", rate => coordinator.Play(rate == "" ? 1 : Number(rate)) },
                { "pause", nothing => coordinator.Pause() },
                { "seek", seconds => coordinator.Seek(UnisonoTime.Nanoseconds(Number(seconds))) },
                { "undo", nothing => coordinator.UndoJump() },
                { "say", text => session.Shared.Say(text) },
                { "react", text => session.Shared.React(text) },
                { "history", nothing => { foreach (ChatEntry one in session.Shared.History) Tell("  " + Sentence(one)); } },
                { "who", nothing => TellWho() },
                { "ready", nothing => coordinator.SetReady(Readiness.Ready) },
                { "unready", nothing => coordinator.SetReady(Readiness.NotReady) },
                { "start-policy", SetStartPolicy },
                { "go", GoOn },
                { "at", Schedule },
                { "countdown", nothing => TellCountdown() },
                { "list", nothing => TellPlaylist() },
                { "add", item => session.Shared.AddEntry(new PlaylistEntry { Item = item }) },
                { "next", nothing => session.Shared.NextEntry() },
                { "drop", number => session.Shared.RemoveEntry(Entry(number)) },
                { "move", Move },
                { "select", number => session.Shared.SelectEntry(Entry(number)) },
                { "copy", SetCopy },
                { "cut", seconds => session.Shared.SetCutOffset(UnisonoTime.Nanoseconds(Number(seconds))) },
                { "attach", path => session.Shared.Attach(path) },
                { "attachments", nothing => TellAttachments() },
                { "load", Load },
                { "close", nothing => session.SetClosed(true) },
                { "open", nothing => session.SetClosed(false) },
                { "leave", nothing => session.Leave() },
                { "end", nothing => session.EndForAll() },
                { "help", nothing => Tell(Help) }
            };
            session.StateChanged += change =>
            {
                if (change.State != SessionState.Joined || change.IsClosed == isClosed) return;
                isClosed = change.IsClosed;
                Tell(isClosed ? "The group is closed: nobody new is let in" : "The group is open again");
            };
            session.Noticed += notice => Tell(notice.Sentence);
            session.Refused += (call, status, why) => Tell("refused: " + why);
            coordinator.Refused += (call, status, why) => Tell("refused: " + why);
            session.Shared.Said += message => Tell(Sentence(message.Entry));
            session.Shared.CopyCompared += copy => { if (copy.Differs != 0) Tell(copy.Message); };
            session.Shared.AttachmentChanged += change => Tell(Sentence(change));
            session.Shared.ScheduleChanged += change => { string news = Sentence(change); if (news != null) Tell(news); };
            session.Shared.PlaylistChanged += change =>
            {
                if (!change.CurrentChanged || change.Item == null) return;
                if (followsPlaylist) coordinator.TransitionTo(change.Item);
                Tell("The group is at " + change.Item);
            };
        }

        /// <summary>What is refused is told. False: the person wants to quit.</summary>
        public bool Run(string line)
        {
            string[] parts = line.Trim().Split(new[] { ' ' }, 2);
            string word = parts[0], argument = parts.Length > 1 ? parts[1].Trim() : "";
            if (word == "quit") return false;
            Action<string> action;
            if (word == "") return true;
            if (!words.TryGetValue(word, out action)) Tell(word + ": not a command; try help");
            else
            {
                try { action(argument); }
                catch (UnisonoException fault) { Tell(word + ": " + fault.Message); }
                catch (FormatException fault) { Tell(word + ": " + fault.Message); }
                catch (ArgumentException fault) { Tell(word + ": " + fault.Message); }
            }
            return true;
        }

        void Tell(string sentence) { tell(sentence); }

        static string Sentence(ChatEntry entry) { return (entry.Name ?? "Somebody") + ": " + entry.Text; }

        static string Sized(Attachment one) { return string.Format(CultureInfo.InvariantCulture, "{0}, {1:F1} MB", one.Name, one.Length / 1e6); }

        static string Sentence(AttachmentEvent change)
        {
            Attachment one = change.Attachment;
            switch (change.Change)
            {
                case AttachmentChange.Added: return "Offered: " + Sized(one);
                case AttachmentChange.Removed: return "Not offered any more: " + one.Name;
                case AttachmentChange.Progress: return "Loading " + one.Name + ": " + 100 * change.Transferred / Math.Max(1, one.Length) + " %";
                case AttachmentChange.Loaded: return "Loaded: " + one.Name;
                default: return one.Name + ": " + change.Message;
            }
        }

        static string Sentence(ScheduleEvent change)
        {
            string left = string.Format(CultureInfo.InvariantCulture, "{0:F0} s", UnisonoTime.Seconds(change.Remaining));
            switch (change.Change)
            {
                case ScheduleChange.Set:
                case ScheduleChange.Remaining: return change.Start.Item + " begins in " + left;
                case ScheduleChange.Canceled: return "The start of " + change.Start.Item + " was called off";
                case ScheduleChange.Due: return change.Start.Item + " begins";
                default: return null;
            }
        }

        static double Number(string text)
        {
            double number;
            if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number)) return number;
            throw new FormatException("\"" + text + "\" is no number");
        }

        /// <summary>The Nth of a list, from 1.</summary>
        static T Nth<T>(T[] all, string number, string what)
        {
            int index;
            if (int.TryParse(number, out index) && index >= 1 && index <= all.Length) return all[index - 1];
            throw new FormatException(what + " has nothing of this number");
        }

        EntryId Entry(string number) { return Nth(session.Shared.Playlist.Entries, number, "the playlist").Id; }

        /// <summary>Persons rather than devices, whether they say that they are ready, and who has another cut.</summary>
        void TellWho()
        {
            foreach (IGrouping<ParticipantId, Participant> person in session.Participants.GroupBy(one => one.Person.IsNobody ? one.Id : one.Person))
            {
                string[] devices = person.Select(one => one.DeviceName).OrderBy(name => name, StringComparer.Ordinal).ToArray();
                bool isReady = person.Any(one => one.Readiness == Readiness.Ready), isNot = person.Any(one => one.Readiness == Readiness.NotReady);
                long cut = person.Select(one => one.CutOffset).FirstOrDefault(one => one != 0);
                Tell(person.First().DisplayName + (devices.Length > 1 ? " (" + string.Join(", ", devices) + ")" : "") +
                    (isNot ? ", not ready" : isReady ? ", ready" : "") +
                    (cut == 0 ? "" : string.Format(CultureInfo.InvariantCulture, ", cut {0:F1} s", UnisonoTime.Seconds(cut))));
            }
        }

        void SetStartPolicy(string argument)
        {
            string[] given = argument.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            Dictionary<string, StartRule> rules = new Dictionary<string, StartRule> {
                { "none", StartRule.AtOnce }, { "first", StartRule.FirstWhenReady }, { "every", StartRule.WhenReady } };
            StartRule rule;
            if (given.Length == 0 || !rules.TryGetValue(given[0], out rule))
                throw new FormatException("none, first or every; then seconds, if you like; then pause, if leaving is to pause");
            string limit = given.Skip(1).FirstOrDefault(one => one != "pause");
            coordinator.SetStartPolicy(rule, limit == null ? 0 : UnisonoTime.Nanoseconds(Number(limit)),
                given.Contains("pause") ? LeavingRule.Pause : LeavingRule.GoOn);
        }

        /// <summary>Whoever is not ready is waited for no more; with a name, that one is not.</summary>
        void GoOn(string name)
        {
            ParticipantId[] named = session.Participants.Where(one => one.DisplayName == name).Select(one => one.Id).Take(1).ToArray();
            if (name != "" && named.Length == 0) throw new FormatException("nobody here is called " + name);
            coordinator.StartWithout(named);
        }

        /// <summary>Everybody who is where this player is begins in so many seconds.</summary>
        void Schedule(string argument)
        {
            if (argument == "off")
            {
                session.Shared.CancelStart();
                return;
            }
            if (!argument.StartsWith("+", StringComparison.Ordinal)) throw new FormatException("give + and seconds, or off");
            double ahead = Number(argument.Substring(1));
            if (!(ahead > 0 && ahead < 7 * 86400)) throw new FormatException("give seconds, at most seven days of them");
            string item = session.Participants.Where(one => one.IsLocal).Select(one => one.Item).FirstOrDefault();
            if (item == null) throw new FormatException("there is no item");
            session.Shared.ScheduleStart(item, session.context.HostTime + UnisonoTime.Nanoseconds(ahead));
        }

        void TellCountdown()
        {
            ScheduledStart start = session.Shared.ScheduledStart;
            if (start == null) Tell("nothing is scheduled");
            else Tell(string.Format(CultureInfo.InvariantCulture, "{0:F0} s until {1} begins",
                UnisonoTime.Seconds(start.HostTime - session.context.HostTime), start.Item));
        }

        void TellPlaylist()
        {
            Playlist list = session.Shared.Playlist;
            for (int index = 0; index < list.Entries.Length; index++)
            {
                PlaylistEntry one = list.Entries[index];
                Tell((one.Id == list.Current ? "> " : "  ") + (index + 1) + " " + (one.Title ?? one.Item));
            }
            if (list.Entries.Length == 0) Tell("the playlist is empty");
        }

        /// <summary>To where the entry of the second number stands now; without one, to the end.</summary>
        void Move(string argument)
        {
            string[] numbers = argument.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            if (numbers.Length == 0) throw new FormatException("give a number of the list");
            session.Shared.MoveEntry(Entry(numbers[0]), numbers.Length > 1 ? Entry(numbers[1]) : default(EntryId));
        }

        void SetCopy(string path)
        {
            EntryId current = session.Shared.Playlist.Current;
            if (current.IsNone) throw new FormatException("the group is at no entry of the playlist");
            session.Shared.SetCopy(current, Copy.OfFile(path));
        }

        void TellAttachments()
        {
            Attachment[] all = session.Shared.Attachments;
            for (int index = 0; index < all.Length; index++) Tell((index + 1) + " " + Sized(all[index]) + (all[index].IsAvailable ? ", here" : ""));
        }

        void Load(string argument)
        {
            string[] parts = argument.Split(new[] { ' ' }, 2);
            if (parts.Length < 2) throw new FormatException("give a number of the list that `attachments` prints, and a path");
            session.Shared.Load(Nth(session.Shared.Attachments, parts[0], "the list"), parts[1].Trim());
        }
    }
}
