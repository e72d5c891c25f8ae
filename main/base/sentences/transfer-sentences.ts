/** Export and import. */
export interface TransferSentences {
  backup_failed: { problem: string }
  foreign_token_wrong: unknown
  foreign_address_missing: unknown
  foreign_too_large: { from: string; megabytes: number }
  found_one_id: unknown
  found_key_gone: unknown
  file_empty: unknown
  file_unknown: { known: readonly string[] }
  preview_gone: unknown
  changed_since_preview: unknown
  preview_no_item: { item: string }
  only_latest_undone: unknown
  changed_since_import: unknown
  code_used_since_import: unknown
  link_gone: unknown
  codes_need_passphrase: unknown
  setting_elsewhere: unknown
  setting_unknown: unknown
  token_key_form: { token: string }
  token_user_missing: { user: string }
  token_user_unticked: { user: string }
  owner_not_imported: { user: string }
  name_reserved: { user: string }
  user_only_once: { user: string }
  one_source: unknown
  source_missing: unknown
  foreign_kind: unknown
  path_not_whole: unknown
  database_unknown: { path: string }
  transfer_only_local: unknown
  export_cut: unknown
  export_none: unknown
  export_newer: { version: number; most: number }
  export_damaged: { place: string }
  export_sealed: unknown
  export_without_parts: unknown
  export_changed: unknown
  passphrase_wrong: unknown
  foreign_refused: { path: string }
  foreign_refused_said: { path: string; said: string }
  foreign_wants_user: { from: string; said: string }
  foreign_token_refused: { from: string; said: string }
  foreign_many_pages: { path: string; most: number }
  file_long: { length: number; most: number }
  file_deep: { line: number; most: number }
  file_no_yaml: { problem: string }
  file_indented: { line: number; most: number }
  part_long: { part: string; most: number }
  part_null_character: { part: string }
  part_missing: { part: string }
  part_out_of_range: { part: string; least: number; most: number }
  part_many_entries: { part: string; count: number; most: number }
  kind_object: unknown
  kind_text: unknown
  kind_number: unknown
  kind_boolean: unknown
  kind_list: unknown
  part_no_json: { part: string; problem: string }
  part_no_toml: { part: string; problem: string }
  line_quote_open: { line: number }
  file_many_lines: { most: number }
  line_no_pair: { line: number }
  sql_unexpected: { line: number }
  file_many_rows: { most: number }
  many_links: { most: number }
  link_form: { link: string; form: string }
  link_api: { values: string }
  link_without_vendor: unknown
  link_vendor_unknown: { vendor: string }
  link_long: { most: number }
  part_pair: { part: string; separator: string }
  no_file: { path: string }
  file_unreadable: { path: string; problem: string }
  no_sqlite_file: { path: string }
  path_is_folder: { path: string }
  file_large: { path: string; megabytes: number }
  file_being_written: { path: string }
  table_many_rows: { table: string }
  database_damaged: { path: string }
}
