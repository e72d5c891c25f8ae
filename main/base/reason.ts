import type { FieldProblem } from './field-problems.ts'
import type { AccountSentences } from './sentences/account-sentences.ts'
import type { AnswerFault, AnswerSentences } from './sentences/answer-faults.ts'
import type { BodyRule, BodySentences } from './sentences/body-rules.ts'
import type { CallSentences } from './sentences/call-sentences.ts'
import type { ChannelSentences } from './sentences/channel-sentences.ts'
import type { CodedReason } from './sentences/coded-texts.ts'
import type { GatewaySentences } from './sentences/gateway-sentences.ts'
import type { LimitSentences } from './sentences/limit-sentences.ts'
import type { LossSentences } from './sentences/loss-notes.ts'
import type { RefusalSentences } from './sentences/refusal-sentences.ts'
import type { RequestSentences } from './sentences/request-sentences.ts'
import type { TransferSentences } from './sentences/transfer-sentences.ts'
import type { UpstreamSentences } from './sentences/upstream-sentences.ts'

/**
 * Faults of a field by code, with the values in the sentence. The console puts the field's label
 * in the place of its name.
 */
interface FieldReasons extends Record<FieldProblem, unknown> {
  field_too_long: { most: number | string }
  field_too_short: { least: number | string }
  field_too_large: { most: number | string }
  field_too_small: { least: number | string }
  field_too_many: { most: number | string }
  field_too_few: { least: number | string }
  field_one_of: { values: string }
  field_above_zero: unknown
  field_percentage: unknown
  field_long_name: { most: number; name: string }
  /** `problem` follows the field's name, in English; `why` says the same by code. */
  field_wrong: { problem: string; why?: Why }
  /** `part` is a field within the field. */
  field_seconds: { part: string; most: number }
  field_no_address: { entry: string }
  field_not_public: { host: string }
  field_needed: unknown
  /** `other` is another field. */
  price_missing: { other: string }
  price_stands_alone: { other: string }
  price_needs_input: { other: string }
  price_needs_paid_input: { other: string }
}

