import { unixSeconds } from '../../base/clock.ts'
import { estimateTokens } from '../../base/estimate-tokens.ts'
import { randomText } from '../../base/ids.ts'
import type { LocalRequest } from '../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  jsonAnswer,
  openaiRefusal,
  refuse,
} from './echo-endpoint.ts'
import { asArray, asObject, type Json } from './json-access.ts'
import { readResponses } from './read-responses.ts'
import { spokenText } from './reply/part-text.ts'

const userMessage = (text: string): Json => ({
  id: `msg_${randomText(48)}`,
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

/** Texts of everybody but the user. */
const rest = (items: readonly Json[]): string =>
  items
    .filter(({ role }) => role !== 'user')
    .map(({ content }) => spokenText(content))
    .filter((text) => text !== '')
    .join('\n')

function answer({ body }: LocalRequest): EchoAnswer {
  const turn = readResponses(body)
  if (typeof turn === 'string') {
    refuse(turn, 'must be the whole conversation, as Echo keeps none: a string or a list of items')
  }
  const { input } = body
  const items = typeof input === 'string' ? [] : asArray(input).map(asObject)
  const texts = items
    .filter(({ role }) => role === 'user')
    .map(({ content }) => spokenText(content))
  const summary = `Echo: ${items.length} items, of which the user said ${texts.length}. ${rest(items)}`
  // Sealed by no key: it only has to look like what OpenAI sends.
  const encrypted_content = Buffer.from(summary).toString('base64')
  const output = estimateTokens(summary)
  return jsonAnswer({
    id: `resp_${randomText(48)}`,
    object: 'response.compaction',
    created_at: unixSeconds(),
    output: [
      ...(typeof input === 'string' ? [input] : texts).map(userMessage),
      { id: `cmp_${randomText(48)}`, type: 'compaction', encrypted_content },
    ],
    usage: {
      input_tokens: turn.inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: turn.inputTokens + output,
    },
  })
}

/** Echo's compaction: https://platform.openai.com/docs/api-reference/responses/compact */
export const compact: EchoEndpoint = { answer, refuse: openaiRefusal }
