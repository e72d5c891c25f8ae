/** Calls, captures, replays, usage and tokens. */
export interface CallSentences {
  no_row_of_request: { id: string }
  query_too_long: { most: number }
  query_no_field: { name: string; names: string }
  query_administrators_only: { name: string }
  query_takes_text: { name: string }
  query_takes_flag: { name: string }
  query_takes_time: { name: string }
  query_takes_status: { name: string }
  query_takes_type: { name: string }
  query_takes_id: { name: string }
  query_takes_duration: { name: string }
  query_takes_count: { name: string }
  query_takes_dollars: { name: string }
  query_takes_percentage: { name: string }
  query_many_terms: { most: number }
  query_quotation_open: unknown
  query_space_missing: unknown
  query_no_word: unknown
  query_no_value: { name: string }
  list_place_lost: unknown
  call_not_under_way: { id: string }
  call_stopped_in_console: unknown
  charts_off: unknown
  start_after_end: unknown
  usage_span_too_long: { days: number; step: string }
  usage_days_at_most: { days: number }
  no_such_border: { border: string; borders: string }
  no_captures: unknown
  format_unconvertible: { format: string }
  request_cut_unconvertible: { bytes: number }
  request_no_object: unknown
  no_capture: unknown
  reading_no_json: unknown
  reading_cut: unknown
  session_too_long: unknown
  captures_for_administrators: unknown
  no_such_attempt: { asked: number; count: number }
  body_no_json: { problem: string }
  refused_before_call: { status: number; said: string }
  session_unreplayable: unknown
  refused_without_format: unknown
  form_unreplayable: { files: string }
  request_cut: { kept: number; size: number }
  no_agent_session: { id: string }
  token_key_unreadable: { token: string }
  search_many_wildcards: unknown
  search_short: unknown
  group_unusable: { group: string; groups: string }
  many_tokens: { most: number }
  token_expired_edit: { token: string }
  token_exhausted_edit: { token: string }
  playground_signed_in: { path: string }
  compare_no_upstream: unknown
  side_client_request: unknown
  side_upstream_request: unknown
  side_upstream_answer: unknown
  side_client_answer: unknown
  http_file_signs: unknown
  form_unexportable: { files: string }
  request_cut_unsendable: { kept: number; size: number }
  body_with_nul: unknown
  body_no_utf8: unknown
  sdk_json_only: unknown
  number_would_round: { number: string }
  nests_too_deep: { levels: number }
  usage_rows_too_many: { most: number }
}