/** Other sentences, by code, with the values in them: refusals, warnings, steps, and entries of the audit log. */
export interface SentenceValues
  extends AccountSentences,
    AnswerSentences,
    BodySentences,
    CallSentences,
    ChannelSentences,
    GatewaySentences,
    LimitSentences,
    LossSentences,
    RefusalSentences,
    RequestSentences,
    TransferSentences,
    UpstreamSentences {
  /** `field`: its path in the body. */
  body_field_wrong: { field: string; why: CodedReason<BodyRule> }
  upstream_answer_wrong: { why: CodedReason<AnswerFault> }
  upstream_call_unreadable: { why: Why }
  websocket_unserved: { why: Why }
  connection_over: { why: Why }
  upstream_left: { said: Why }
  proxy_failed: { why: Why }
  proxy_unusable: { why: Why; system: string }
  upstream_unrelayable: { problem: Why }
  upstream_unreadable: { problem: Why }
  proxy_not_connected: { why: Why }
  proxy_variables_wrong: { variable: string; why: Why }
  system_proxies_wrong: { why: Why }
  failures_in_a_row: { count: number; last: Why }
  request_no_json: { why: Why }
  notice_undelivered: { why: Why }
  query_term_unreadable: { term: string; place: number; why: Why }
  compare_cut: { side: Why; bytes: number }
  compare_no_json: { side: Why }
  compare_never_began: { side: Why }
  tool_file_unreadable: { path: string; why: Why }
  tool_file_unwritable: { path: string; why: Why }
  feed_unreadable: { why: Why }
  ledger_unwritable: { file: string; why: Why }
  ledger_unreadable: { file: string; why: Why }
  fetch_not_public: { host: Why }
  fetch_unreachable: { host: Why; system: string }
  fetch_cut: { host: Why; system: string }
  fetch_redirects: { host: Why }
  fetch_many_redirects: { host: Why; most: number }
  fetch_redirects_nowhere: { host: Why }
  fetch_redirects_plain: { host: Why }
  fetch_status: { host: Why; status: number }
  certificates_of_file: { path: string; why: Why }
  certificates_of_option: { why: Why }
  ledger_waits: { path: string; why: Why; waiting: number; lost: number }
  foreign_other_form: { from: string; why: Why }
  part_other_kind: { part: string; wanted: Why }
  part_no_address: { part: string; why: Why }
  /** `more`: what else counts towards it, or ''. `end`: ISO 8601. */
  budget_of_day: { token: string; limit: string; used: string; more: Why; end: string }
  budget_of_month: { token: string; limit: string; used: string; more: Why; end: string }
  path_advice: { path: string; advice: Why }
  path_misplaced: { method: string; path: string; advice: Why }
  of_channel: { channel: string; why: Why }
  /** For administrators: `address` is the upstream's or the proxy's. */
  at_address: { address: string; why: Why }
  /** `system`: the system's code, or ''. */
  upstream_failed: { why: Why; system: string }
  upstream_redirects_call: { channel: string; status: number; target: Why }
  channel_plan_used_up: { channel: string; status: number; said: Why }
  channel_without_money: { channel: string; status: number; said: Why }
  channel_key_refused: { channel: string; status: number; said: Why }
  channel_web_page: { channel: string; status: number; said: Why }
  channel_answered: { channel: string; status: number; said: Why }
  /** `status`: of the WebSocket's close. */
  upstream_ended_session: { status: number; said: Why }
  not_signed_in: unknown
  login_wrong: unknown
  login_password_off: unknown
  login_expired: unknown
  login_too_many: { seconds: number }
  login_only_right: unknown
  login_busy: unknown
  codes_locked: { seconds: number }
  /** The console's words for `seconds` of the others. */
  wait_seconds: { seconds: number }
  wait_minutes: { minutes: number }
  code_of_app: unknown
  code_of_app_or_backup: unknown
  code_wrong: unknown
  backup_code_wrong: unknown
  backup_code_used: unknown
  /** `why` says what was wrong. */
  wrong_and_locked: { why: Why; seconds: number }
  password_wrong: unknown
  name_taken: { user: string }
  user_disabled: { user: string }
  only_owner: unknown
  only_administrator: unknown
  owner_without_password: unknown
  access_token_not_enough: unknown
  verification_needed: unknown
  verification_expired: unknown
  no_user: { id: number }
  owner_undeletable: { user: string }
  owner_undisableable: { user: string }
  owner_undemotable: { user: string }
  role_below_own: unknown
  expiry_past: unknown
  rows_before_future: unknown
  no_channel: { id: number }
  base_url_needed: { type: string }
  key_needed: { type: string }
  gateway_failed: { id: string }
  upstream_redirects: { status: number; address: string }
  upstream_said: { status: number; said: string }
  upstream_silent: { status: number }
  upstream_late: { wanted: string; seconds: number }
  code_unknown: unknown
  code_used: unknown
  code_disabled: unknown
  code_expired: { day: string }
  code_changed: unknown
  code_not_for_administrators: unknown
  code_too_much: { most: string }
  only_in_desktop: unknown
  file_changed: { tool: string }
  home_foreign: { home: string; variable: string }
  home_missing: { home: string; variable: string }
  route_without_target: { route: string; why: Why }
  health_ledger_failing: { problem: Why }
  health_state_failing: { problem: Why }
  health_keychain_locked: unknown
  health_channels_cooling: { count: number; names: Why }
  health_channels_probing: { count: number; names: Why }
  health_channels_disabled: { count: number; names: Why }
  health_keys_unreadable: { count: number; names: Why }
  names_and_more: { names: string; more: number }
  health_paused: unknown
  health_disk_low: { mebibytes: number }
  health_rows_lost: { count: number }
  health_extra_certificates: { problem: Why }
  health_open_to_network: { host: string }
  health_clock_jumped: { seconds: number }
  health_event_loop_slow: { seconds: number }
  health_machine_busy: { seconds: number }
  connect_variable_set: { name: string }
  connect_proxy: { name: string; host: string }
  connect_other_gateway: { address: string }
  connect_model_refused: { token: string; model: string }
  connect_old_address: { before: string; now: string }
  connect_points_elsewhere: unknown
  connect_points_at: { address: string }
  connect_keys_changed: unknown
  aider_env: { path: string }
  cline_extension: { model: string }
  codex_profile: unknown
  codex_sessions: unknown
  continue_choose: { name: string }
  continue_config: unknown
  copilot_lines: unknown
  copilot_unset: unknown
  copilot_limits: unknown
  crush_script: { path: string }
  cursor_address: { address: string }
  cursor_key: unknown
  cursor_base_url: unknown
  cursor_model: { model: string }
  gemini_trust: unknown
  llm_model: { id: string }
  opencode_hidden: { id: string }
  roo_ended: unknown
  roo_provider: unknown
  roo_fields: { address: string; model: string }
  roo_names: unknown
  sdk_lines: unknown
  sdk_unset: unknown
  sdk_model: unknown
  vscode_key: { name: string }
  vscode_model: { model: string }
  zed_settings: { id: string }
  zed_paste: unknown
  audit_login_failed: { user: string }
  audit_login_code_wrong: { user: string }
  audit_code_wrong: { user: string }
  audit_locked: { why: Why; seconds: number }
  audit_password_wrong: { user: string }
  audit_registered: { user: string; amount: string }
  audit_account_deleted: { user: string }
  audit_factor_begun: { user: string }
  audit_factor_on: { user: string }
  audit_factor_off: { user: string }
  audit_factor_removed: { user: string }
  audit_backup_codes: { user: string }
  audit_password_changed: { user: string }
  audit_user_made: { user: string; amount: string }
  audit_user_deleted: { user: string }
  audit_user_renamed: { user: string; name: string }
  audit_user_email: { user: string; before: string; after: string }
  audit_user_group: { user: string; before: string; after: string }
  audit_access_token_made: { user: string }
  audit_user_enabled: { user: string }
  audit_user_disabled: { user: string }
  audit_made_administrator: { user: string }
  audit_made_common: { user: string }
  audit_password_set: { user: string }
  audit_role_set: { user: string; role: number }
  audit_password_and_role_set: { user: string; role: number }
  audit_balance: { user: string; before: string; after: string }
  audit_code_redeemed: { id: number; name: string; amount: string }
  audit_codes_made: { count: number; name: string; amount: string }
  audit_code_enabled: { id: number; name: string }
  audit_code_disabled: { id: number; name: string }
  audit_code_deleted: { id: number; name: string }
  audit_codes_deleted: { count: number }
  audit_code_worth: { id: number; name: string; before: string; after: string }
  audit_key_shown: { user: string; channel: string; id: number }
  audit_key_sent_elsewhere: { user: string; channel: string; id: number; fields: string }
  audit_exported: { parts: string }
  audit_imported: { from: string; added: number; changed: number; parts: string }
  audit_import_undone: { from: string }
  audit_rows_removed: { count: number; time: string }
  audit_price_set: { model: string }
  audit_price_taken_back: { model: string }
  audit_ratios_reset: unknown
  audit_keys_forgotten: { user: string }
  audit_notice_undelivered: { user: string; why: Why }
  audit_factor_removed_offline: { user: string }
  audit_order_paid: { provider: string; order: string; amount: string }
  /** `id`: of the buyer. */
  audit_order_by_hand: { order: string; amount: string; id: number }
  audit_payment_disputed: { order: string; amount: string }
  audit_payment_refunded: { order: string; amount: string }
  audit_payment_restored: { order: string; amount: string }
  audit_order_problem: { order: string; why: Why }
  audit_channel_disabled: { channel: string; id: number; why: Why }
  audit_key_disabled: { index: number; channel: string; id: number; why: Why }
  audit_channel_kept: { channel: string; id: number; model: string; why: Why }
  audit_channel_enabled: { channel: string; id: number }
  audit_key_enabled: { index: number; channel: string; id: number }
}

type Values = FieldReasons & SentenceValues

type CodeWithValues = {
  [Code in keyof Values]: unknown extends Values[Code] ? never : Code
}[keyof Values]

/**
 * A sentence by its code and the values in it. The console has these in other languages; the English one goes beside
 * it, for everybody else.
 */
export type Reason =
  // One member for all codes alone: of a member each, the compiler finds the union too complex.
  | { code: Exclude<keyof Values, CodeWithValues> }
  | { [Code in CodeWithValues]: { code: Code } & Values[Code] }[CodeWithValues]

/** A part of a sentence: the words of a vendor or of the system, or a reason of our own. */
export type Why = string | Reason

export interface Sentence {
  /** In English. */
  message: string
  reason: Reason
}
