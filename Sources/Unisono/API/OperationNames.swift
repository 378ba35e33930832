import UnisonoBase

extension Operation {
  /// Name of the C function, as ERROR events carry it.
  var functionName: String {
    switch self {
    case .activate: "unisono_session_activate"
    case .endSession: "unisono_session_end"
    case .setRole: "unisono_session_set_role"
    case .setControlPolicy: "unisono_session_set_control_policy"
    case .setDeputies: "unisono_session_set_deputies"
    case .removeParticipant: "unisono_session_remove_participant"
    case .requestCommand: "unisono_session_request_command"
    case .answerRequest: "unisono_session_answer_request"
    case .addEntry: "unisono_session_add_entry"
    case .moveEntry: "unisono_session_move_entry"
    case .removeEntry: "unisono_session_remove_entry"
    case .selectEntry: "unisono_session_select_entry"
    case .nextEntry: "unisono_session_next_entry"
    case .attach: "unisono_session_attach"
    case .loadAttachment: "unisono_session_load_attachment"
    case .removeAttachment: "unisono_session_remove_attachment"
    case .coordinateRateChange: "unisono_coordinator_coordinate_rate_change"
    case .coordinateSeek: "unisono_coordinator_coordinate_seek"
    case .undoJump: "unisono_coordinator_undo_jump"
    case .completeCommand: "unisono_coordinator_complete"
    case .failCommand: "unisono_coordinator_fail"
    case .reapplyItemState: "unisono_coordinator_reapply_current_item_state"
    case .setStallPolicy: "unisono_coordinator_set_stall_policy"
    case .setActionAtEnd: "unisono_coordinator_set_action_at_end"
    case .setStartPolicy: "unisono_coordinator_set_start_policy"
    case .startWithout: "unisono_coordinator_start_without"
    case .endSuspension: "unisono_suspension_end"
    case .play: "unisono_player_play"
    case .pause: "unisono_player_pause"
    case .setRate: "unisono_player_set_rate"
    case .seek: "unisono_player_seek"
    case .insertItem: "unisono_player_insert_item"
    case .replay: "unisono_player_replay"
    case .beginScrub: "unisono_player_begin_scrub"
    case .scrubTo: "unisono_player_scrub_to"
    case .endScrub: "unisono_player_end_scrub"
    case .beginInterruption: "unisono_player_begin_interruption"
    case .endInterruption: "unisono_player_end_interruption"
    case .beginInterstitial: "unisono_player_begin_interstitial"
    case .endInterstitial: "unisono_player_end_interstitial"
    }
  }
}
