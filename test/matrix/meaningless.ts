import type { Leaf } from './leaves.ts'

/** A kind of leaf that may be missing elsewhere without a word, and why. */
interface Meaningless {
  /** Pattern of its path. */
  shape: RegExp
  /** Pattern of its value, if only some values are meaningless. */
  value?: RegExp
  why: string
}

// All that may be left out without a loss. Reviewed: a new entry says why nobody misses it. Content has no place in
// these lists.

const bothWays: readonly Meaningless[] = [
  {
    shape: /(^|\.)(model|stream|modelVersion|created|created_at|completed_at|createTime)$/,
    why: 'the call’s own, told by the gateway',
  },
  {
    shape: /(^|\.)(id|object|responseId|item_id|system_fingerprint|obfuscation)$/,
    why: 'ids and marks of one vendor',
  },
  {
    shape: /(^|\.)(status|sequence_number|index|output_index|content_index|summary_index)$/,
    why: 'order and state of what is there anyway',
  },
  {
    shape: /(^|\.)(type|role)$/,
    why: 'names a shape that each format spells in its own way; its content is a leaf of its own',
  },
  {
    shape: /(^|\.)(mime_?[tT]ype|media_type|input_audio\.format)$/,
    why: 'read from the file’s own bytes',
  },
  {
    shape: /thoughtSignature$|thought_signature$|extra_content\.google\.thought$/,
    why: 'Google’s state on a text or a tool of its own is no condition to go on (messages/answer-block.ts)',
  },
  {
    shape: /(^|\.)additionalProperties$/,
    why: 'both schemas that lack it are closed by themselves',
  },
]

const ofRequests: readonly Meaningless[] = [
  {
    shape: /^prompt_cache_key$/,
    why: 'that it is there marks the prompt for Anthropic’s cache, which has no keys; elsewhere it goes over or is noted',
  },
  { shape: /\.\$schema$/, why: 'names the dialect of a schema, not a rule of it' },
  {
    shape: /stream_options\.include_usage$/,
    why: 'of the answer’s stream, which the gateway makes',
  },
  {
    shape: /(json_schema|text\.format)\.name$/,
    why: 'for OpenAI’s own cache',
  },
  {
    shape: /tools\[[^\]]*\](\.function)?\.strict$/,
    value: /false/,
    why: 'of a tool the default of every other vendor',
  },
  {
    shape: /(parameters|input_schema)\.strict$/,
    why: 'no word of JSON Schema; it means the tool’s own',
  },
  { shape: /function_?[rR]esponse\.(id|name)$/, why: 'finds the call, which has both' },
  { shape: /^messages\[assistant\]\.reasoning$/, why: 'said again by reasoning_details' },
  {
    shape: /^tools\[[a-z:_0-9]+\]\.name$/,
    why: 'the name that a vendor prescribes for a tool of its own',
  },
  { shape: /prompt_cache_breakpoint\.mode$/, why: 'always explicit' },
  { shape: /audio\.voice$/, value: /^$/, why: 'no voice' },
  { shape: /image_url\.detail$/, value: /^auto$/, why: 'the default' },
  { shape: /cache_control\.ttl$/, why: 'the first mark of a request tells of all' },
  {
    shape: /include_?[tT]houghts$|^thinking\.display$|^include_reasoning$|^reasoning\.exclude$/,
    why: 'the gateway shows thoughts or hides them itself',
  },
  { shape: /functionCallingConfig\.mode$/, value: /^AUTO$/, why: 'the default' },
]

const ofAnswers: readonly Meaningless[] = [
  {
    shape: /usage(Metadata)?\./,
    why: 'counts, compared by the figures that they stand for; prices are the vendor’s own',
  },
  {
    shape: /finish_?[rR]eason$|stop_reason$|native_finish_reason$/,
    why: 'each format’s own word, compared by what it means',
  },
  {
    shape: /finishMessage$/,
    value: /Model generated function call/,
    why: 'says that there is a call',
  },
  {
    shape:
      /(delta(\(\w*\))?|message)\.reasoning(_content)?$|\.reasoning_details\[[^\]]*\]\.(format|signature)$/,
    why: 'the same thought twice, and how OpenRouter lists it',
  },
  {
    shape: /\.(service_tier|token_id|p|x_groq\.seed|closed)$/,
    why: 'what the call was charged as, and padding',
  },
  { shape: /function_call\]\.namespace$/, why: 'only a client of this format has namespaces' },
  {
    shape: /url_citation\.title$|\[url_citation\]\.(title|end_index)$/,
    why: 'of one source cited twice, the first title; an end behind the text’s end is its end',
  },
  { shape: /logprobs.*\.(bytes\[\]|tokenId)$/, why: 'says the token again' },
  { shape: /partialArgs\[\]/, why: 'a piece of a stream by itself is no answer' },
  {
    shape:
      /^(billing|conversation|background|instructions|metadata|tools?|text|reasoning|prompt|truncation|user|store|temperature|top_p|top_logprobs|service_tier|moderation)\b/,
    why: 'an answer of Responses says its request again',
  },
  {
    shape:
      /^(frequency_penalty|presence_penalty|max_output_tokens|max_tool_calls|parallel_tool_calls|previous_response_id|prompt_cache_\w+|safety_identifier|tool_choice|total_tokens)\b/,
    why: 'the same',
  },
  // Streams
  { shape: /^events\[(ping|keepalive)\]/, why: 'a sign of life' },
  {
    shape: /^events\[response\.(created|in_progress|queued|completed|incomplete)\]/,
    why: 'says the request again, and the items that came before',
  },
  {
    shape:
      /^events\[response\.[\w.]+\.(done|added)\](?!\.item\((?!message|function_call|custom_tool_call|reasoning))/,
    why: 'says again what the deltas said',
  },
  {
    shape: /^events\[response\.(\w+_call|mcp_list_tools)[\w.]*\]/,
    why: 'progress of an item that comes whole at its end',
  },
  {
    shape: /input_json_delta\)\.partial_json$/,
    why: 'of a tool of the vendor’s own its block tells; of others the call does',
  },
  { shape: /tool_calls\[[^\]]*\]\.function\.arguments$/, value: /^\s*$/, why: 'blank' },
]

/** Is it none that anybody could miss, in a request or in an answer? */
export const isMeaningless = ({ shape, value }: Leaf, isRequest: boolean): boolean =>
  [...bothWays, ...(isRequest ? ofRequests : ofAnswers)].some(
    (one) => one.shape.test(shape) && (one.value?.test(String(value)) ?? true),
  )
