/** Channels, their keys and addresses, and questions to vendors. */
export interface ChannelSentences {
  base_url_placeholder_host: { host: string }
  address_forbidden: { host: string }
  address_of_gateway: unknown
  url_in_quotes: unknown
  check_needs_key: { channel: string; fields: string }
  check_needs_headers: { channel: string; fields: string }
  channel_type_unsupported: { type: number }
  models_needed: unknown
  keys_disabled_by_hand: unknown
  channel_has_one_key: { channel: string }
  keys_changed_meanwhile: unknown
  no_such_key: { count: number }
  channel_needs_key: unknown
  proxy_password_hidden: unknown
  no_channel_with_tag: { tag: string }
  upstream_no_json: { said: string }
  no_balance_in_answer: unknown
  several_balances: { channel: string }
  no_balance_api: { vendor: string }
  endpoint_type_untestable: { type: string }
  endpoint_type_not_spoken: { channel: string; type: string; types: string }
  model_untestable: { model: string; types: string }
  upstream_no_answer: { seconds: number }
  test_round_running: unknown
  balance_round_running: unknown
  retest_round_running: unknown
  upstream_answered_status: { status: number }
  vendor_said: { said: string }
  key_moves_owner_only: { channel: string; fields: string }
  key_moves_enter_key: { channel: string; fields: string }
  key_moves_enter_headers: { channel: string; fields: string }
  key_moves_confirm: { channel: string; fields: string }
  key_moves_key_or_confirm: { channel: string; fields: string }
  key_moves_headers_or_confirm: { channel: string; fields: string }
  header_value_hidden: { name: string }
  only_administrator_chooses_channel: unknown
  channel_is_disabled: { channel: string }
  model_list_too_long: unknown
  answer_without_balance: unknown
  no_model_list: unknown
  no_model_list_said: { said: string }
  base_url_missing: unknown
  base_url_none: { typed: string }
  base_url_scheme: { typed: string }
  base_url_credentials: unknown
  model_name_in_path: { name: string }
  custom_url_lists_nothing: unknown
  gemini_version_wrong: { other: string }
  model_rules_object: unknown
  model_rules_of_object: { model: string }
  model_rule_unknown: { model: string; name: string; names: string }
  model_rule_kind: { model: string; name: string; kind: string }
  mapping_of_names: { name: string }
  mapping_loops: { name: string }
  status_mapping_like: { name: string }
  header_name_wrong: { name: string }
  header_value_text: { name: string }
  header_value_wrong: { name: string }
  pattern_wrong: { name: string }
  setting_unsupported: { name: string }
  endpoint_types_list: { types: string }
  part_one_of: { name: string; values: string }
  json_unreadable: { problem: string }
  proxy_no_text: unknown
  proxy_no_address: unknown
  proxy_kind: unknown
  proxy_path: unknown
  proxy_percent: unknown
  proxy_credential_long: { most: number }
  operations_wrong: { place: string }
  test_too_slow: { seconds: string; most: number }
  balance_used_up: { balance: number }
  all_keys_disabled: unknown
  a_key_enabled_again: unknown
  passed_a_test: unknown
  enabled_by: { user: string }
  disabled_by: { user: string }
  changed_by_import: unknown
  no_model_to_test: unknown
}
