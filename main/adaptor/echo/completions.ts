import { unixSeconds } from '../../base/clock.ts'
import { estimateTokens } from '../../base/estimate-tokens.ts'
import { randomText } from '../../base/ids.ts'
import type { LocalRequest } from '../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  eventsAnswer,
  jsonAnswer,
  openaiRefusal,
  refuse,
} from './echo-endpoint.ts'
import { asLimit, asObject, asTexts, type Json } from './json-access.ts'
import { isTokens, readCount } from './read-field.ts'
import { type EchoReply, replyTo } from './reply/echo-reply.ts'
import { pieces } from './reply/pieces.ts'

/** The endpoint's own: https://platform.openai.com/docs/api-reference/completions/create */
const DEFAULT_MAX_TOKENS = 16
const MOST_ANSWERS = 128
/** Characters of the prompts that come back before the answers, where `echo` asks for them. */
const MOST_ECHOED = 16 * 1024 * 1024

interface Prompt {
  text: string
  tokens: number
}

function promptOf(value: unknown): Prompt {
  if (isTokens(value)) return { text: `(${value.length} tokens)`, tokens: value.length }
  if (typeof value !== 'string') refuse('prompt', 'must be a string, a list of them, or tokens')
  return { text: value, tokens: estimateTokens(value) }
}

function readPrompts({ prompt }: Json): Prompt[] {
  if (!Array.isArray(prompt) || isTokens(prompt)) return [promptOf(prompt ?? '')]
  if (prompt.length === 0) refuse('prompt', 'must not be empty')
  return prompt.map(promptOf)
}

const replyToPrompt = ({ text, tokens }: Prompt, body: Json): EchoReply =>
  replyTo({
    text,
    toolResult: null,
    tools: [],
    toolChoice: 'none',
    maxTokens: asLimit(body.max_tokens) ?? DEFAULT_MAX_TOKENS,
    stop: asTexts(body.stop),
    thinking: false,
    json: null,
    inputTokens: tokens,
  })

interface Answered {
  /** Text before the reply: the prompt, where `echo` asks for it. */
  before: string
  reply: EchoReply
}

const finishOf = ({ reply }: Answered): string => (reply.finish === 'length' ? 'length' : 'stop')

const choiceOf = (index: number, text: string, finish_reason: string | null): Json => ({
  text,
  index,
  logprobs: null,
  finish_reason,
})

function usageOf(prompts: readonly Prompt[], answered: readonly Answered[]): Json {
  const input = prompts.reduce((sum, { tokens }) => sum + tokens, 0)
  const output = answered.reduce((sum, { reply }) => sum + reply.usage.output, 0)
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function* chunks(frame: Json, answered: readonly Answered[], usage: Json | null): Iterable<string> {
  const chunk = (choices: Json[], reported: Json | null): string =>
    `data: ${JSON.stringify({ ...frame, choices, ...(usage ? { usage: reported } : {}) })}\n\n`
  for (const [index, one] of answered.entries()) {
    for (const text of pieces(one.before + one.reply.text)) {
      yield chunk([choiceOf(index, text, null)], null)
    }
    yield chunk([choiceOf(index, '', finishOf(one))], null)
  }
  if (usage) yield chunk([], usage)
  yield 'data: [DONE]\n\n'
}

/** A few bytes of a request must not ask for more than fits into memory. */
function checkSize(prompts: readonly Prompt[], count: number, isEchoed: boolean): void {
  const echoed = prompts.reduce((sum, { text }) => sum + text.length, 0) * count
  if (isEchoed && echoed > MOST_ECHOED) {
    refuse('echo', `would repeat ${echoed} characters of prompts; at most ${MOST_ECHOED}`)
  }
}

function answer({ body, model, stream }: LocalRequest): EchoAnswer {
  const count = readCount(body, 'n', [1, MOST_ANSWERS]) ?? 1
  if (Array.isArray(body.prompt) && !isTokens(body.prompt)) {
    const most = Math.floor(MOST_ANSWERS / count)
    if (body.prompt.length > most) {
      refuse('prompt', `must hold at most ${most} prompts, each of them with ${count} answers`)
    }
  }
  const prompts = readPrompts(body)
  checkSize(prompts, count, body.echo === true)
  if (typeof body.logprobs === 'number') refuse('logprobs', 'Echo has none: leave it out')
  if (body.suffix) refuse('suffix', 'Echo does not fill in a middle: leave it out')
  const answered = prompts.flatMap((prompt): Answered[] => {
    const before = body.echo === true ? prompt.text : ''
    return Array.from({ length: count }, () => ({ before, reply: replyToPrompt(prompt, body) }))
  })
  const frame = {
    id: `cmpl-${randomText(29)}`,
    object: 'text_completion',
    created: unixSeconds(),
    model,
  }
  const usage = usageOf(prompts, answered)
  if (stream) {
    const asksUsage = asObject(body.stream_options).include_usage === true
    return eventsAnswer(chunks(frame, answered, asksUsage ? usage : null))
  }
  const choices = answered.map((one, index) =>
    choiceOf(index, one.before + one.reply.text, finishOf(one)),
  )
  return jsonAnswer({ ...frame, choices, usage })
}

/** Echo in OpenAI's legacy completions: https://platform.openai.com/docs/api-reference/completions */
export const completions: EchoEndpoint = { answer, refuse: openaiRefusal }
