/** What is wrong with a request that never became a call, or with a message of a session, and what helps. */
export interface RequestSentences {
  path_unknown: { method: string; path: string }
  path_escape_broken: unknown
  api_path_unknown: { method: string; path: string }
  path_takes: { path: string; methods: string; method: string }
  path_begins_websocket: { path: string }
  gateway_failed_on_request: unknown
  updated_while_running: unknown
  lists_too_deep: unknown
  request_too_deep: unknown
  page_size_wrong: { field: string; most: number; given: string }
  page_place_unknown: { field: string; given: string }
  pinned_no_number: { given: string }
  key_masked: unknown
  key_unknown: unknown
  key_missing: unknown
  key_without_quota: unknown
  token_deleted: { token: string }
  model_hidden: { model: string }
  model_missing: unknown
  model_no_text: unknown
  model_twice: unknown
  model_missing_in_url: unknown
  model_missing_for_channel: unknown
  form_wanted: { files: string }
  json_wanted: unknown
  body_must_be_json: unknown
  body_must_be_json_not: { given: string }
  console_unbuilt: unknown
  request_stalled: { seconds: number }
  request_slow: { seconds: number }
  body_too_large: { mebibytes: number }
  codings_layered: unknown
  coding_unsupported: { coding: string; known: string }
  body_corrupt: { coding: string }
  body_no_object: unknown
  websocket_key_wrong: unknown
  websocket_version_wrong: { given: string }
  websocket_protocols_wrong: unknown
  gateway_stopping: unknown
  message_no_object: unknown
  json_ends_early: unknown
  json_unexpected: { found: string; position: number }
  json_not_utf8: unknown
  message_first_wrong: unknown
  session_at_limit: unknown
  path_over_http: { path: string }
  model_over_http: { model: string }
  conversation_over_http: unknown
  upstream_without_websocket: { model: string }
  connection_at_limit: unknown
  upstream_late_on_connection: unknown
  channel_changed_in_response: { model: string }
  model_on_other_channel: { model: string }
  client_left: unknown
  client_left_sending: unknown
  client_left_early: unknown
  client_left_before_session: unknown
  previous_response_gone: { id: string }
  file_unfetchable: { field: string; problem: string }
  form_type_missing: unknown
  form_boundary_missing: unknown
  form_boundary_long: unknown
  form_too_large: { mebibytes: number }
  form_unreadable: unknown
  form_head_large: { lines: number; kibibytes: number }
  form_part_unnamed: unknown
  form_boundary_unfound: { line: string }
  form_cut: { line: string }
  upload_unkept: { system: string }
  headers_slow: unknown
  headers_large: unknown
  began_with_tls: unknown
  called_by_https: unknown
  began_with_http2: unknown
  http2_off: unknown
  request_no_http: { problem: string }
  host_header_missing: unknown
  expectation_unknown: unknown
  asked_for_proxy: unknown
  used_as_proxy: { url: string }
  use_url: { url: string }
  host_unlisted: { host: string; name: string; url: string }
  origin_unlisted: { origin: string; path: string }
  base_url_slash: unknown
  base_url_without: { part: string }
  base_url_with: { part: string }
  base_url_must_be: { url: string }
  key_in_header: { name: string }
  key_in_query: { name: string }
  key_by_scheme: { name: string }
  key_of_claude_account: unknown
  key_of_vendor: { vendor: string; shape: string }
  key_of_account: unknown
  codex_falls_back: unknown
  anthropic_version_unsent: unknown
}
