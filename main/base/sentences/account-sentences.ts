/** Signing in, users, codes, and who may do what. */
export interface AccountSentences {
  codes_need_keychain: unknown
  factor_is_on: unknown
  factor_not_set_up: unknown
  factor_is_off: unknown
  factor_changed: unknown
  session_ended: unknown
  factor_on_switch_off: unknown
  access_token_unverifiable: unknown
  no_factor_to_verify: unknown
  no_password_to_verify: unknown
  code_wrong_app_unreadable: unknown
  code_wrong_pending: unknown
  local_secret_only_connect: unknown
  verification_needs_session: unknown
  verification_clock_back: unknown
  only_owner_on_administrator: { user: string }
  no_operation: { name: string }
  no_such_field: { field: string }
  input_no_object: unknown
  already_set_up: unknown
  passwords_differ: unknown
  setup_only_local: unknown
  registration_closed: unknown
  own_factor_in_settings: unknown
  user_without_factor: { user: string }
  already_administrator: { user: string }
  already_common_user: { user: string }
  user_is_owner: { user: string }
  only_roles_below: unknown
  own_password_in_settings: unknown
  no_redemption_code: { id: number }
  used_code_only_renamed: { id: number }
  access_token_unknown: unknown
  session_ended_meanwhile: unknown
  too_many_requests: { seconds: number }
  origin_refused: { origin: string }
  host_refused: { host: string }
  other_site_refused: unknown
  only_console_with_session: unknown
  keychain_locked: unknown
  keys_not_locked: unknown
  state_unwritable: { path: string; problem: string }
  email_taken: { email: string }
  no_token: { id: number }
  no_route: { id: number }
  route_channels_missing: unknown
  route_name_taken: { name: string }
  target_is_route: { model: string }
  wrong_codes_locked_from_afar: { seconds: number }
  other_user_named: unknown
}
