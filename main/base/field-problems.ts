/** Problems of a field, worded to follow its name, by code. */
export const fieldProblems = {
  field_missing: 'is missing',
  field_empty: 'cannot be empty',
  field_text: 'must be text',
  field_whole_number: 'must be a whole number',
  field_number: 'must be a number',
  field_one_number: 'must be one number',
  field_one_whole_number: 'must be one whole number',
  field_boolean: 'must be true or false',
  field_list: 'must be a list',
  field_object: 'must be an object',
  field_negative: 'cannot be negative',
  field_above_nothing: 'must be more than 0',
  field_one_line: 'must be one line without control characters',
  field_single_line: 'must be a single line',
  field_visible_ascii: 'must be one line of visible ASCII',
  field_invisible: 'cannot hold control characters or invisible ones',
  field_mixed_letters: 'cannot mix Latin, Cyrillic and Greek letters',
  field_email: 'must be an e-mail address',
  field_six_digits: 'must be the six digits that the app shows',
  field_role: 'must be 1 (user) or 10 (administrator)',
  field_code_expiry: 'must be a time in unix seconds, or 0 for never',
  field_json_or_text: 'must be a JSON object, or one as text',
  field_expiry: 'must be a time in unix seconds, or -1 for never',
  field_keys: 'holds blanks or characters that no key has: one key a line, nothing else',
  field_record: 'must be the number of a record',
  field_records: 'must be a list of the numbers of records',
  field_target_weight: 'must be a whole number from 0 to 1000',
  field_token_count: 'must be a number of tokens',
  field_token_range: 'cannot be less than the least number of tokens',
  field_no_condition: 'is empty: set at least one condition',
  field_no_target: 'is empty: name at least one model',
  field_route_name: 'cannot contain spaces or commas',
  field_status: 'must be 1 (enabled) or 2 (disabled)',
  field_dollars: 'must be a price in US dollars',
  field_of_form:
    'must be text, a number, true, false, or a list of texts: a form has no other values',
  field_base64: 'must be the file in base64',
  field_status_list: 'must be like "429,500-503"',
  field_status_ranges:
    'must hold statuses from 100 to 599, and ranges that begin with the smaller one',
  field_currency: 'must be a currency of three letters',
  field_web_address: 'must begin with http:// or https://, or be empty',
  field_feed_address:
    'must begin with https:// (http:// only on this machine) and hold no user name, or be empty',
  field_host: 'must be a host, such as models.example.com or [::1]:4747',
  field_address_range: 'must be an address or a range of addresses, such as 10.0.0.1 or 10.0.0.0/8',
  field_json: 'must be a JSON object in a text',
  field_preset: 'names no known preset',
  field_weight: 'must be 0 or more',
  field_priority: 'must be a number up to a thousand million',
  field_option_value:
    'must be text, a number, a boolean or null; lists and objects are sent as JSON in a text',
} as const

export type FieldProblem = keyof typeof fieldProblems

const codes: ReadonlyMap<string, FieldProblem> = new Map(
  Object.entries(fieldProblems).map(([code, text]) => [text, code as FieldProblem]),
)

/** The code of a problem that a schema names in the words of the table. */
export const problemCode = (text: string): FieldProblem | undefined => codes.get(text)
