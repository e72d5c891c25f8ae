/** Connect, the desktop, options, prices, payments and storage. */
export interface GatewaySentences {
  no_tool: { id: string }
  tool_without_slot: { tool: string; slot: string }
  model_not_served: { model: string }
  tools_only_local: unknown
  tool_points_elsewhere: { tool: string; other: string }
  tool_not_connected: { tool: string }
  tool_files_left_changed: { paths: string }
  tool_points_away: { tool: string; address: string }
  tool_without_file: { tool: string }
  file_no_permission: unknown
  file_read_only_system: unknown
  file_disk_full: unknown
  file_quota_full: unknown
  file_too_large: unknown
  file_is_folder: unknown
  file_is_pipe: unknown
  file_path_through_file: unknown
  file_links_circle: unknown
  file_busy: unknown
  tool_file_no_utf8: { path: string }
  tool_file_changed: { path: string }
  tool_file_read_only: { path: string }
  tool_file_broken: { path: string; problem: string }
  tool_file_uneditable: { path: string; problem: string }
  folder_on_machine: unknown
  send_it_yourself: unknown
  folder_not_opened: { folder: string; problem: string }
  feed_no_json: unknown
  feed_unexpected: { field: string }
  feed_redirects_nowhere: unknown
  feed_redirects_plain: { address: string }
  feed_status: { status: number }
  feed_many_redirects: { most: number }
  feed_large: { kibibytes: number }
  feed_silent: { seconds: number }
  feed_missing: unknown
  login_item_foreign: { path: string }
  login_item_unwritable: { path: string; problem: string }
  login_item_from_source: unknown
  group_default_kept: unknown
  group_auto_taken: unknown
  option_unknown_group: { group: string }
  option_fixed: { option: string; value: string }
  no_option: { option: string }
  no_own_price: { model: string }
  ratios_hidden: unknown
  payment_no_checkout: { provider: string }
  order_without_checkout: { order: string }
  creem_off: unknown
  creem_no_json: unknown
  payment_other_provider: { provider: string; other: string }
  payment_other_mode: { provider: string; mode: string }
  payment_wrong_kind: { mode: string }
  payment_other_checkout: unknown
  payment_other_product: { bought: string; product: string }
  /** Amounts are in minor units. */
  payment_other_amount: { paid: string; expected: string }
  payment_amount_unknown: { currency: string; expected: string }
  payment_without_promotion: { paid: string; expected: string }
  payment_without_discount: { paid: string; expected: string }
  payment_nothing_due: unknown
  payment_refused: { provider: string; said: string }
  payment_silent: { provider: string; seconds: number }
  creem_other_price: { price: number; currency: string }
  creem_checkout_incomplete: unknown
  no_product: { product: string }
  no_order: { order: string }
  order_not_pending: { order: string }
  order_completed_by: { user: string }
  order_paid_after_expiry: unknown
  order_paid_after_failure: unknown
  order_user_deleted: unknown
  checkout_not_made: unknown
  stripe_nothing_due: unknown
  redirect_not_here: { field: string }
  payment_unreachable: { provider: string }
  stripe_off: unknown
  stripe_checkout_incomplete: unknown
  no_email_notices: unknown
  sqlite_locked: unknown
  sqlite_no_memory: unknown
  sqlite_read_only: unknown
  sqlite_disk_failed: unknown
  sqlite_damaged: unknown
  sqlite_disk_full: unknown
  sqlite_unopenable: unknown
  sqlite_no_database: unknown
  sqlite_locked_by_other: unknown
  fetch_large: { megabytes: number }
  fetch_all_large: unknown
  fetch_no_web_address: unknown
  fetch_credentials: unknown
  fetch_port: { port: number; ports: string }
  fetch_late: { seconds: number }
  fetch_wrong_type: { problem: string }
  gateway_itself_failed: unknown
  certificates_form: unknown
  certificates_expired: { names: string }
  certificate_cut: unknown
  certificate_none: unknown
  certificate_unreadable: { number: number }
  certificate_no_file: unknown
  certificate_large: { megabytes: number }
  certificate_file_missing: unknown
  certificate_file_unreadable: { problem: string }
  certificate_of_server: { subject: string; issuer: string }
  certificate_all_expired: { names: string }
  certificate_private_key: unknown
  notice_receiver: unknown
  ledger_cannot_read: unknown
  looks_like: { example: string }
}
