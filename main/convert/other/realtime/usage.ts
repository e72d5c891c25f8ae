import type { Usage, UsageDetail } from '../../exchange.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'

/** Usage of the transcription of the user's speech: sold apart, at another model's price. */
export interface TranscriptionUsage {
  /** Pieces of speech. */
  count: number
  /** Where the vendor bills tokens. */
  inputTokens: number
  inputAudioTokens: number
  outputTokens: number
  /** Where it bills the sound's length. */
  seconds: number
}

/** A response that begins, and the usage in a session's event. */
export type RealtimeFact =
  | { type: 'response-begun'; id: string }
  | { type: 'response'; id: string | null; usage: Usage | null }
  | { type: 'transcription'; usage: TranscriptionUsage }
  | { type: 'session'; transcribesOnly: boolean; transcribers: readonly string[] }

/** One of these stands in every event that tells such a fact. */
const NEEDLES = [
  '"response.created"',
  '"response.done"',
  'input_audio_transcription.completed"',
  '"session.created"',
  '"session.updated"',
  '"transcription_session.created"',
  '"transcription_session.updated"',
].map((needle) => Buffer.from(needle))

/** The counts of these names that are above zero. */
function detailOf(counts: Partial<Record<keyof UsageDetail, unknown>>): UsageDetail {
  const detail: Record<string, number> = {}
  for (const [name, value] of Object.entries(counts)) {
    const count = asCount(value) ?? 0
    if (count > 0) detail[name] = count
  }
  return detail
}

const withDetail = (usage: Omit<Usage, 'detail'>, detail: UsageDetail): Usage =>
  Object.keys(detail).length > 0 ? { ...usage, detail } : usage

/**
 * Usage of one response of a session, a cancelled one too
 * (https://platform.openai.com/docs/api-reference/realtime-server-events/response/done). Input counts the
 * cached part, and both count sound and pictures as tokens.
 */
function readResponse(response: unknown): Usage | null {
  const usage = asObject(asObject(response)?.usage)
  if (!usage) return null
  const input = asObject(usage.input_token_details)
  const cached = asObject(input?.cached_tokens_details)
  const output = asObject(usage.output_token_details)
  return withDetail(
    {
      input: asCount(usage.input_tokens) ?? 0,
      cachedInput: asCount(input?.cached_tokens) ?? 0,
      cacheWrite: 0,
      output: asCount(usage.output_tokens) ?? 0,
      reasoning: 0,
    },
    detailOf({
      inputAudio: input?.audio_tokens,
      inputImage: input?.image_tokens,
      cachedAudio: cached?.audio_tokens,
      cachedImage: cached?.image_tokens,
      outputAudio: output?.audio_tokens,
    }),
  )
}

/** `{type: "tokens", …}` or `{type: "duration", seconds}`. */
function readTranscription(value: unknown): TranscriptionUsage {
  const usage = asObject(value)
  return {
    count: 1,
    inputTokens: asCount(usage?.input_tokens) ?? 0,
    inputAudioTokens: asCount(asObject(usage?.input_token_details)?.audio_tokens) ?? 0,
    outputTokens: asCount(usage?.output_tokens) ?? 0,
    seconds: asCount(usage?.seconds) ?? 0,
  }
}

function parse(message: Buffer): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(message.toString('utf8')))
  } catch {
    return undefined
  }
}

const idOf = (response: unknown): string | null => asString(asObject(response)?.id) || null

/** Models by which the upstream says that it transcribes. */
function transcribersOf(session: unknown): string[] {
  const { audio, input_audio_transcription: old } = asObject(session) ?? {}
  const places = [asObject(asObject(audio)?.input)?.transcription, old]
  return places.flatMap((place) => asString(asObject(place)?.model) ?? [])
}

/** The event in an upstream's message; null for messages that only pass, which are not parsed. */
export function readRealtimeFact(message: Buffer): RealtimeFact | null {
  if (!NEEDLES.some((needle) => message.includes(needle))) return null
  const event = parse(message)
  switch (event?.type) {
    case 'response.created': {
      const id = idOf(event.response)
      return id === null ? null : { type: 'response-begun', id }
    }
    case 'response.done':
      return { type: 'response', id: idOf(event.response), usage: readResponse(event.response) }
    case 'conversation.item.input_audio_transcription.completed':
      return { type: 'transcription', usage: readTranscription(event.usage) }
    case 'session.created':
    case 'session.updated':
      return {
        type: 'session',
        transcribesOnly: asObject(event.session)?.type === 'transcription',
        transcribers: transcribersOf(event.session),
      }
    case 'transcription_session.created':
    case 'transcription_session.updated':
      return {
        type: 'session',
        transcribesOnly: true,
        transcribers: transcribersOf(event.session),
      }
    default:
      return null
  }
}

export const addTranscription = (
  one: TranscriptionUsage | null,
  other: TranscriptionUsage,
): TranscriptionUsage => ({
  count: (one?.count ?? 0) + other.count,
  inputTokens: (one?.inputTokens ?? 0) + other.inputTokens,
  inputAudioTokens: (one?.inputAudioTokens ?? 0) + other.inputAudioTokens,
  outputTokens: (one?.outputTokens ?? 0) + other.outputTokens,
  seconds: (one?.seconds ?? 0) + other.seconds,
})

/** What was transcribed beside a session's responses, in the names of the log. */
export const transcriptionNote = (usage: TranscriptionUsage): Record<string, number> => ({
  count: usage.count,
  input_tokens: usage.inputTokens,
  input_audio_tokens: usage.inputAudioTokens,
  output_tokens: usage.outputTokens,
  seconds: usage.seconds,
})

/** A transcription's usage as that of a call. */
export function usageOfTranscription(usage: TranscriptionUsage): Usage {
  return withDetail(
    {
      input: usage.inputTokens,
      cachedInput: 0,
      cacheWrite: 0,
      output: usage.outputTokens,
      reasoning: 0,
    },
    detailOf({ inputAudio: usage.inputAudioTokens, seconds: usage.seconds }),
  )
}
