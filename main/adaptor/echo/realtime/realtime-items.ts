import { randomText } from '../../../base/ids.ts'
import { asArray, asObject, asText, type Json } from '../json-access.ts'
import { spokenText } from '../reply/part-text.ts'

/** Bytes of a second of sound: 16 bits, 24 000 times. */
export const BYTES_A_SECOND = 48_000
/** Tokens for a second of heard sound: https://platform.openai.com/docs/guides/realtime-costs */
const TOKENS_A_SECOND = 10

export const audioTokens = (bytes: number): number =>
  Math.ceil((bytes / BYTES_A_SECOND) * TOKENS_A_SECOND)

/** An item of the conversation as it came or was said. */
export interface RealtimeItem {
  wire: Json
  /** Bytes of sound in it. */
  soundBytes: number
}

/** The size of what base64 stands for, in bytes. */
export const sizeOf = (base64: unknown): number => Math.floor((asText(base64).length * 3) / 4)

/** An item of the client's with an id and a status. */
export function itemOf(sent: Json): RealtimeItem {
  const parts = asArray(sent.content).map(asObject)
  const soundBytes = parts.reduce((sum, { audio }) => sum + sizeOf(audio), 0)
  // The heard text is not repeated in full.
  const content = parts.map(({ audio: _audio, ...part }) => part)
  return {
    wire: {
      id: `item_${randomText(21)}`,
      ...sent,
      status: 'completed',
      ...('content' in sent ? { content } : {}),
    },
    soundBytes,
  }
}

/** The last text, and whether the conversation ends with a tool's result. */
export function lastSaid(items: readonly RealtimeItem[]): {
  text: string
  toolResult: string | null
} {
  const last = items.at(-1)?.wire
  const lastMessage = items.findLast(({ wire }) => wire.role === 'user')
  return {
    text: spokenText(lastMessage?.wire.content),
    toolResult: last?.type === 'function_call_output' ? asText(last.output) : null,
  }
}
