/** Why a model call is refused before it goes to a channel. */
export interface RefusalSentences {
  token_is_disabled: { token: string }
  /** `when`: ISO 8601. */
  token_is_expired: { token: string; when: string }
  token_used_up: { token: string }
  token_used_up_in_session: { token: string }
  token_not_from: { token: string; ip: string }
  token_left_below: { token: string; left: string; expected: string }
  user_used_up: { user: string }
  user_used_up_in_session: { user: string }
  user_left_below: { user: string; left: string; expected: string }
  calls_paused: unknown
  pinning_refused: { channel: number }
  pinned_unknown: { channel: number }
  pinned_is_disabled: { channel: number; name: string }
  model_refused: { token: string; model: string; allowed: string }
  model_choice_refused: { field: string; token: string }
  model_unknown: { model: string }
  model_without_channel: { model: string; groups: string }
  model_in_other_groups: { model: string; groups: string }
  target_not_at_channel: { model: string; channel: number }
  target_not_at_tag: { model: string; tag: string }
  target_not_at_pinned: { model: string }
  route_without_realtime: { route: string }
}
