import { estimateTokens } from '../../base/estimate-tokens.ts'
import type {
  ExchangeRequest,
  MediaPart,
  Part,
  ReasoningPart,
  ToolDefinition,
  ToolResultPart,
} from '../exchange.ts'

/** Role, separators and the like around each turn, part, call and tool. */
const TURN_TOKENS = 5
const PART_TOKENS = 2
const CALL_TOKENS = 28
const TOOL_TOKENS = 16
/**
 * Tokens of a vendor's own instructions about tools. Clients of Anthropic's format count against Claude, whose
 * prompt for tools has up to about 600 tokens, whatever model answers in its place.
 */
const TOOL_PROMPT_TOKENS = { messages: 600, other: 60 }
/** A tool of the vendor's own brings its own instructions. */
const HOSTED_TOOL_TOKENS = 300
/** Claude counts some tens for any request; more than others do, but too low a count does the harm. */
const REQUEST_TOKENS = 45

/** A picture of ordinary size at Anthropic (1.15 megapixels), the dearest of the vendors. */
const IMAGE_TOKENS = 1600
const SMALL_IMAGE_TOKENS = 300
/** A PDF's page as text and picture, at about 50 kB. */
const PAGE_TOKENS = 2500
const PAGE_BYTES = 50_000
const LEAST_DOCUMENT_TOKENS = 1500
/** Assumed size of a document elsewhere: two pages. */
const FAR_DOCUMENT_TOKENS = 5000
/** Gemini's figures for a second of sound or film; others ask for less. */
const AUDIO_TOKENS_A_SECOND = 32
const VIDEO_TOKENS_A_SECOND = 300
const FAR_VIDEO_TOKENS = 20_000
/** Bytes of a second: of plain samples at 16 kHz, of a compressed voice, of compressed film. */
const SAMPLED_BYTES = 32_000
const VOICE_BYTES = 8_000
const FILM_BYTES = 125_000

/** Encrypted text: base64 of about as many bytes as the text has, at four bytes a token. */
const opaqueTokens = (length: number) => Math.ceil(length / 5)
const isOpaque = (text: string) => text.length > 512 && !/[\s,;:]/.test(text.slice(0, 256))

/** A JSON value of any depth as a model would read it: names, values and the signs around them. */
function estimateValue(value: unknown): number {
  let tokens = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') {
      tokens += 1 + (isOpaque(next) ? opaqueTokens(next.length) : estimateTokens(next))
    } else if (Array.isArray(next)) {
      tokens += 1
      for (const item of next) waiting.push(item)
    } else if (typeof next === 'object' && next !== null) {
      tokens += 1
      for (const [name, item] of Object.entries(next)) {
        tokens += estimateTokens(name) + 2
        waiting.push(item)
      }
    } else {
      tokens += 2
    }
  }
  return tokens
}

/** About how many tokens a model reads of a file of so many bytes. */
export function estimateBytes(
  { kind, detail }: Pick<MediaPart, 'kind' | 'detail'>,
  mediaType: string,
  bytes: number,
): number {
  if (kind === 'image') return detail === 'low' ? SMALL_IMAGE_TOKENS : IMAGE_TOKENS
  if (kind === 'audio') {
    const rate = /wav|pcm|l16/i.test(mediaType) ? SAMPLED_BYTES : VOICE_BYTES
    return Math.ceil((bytes / rate) * AUDIO_TOKENS_A_SECOND)
  }
  if (kind === 'video') return Math.ceil((bytes / FILM_BYTES) * VIDEO_TOKENS_A_SECOND)
  if (/^text\/|json|xml|csv/i.test(mediaType)) return Math.ceil(bytes / 3)
  return Math.max(LEAST_DOCUMENT_TOKENS, Math.ceil((bytes / PAGE_BYTES) * PAGE_TOKENS))
}

/** By its size alone: base64 is never walked. */
function estimateMedia(part: MediaPart): number {
  const { source, kind } = part
  if (source.type === 'text') return estimateTokens(source.text)
  if (source.type === 'base64') {
    return estimateBytes(part, source.mediaType, (source.data.length * 3) / 4)
  }
  if (kind === 'image') return estimateBytes(part, 'image/*', 0)
  return kind === 'video' ? FAR_VIDEO_TOKENS : FAR_DOCUMENT_TOKENS
}

function estimateReasoning({ sections, state }: ReasoningPart): number {
  const tokens = sections.reduce((sum, section) => sum + estimateTokens(section), 0)
  // A signature beside its text says nothing more; one without text stands for it.
  return tokens > 0 || !state ? tokens : opaqueTokens(state.data.length)
}

function estimateResult({ parts }: ToolResultPart): number {
  return CALL_TOKENS + parts.reduce((sum, part) => sum + estimatePart(part), 0)
}

function estimatePart(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return PART_TOKENS + estimateTokens(part.text)
    case 'media': {
      const about = [part.filename, part.title, part.context].filter((text) => text !== undefined)
      return PART_TOKENS + estimateMedia(part) + estimateTokens(about.join(' '))
    }
    case 'reasoning':
      return PART_TOKENS + estimateReasoning(part)
    case 'call':
      return CALL_TOKENS + estimateTokens(part.name) + estimateTokens(part.arguments)
    case 'result':
      return estimateResult(part)
    case 'hosted':
      // The picture that came out is what is read again, not its bytes.
      return part.tool === 'image-generation' ? IMAGE_TOKENS : estimateValue(part.value)
    case 'native':
      return estimateValue(part.value)
  }
}

function estimateTool(tool: ToolDefinition): number {
  if (tool.type === 'hosted') return HOSTED_TOOL_TOKENS + estimateValue(tool.value)
  const words = TOOL_TOKENS + estimateTokens(tool.name) + estimateTokens(tool.description ?? '')
  if (tool.type === 'function') return words + estimateValue(tool.schema)
  return words + estimateTokens(tool.grammar?.definition ?? '')
}

/**
 * About how many tokens a model would read of a request, with its system prompt, tools, calls, pictures and
 * documents; never 0. Rather too high than too low: clients begin to shorten a conversation by such counts,
 * and one that is too low ends in a refusal.
 */
export function estimateInput({ origin, turns, tools, output }: ExchangeRequest): number {
  let tokens = REQUEST_TOKENS
  for (const { parts } of turns) {
    tokens += TURN_TOKENS
    for (const part of parts) tokens += estimatePart(part)
  }
  if (tools.length > 0) {
    tokens += TOOL_PROMPT_TOKENS[origin === 'messages' ? 'messages' : 'other']
  }
  for (const tool of tools) tokens += estimateTool(tool)
  if (output?.type === 'schema') tokens += estimateValue(output.schema)
  return tokens
}
