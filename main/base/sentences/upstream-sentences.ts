/** What went wrong at an upstream, or on the way there. None of them tells an address: not every reader may know it. */
export interface UpstreamSentences {
  network_refused: unknown
  network_name_unknown: unknown
  network_name_unanswered: unknown
  network_host_out_of_reach: unknown
  network_out_of_reach: unknown
  network_no_answer: unknown
  network_reset: unknown
  network_closed_while_sending: unknown
  network_closed_early: unknown
  network_other_length: unknown
  network_headers: { kibibytes: number }
  certificate_expired: unknown
  certificate_early: unknown
  certificate_self_signed: unknown
  certificate_chain_self_signed: unknown
  certificate_unverifiable: unknown
  certificate_authority_unknown: unknown
  certificate_other_name: unknown
  request_unwritable: unknown
  proxy_asks_login: unknown
  proxy_refuses_login: unknown
  proxy_closed: unknown
  proxy_no_socks: unknown
  proxy_name_long: { most: number }
  proxy_refused: { status: number }
  socks_failed: unknown
  socks_not_allowed: unknown
  socks_no_network: unknown
  socks_no_host: unknown
  socks_refused: unknown
  socks_way_long: unknown
  socks_no_connections: unknown
  socks_address_unknown: unknown
  socks_reply: { reply: number }
  system_proxies_unread: unknown
  system_proxies_none: unknown
  system_proxies_unsupported: unknown
  system_proxies_late: { seconds: number }
  tls_unexpected: unknown
  answer_no_http: unknown
  upstream_connect_late: { seconds: number }
  upstream_total_reached: { seconds: number }
  upstream_first_byte_late: { seconds: number }
  upstream_fell_silent: { seconds: number }
  upstream_upgrade_late: { seconds: number }
  upstream_end_missing: unknown
  redirect_nowhere: unknown
  redirect_unreadable: unknown
  redirect_same_host: unknown
  redirect_to_host: { host: string }
  upstream_redirect_bare: { channel: string; status: number }
  no_reason_given: unknown
  upstream_cut_short: unknown
  upstream_cut_before_event: { channel: string }
  upstream_without_event: { mebibytes: number }
  upstream_event_long: { mebibytes: number }
  upstream_answer_long: { mebibytes: number }
  upstream_second_message: unknown
  upstream_block_long: { mebibytes: number }
  upstream_calls_wait: { mebibytes: number }
  upstream_call_long: { mebibytes: number }
  upstream_call_unnamed: unknown
  upstream_call_nameless: unknown
  call_path_wrong: { path: string }
  call_too_deep: unknown
  call_index_gap: unknown
  call_too_long: unknown
  call_replaced: unknown
  answer_unholdable: { mebibytes: number }
  transcript_cut: unknown
  /** `why`: the vendor’s word for it in brackets, or ''; `said`: the model’s own words, or ''. */
  no_image_made: { why: string; said: string }
  no_speech_made: { why: string; said: string }
  no_transcript_made: { why: string; said: string }
  upstream_informational: { most: number }
  upstream_answer_damaged: unknown
  upstream_page_for_json: { channel: string }
  upstream_text_for_json: { channel: string }
  upstream_json_cut: { channel: string }
  upstream_upgrade_refused: { channel: string; status: number }
  upstream_websocket_wrong: { problem: string }
  name_unresolved: unknown
  channel_key_unreadable: { channel: string }
  channel_keys_disabled: { channel: string }
  channel_mapping_loops: { channel: string; models: string }
  channel_type_unserved: { channel: string; type: number }
  channel_pattern_invalid: unknown
  channel_without_websockets: { channel: string }
  header_names_unmatchable: unknown
  text_unchangeable: { problem: string }
  model_unlisted: { field: string; channel: string; model: string }
  address_link_local: { host: string }
  address_private: { host: string }
  socket_message_large: { mebibytes: number }
  upstream_broke_off: unknown
  gateway_failed_on_call: unknown
}
