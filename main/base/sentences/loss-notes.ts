/** Why a conversion left something out or put it into other words, by code; values go in the place of their names. */
export const lossNotes = {
  // Fields and settings.
  upstream_without_field: 'this upstream has no such field',
  model_without_field: 'this model takes no such field',
  no_such_tier: 'this upstream has no such tier',
  openai_without_tier: 'OpenAI has no such tier',
  tier_as_auto: 'as auto',
  upstream_takes_no_setting: 'this upstream takes no such setting',
  model_takes_no_setting: 'this model takes no such setting',
  model_has_no_setting: 'this model has no such setting',
  tool_has_no_setting: 'the tool here has no such setting',
  sent_as: 'sent as {{value}}',
  sent_hashed: 'sent as a hash',
  sent_hashed_as: 'sent as {{field}}, hashed',
  no_logit_bias: 'this upstream takes no bias on tokens',
  no_user_name: 'this upstream takes no name of a user',
  no_metadata: 'this upstream keeps no metadata',
  answers_unstored: 'answers are not stored',
  keeps_no_answers: 'this upstream keeps no answers',
  only_with_stored_answers: 'needs stored answers, which this upstream doesn’t have',
  // Sampling, stop sequences and limits.
  model_refuses: 'this model refuses it',
  refused_beside_temperature: 'this model refuses it beside a temperature',
  not_beside_temperature: 'this model does not take it beside temperature',
  model_takes_none: 'this model takes none',
  not_while_thinking: 'it may not be set while the model thinks',
  at_most_here: 'at most {{most}} here',
  model_takes_at_most: 'this model takes {{most}} at most',
  seed_cut: 'is cut to 31 bits',
  no_stop_sequences: 'this model takes no stop sequences',
  empty_stop_sequence: 'an empty sequence stops nothing',
  blank_stop_sequences: 'blank sequences are refused',
  only_first: 'only the first {{count}} are taken',
  output_at_most: 'this model gives {{most}} tokens at most',
  writes_at_most: 'this model writes at most {{most}} tokens',
  no_limit_below: 'this upstream takes no limit below {{least}}',
  // Reasoning.
  budget_sent: 'the budget is sent, not the effort',
  effort_sent: 'the effort is sent, not the budget',
  effort_of_off: 'reasoning is off: its effort is left out',
  model_decides_thinking: 'the model decides when it thinks',
  model_thinks_not: 'this model does not think',
  no_effort: 'this model takes no reasoning effort',
  no_effort_beside_tools: 'beside tools this model takes no reasoning effort',
  only_none_beside_tools: 'beside tools this model takes no effort but none',
  no_word_of_thinking: 'this model is not told how much to think',
  thinking_lowest_level: 'thoughts cannot be turned off: the lowest level',
  thinking_smallest_budget: 'thoughts cannot be turned off: the smallest budget',
  budget_as_level: 'a budget becomes the level {{level}}',
  nearest_level: 'the nearest level is {{level}}',
  budget_within_limits: 'the budget was put within its limits',
  thinking_off: 'thinking is off for this call',
  thinking_between_tools: 'this model can only be kept from thinking between tools',
  always_thinks: 'this model always thinks: the least effort',
  as_effort: 'goes as effort {{effort}}',
  as_own_effort: 'sent as the model’s own effort',
  few_tokens_to_think: 'this model gives too few tokens to think',
  raised_by_thoughts: 'raised by the tokens for thoughts, which count here',
  other_model_state: 'reasoning state of another model',
  other_vendor_state: 'the reasoning state of another vendor',
  without_other_reasoning: 'goes without the reasoning state of another vendor',
  other_vendor_thoughts: 'thoughts of another vendor’s model',
  earlier_thoughts: 'thoughts of earlier turns, which this model does not read',
  unreadable_thoughts: 'thoughts that this vendor cannot read',
  unsigned_thoughts: 'thoughts without this vendor’s signature are refused',
  thoughts_of_nothing: 'thoughts without what they led to are refused',
  unknown_thoughts: 'the thoughts behind this call are not known',
  // Tools and their choice.
  no_such_tool: 'this upstream has no such tool',
  only_functions: 'this upstream knows only functions',
  function_instead: 'this upstream is given a plain function in its place',
  upstream_gets_no_tools: 'this upstream gets no tools to call',
  only_allowed_tools: 'only the allowed tools are sent',
  all_tools_allowed: 'all tools stay allowed',
  calls_unforced: 'this model cannot be forced to call a tool',
  calls_may: 'this model cannot be made to call: it may',
  unforced_while_thinking:
    'a call cannot be forced on this model while it thinks: it is free to choose',
  google_tools_unforced: 'Google’s own tools cannot be forced',
  google_tools_left_out: 'Google’s own tools cannot be held back: they are left out',
  no_google_tool_beside: 'this model takes no tool of Google’s beside functions',
  searches_always: 'this model searches whenever it may',
  search_left_out: 'the search of this model is not held back: it is left out',
  search_unforced: 'the search of this model is not forced',
  as_search_options: 'sent as web_search_options',
  several_calls: 'an answer may hold several calls',
  all_or_none_strict: 'all functions are held to their schemas, or none',
  no_strict_calls: 'this model holds no call to its schema',
  no_strict_tools: 'this model takes no strict tools',
  free_text_as_argument: 'its free text becomes the argument of a function',
  known_as: 'the model knows it as {{name}}',
  tool_named_twice: 'another tool of this name is listed before it',
  function_named_so: 'a function of the same name is there',
  tools_described_first: 'what it says of its tools is told with the first of them',
  tools_from_beginning: 'its tools are offered from the beginning on',
  // Calls of tools and their results.
  arguments_as_raw: 'arguments that are no object go as `_raw`',
  arguments_in_raw: 'its arguments are no JSON object: sent as {"_raw": …}',
  arguments_no_object: 'arguments that are no JSON object',
  error_before_text: 'that it failed is told by “Error: ” before its text',
  error_in_text: 'that it is an error is said in its text',
  files_in_user_message: 'its files are sent in a message of the user',
  result_without_equal: 'has no equal in a functionResponse',
  behind_results_of_turn: 'goes behind the results of the turn',
  behind_results: 'stands in a message behind the results',
  moved_behind_results: 'moved behind the results',
  moved_behind_call: 'was moved up behind its call',
  result_missing: 'has no result: one that says so was put in',
  result_twice: 'the same result stands before it',
  result_of_no_call: 'belongs to no call: sent as text of the user',
  result_of_assistant: 'a result of a tool inside the assistant’s turn',
  other_vendors_tool: 'what another vendor’s own tool did',
  other_vendors_tool_in_text: 'what another vendor’s tool did shows only in the answer’s text',
  // Schemas and answers in JSON.
  schema_always_held: 'this upstream enforces the schema on every answer',
  schema_told: 'its schema is only told, not enforced: {{changes}}',
  broken_reference: 'a reference that leads nowhere',
  recursion: 'recursion',
  items_in_order: 'items in this order',
  type_of_values: 'the type of values',
  values_of_any_type: 'values of any type',
  required_keys: 'required keys',
  schema_partly_told: 'some rules of the schema are only told to the model, not enforced',
  schema_not_held: 'this model is not held to the schema',
  schema_not_strict: 'its schema does not fit strict mode',
  schema_guides: 'the schema does not fit strict mode, so it only guides',
  schema_in_words: 'this model takes no schema: it is asked for in words',
  schema_as_tool: 'the answer’s schema goes as a tool that has to be called',
  output_in_words: 'the model is asked for it in words',
  output_in_words_too: 'asked for in words, too',
  output_in_system: 'is asked for in the system prompt',
  // Turns and content.
  user_word_first: 'a message of the user was added first',
  continue_first: 'a turn “Continue.” of the user was put first',
  wish_to_go_on: 'a request to continue was added after it',
  begun_answer: 'a begun answer is asked to be continued',
  continue_own_words: 'the model is asked to go on from its own words',
  system_as_user: 'system text inside the conversation goes as the user’s',
  later_system_as_user: 'a later system text is sent as the user’s',
  reminder_in_turn: 'goes as a reminder in the user’s turn',
  reminder_in_words: 'goes on as a reminder in the user’s words',
  only_text_in_system: 'only text may stand in a system prompt',
  system_text_only: 'a system prompt holds text only',
  moved_to_user_turn: 'moved to the next user turn',
  in_user_message: 'is sent in a message of the user',
  not_in_user_message: 'has no place in a message of the user',
  only_in_assistant: 'can stand only in a turn of the assistant',
  as_users: 'goes on as the user’s, since an answer holds no files here',
  white_space_at_end: 'white space at the end is refused',
  refusal_as_text: 'a refusal goes as text',
  as_text: 'goes on as text',
  kind_as_text: '{{kind}} goes as text',
  claude_code_note: 'Claude Code’s note for its own vendor',
  note_to_other_vendor: 'a note to another vendor',
  other_vendors_item: 'another vendor’s own item',
  other_vendors_piece: 'another vendor’s own piece of an answer',
  nothing_to_vendor: 'means nothing to another vendor',
  nothing_to_model: 'says nothing to this model',
  no_equal: 'has no equal at this upstream',
  nothing_like_it: 'this upstream has nothing like it',
  no_field_here: 'has no field here',
  // Files, pictures and citations.
  detail_as_high: 'its detail is sent as high',
  detail_of_upstream: 'this upstream chooses the detail itself',
  detail_of_all: 'is said for all media at once',
  detail_of_others: 'others ask for more',
  detail_of_model: 'its resolution is left to the model',
  no_field_beside_address: 'has no field beside an address',
  title_as_text: 'title and context go as text before it',
  citations_text_stays: 'citations: the text stays',
  without_citations: 'is sent without citations',
  cites_no_documents: 'this upstream cites no documents',
  cites_own_way: 'the model cites it in its own way or not',
  only_text_back: 'only the text goes back',
  other_vendors_sources: 'they point at another vendor’s sources',
  // Prompt caches.
  google_caches: 'Google caches by itself',
  caches_by_itself: 'its cache mark is left out: this upstream caches by itself',
  no_marks_needed: 'marks for the cache: this upstream needs none',
  marks_at_most: 'marks for the cache: at most {{most}} are taken',
  marks_last: 'only the last {{count}} cache marks are taken',
  marks_other_times: 'marks for the cache: other times to keep',
  mark_of_other_time: 'its cache mark of {{before}} becomes one of {{after}}',
  mark_of_an_hour: 'this upstream caches for an hour at most',
  no_mark_on_tools: 'tools carry no cache mark here',
  no_cache_key: 'this upstream caches nothing by a key',
  shorter_prefix_used:
    'the cache of a shorter prefix is used; a new one pays off at twice its length',
  cached_to_earlier_turn:
    'cached up to an earlier turn: a cache at Google must end with text of the user',
  nothing_before_mark: 'no whole part before this mark can be cached apart from the call itself',
  no_part_cacheable: 'no part of this prompt can be cached',
  contents_overridden: 'param_override sets contents',
  cache_gone: 'the cache was gone at Google: the whole prompt was sent',
  cache_refused_at_first: 'Google refused this prompt’s cache at its first use',
  prompt_below_minimum:
    "the marked prompt has ≈ {{tokens}} tokens, fewer than this model's minimum of {{least}}",
  no_cache_made: 'no cache could be made: {{why}}',
  google_answered: 'Google answered {{status}}: {{said}}',
  google_unreached: '{{said}}',
  // Answers.
  client_without_field: 'the client’s format has no such field',
  client_without_place: 'the client’s format has no place for it',
  client_has_one_answer: 'the client’s format has room for one answer',
  client_cites_addresses: 'the client’s format points at web addresses alone',
  answer_without_text: 'the answer has no text to which they could belong',
  told_in_words: 'described in text',
  told_in_clients_words: 'told in the client’s own words',
  ran_at_vendor: 'ran at the vendor; the text and its sources tell of it',
  as_image_alone: 'goes on as an image alone',
  vendors_fields_left_out: 'the vendor’s own fields stay out',
  sources_go_over: 'only its sources are kept',
  usage_estimated: 'the upstream sent no usage: it is estimated',
  usage_untold: 'this upstream tells no usage: estimated',
  // Embeddings and rankings.
  no_such_task: 'this upstream has no such task',
  no_titles: 'this upstream reads no titles',
  no_kinds_of_embeddings: 'this upstream has no kinds of embeddings',
  taken_as_document: 'taken to be search_document',
  becomes: 'becomes {{value}}',
  parts_become_lines: 'its parts become the lines of one text',
  fields_become_lines: 'the fields become the lines of one text',
  vectors_not_normal:
    'vectors below {{dimensions}} are not of length 1: normalise before a dot product',
  // Pictures, speech and transcripts.
  picture_in_address: 'is a data: URL that holds the picture itself',
  nothing_before_whole: 'this model shows nothing before the picture is whole',
  words_beside_picture: 'what the model said beside the picture has no field in the answer',
  picture_type: 'is {{type}}: this model does not let it be chosen',
  fewer_pictures: 'only {{made}} of {{asked}} pictures were made',
  becomes_shape: 'becomes the shape {{shape}} in {{size}}',
  spoken_by: '{{name}} is spoken by {{voice}}',
  spoken_by_nearest: 'is spoken by {{voice}}, which comes nearest',
  manner_before_text: 'stand before the text for this model',
  manner_of_all: 'what is said of its parts’ manner is said for all together',
  audio_alone: 'this upstream gives AUDIO alone',
  told_model_in_words: 'is told to the model in words',
  stream_of_json: 'a stream has events of JSON',
  only_the_text: 'this model tells nothing beside the text',
} as const

type Texts = typeof lossNotes

type SlotsIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | SlotsIn<Rest>
  : never

/** A note within a note. */
export type LossPart = string | { code: keyof Texts }
type Value = number | LossPart | readonly LossPart[]

/** The codes of all notes, with the values in them. */
export type LossSentences = {
  [Code in keyof Texts]: [SlotsIn<Texts[Code]>] extends [never]
    ? unknown
    : Record<SlotsIn<Texts[Code]>, Value>
}

/** A note by its code, with its values where it has some. */
export type LossNote = {
  [Code in keyof Texts]: unknown extends LossSentences[Code]
    ? Code
    : { code: Code } & LossSentences[Code]
}[keyof Texts]

/** A note as it is kept: its code is what the console reads. */
export type LossReason = { code: keyof Texts } & Readonly<Record<string, Value>>

const textOf = (value: Value | undefined): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? lossText(value as LossReason) : String(value)
}

export const lossReason = (note: LossNote): LossReason =>
  (typeof note === 'string' ? { code: note } : note) as LossReason

/** In English. */
export const lossText = (note: LossNote | LossReason): string =>
  typeof note === 'string'
    ? lossNotes[note]
    : lossNotes[note.code].replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
        textOf((note as LossReason)[name]),
      )
