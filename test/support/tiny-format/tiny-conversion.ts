import type { Conversion, StreamDecoder, StreamEncoder } from '../../../main/convert/conversion.ts'
import type { Turn, Usage, WireFormat } from '../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../main/convert/exchange-response.ts'
import { asArray, asCount, asObject, asString } from '../../../main/convert/json/json-value.ts'
import { collectStream } from '../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../main/convert/stream/stream-part.ts'

/** A fifth format, which main does not know. */
export const TINY = 'tiny' as WireFormat

export function readTinyUsage(value: unknown): Usage | null {
  const used = asObject(value)
  if (!used) return null
  const [input, output] = [asCount(used.in) ?? 0, asCount(used.out) ?? 0]
  return { input, output, cachedInput: 0, cacheWrite: 0, reasoning: 0 }
}

const tinyUsage = (usage: Usage | null) => ({ in: usage?.input ?? 0, out: usage?.output ?? 0 })

const textOf = ({ parts }: Pick<Turn, 'parts'>): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function createDecoder(): StreamDecoder {
  let hasBegun = false
  return {
    push({ data }) {
      const event = asObject(JSON.parse(data)) ?? {}
      const parts: StreamPart[] = []
      if (!hasBegun) {
        const model = asString(event.model) ?? ''
        parts.push({ type: 'response-start', id: 'tiny', model, created: null })
        parts.push({ type: 'text-start', block: 0, choice: 0 })
      }
      hasBegun = true
      const text = asString(event.text)
      if (text) parts.push({ type: 'text-delta', block: 0, text })
      const usage = readTinyUsage(event.used)
      if (!usage) return parts
      return [
        ...parts,
        { type: 'text-end', block: 0 },
        { type: 'stop', choice: 0, stop: { reason: 'end' } },
        { type: 'usage', usage },
        { type: 'response-end' },
      ]
    },
    end: () => [],
  }
}

function createEncoder(): StreamEncoder {
  let usage: Usage | null = null
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
  return {
    push(part) {
      if (part.type === 'usage') usage = part.usage
      if (part.type === 'text-delta') return event({ text: part.text })
      return part.type === 'response-end' ? event({ used: tinyUsage(usage) }) : ''
    },
  }
}

/** `{model, say: [{by, text}], most}` is answered with `{model, text, used: {in, out}}`. */
export const tinyConversion: Conversion = {
  format: TINY,
  fieldNames: { turns: 'say', maxOutput: 'most' },
  decodeRequest: (body) => ({
    origin: TINY,
    model: asString(body.model) ?? '',
    stream: body.stream === true,
    turns: asArray(body.say).map((one) => {
      const { by, text } = asObject(one) ?? {}
      return {
        role: by === 'model' ? 'assistant' : 'user',
        parts: [{ type: 'text', text: asString(text) ?? '' }],
      }
    }),
    tools: [],
    ...(body.most === undefined ? {} : { maxOutput: Number(body.most) }),
  }),
  encodeRequest: ({ turns, stream, maxOutput }, { model }) => ({
    model,
    say: turns.map((turn) => ({
      by: turn.role === 'assistant' ? 'model' : 'user',
      text: textOf(turn),
    })),
    ...(maxOutput === undefined ? {} : { most: maxOutput }),
    ...(stream ? { stream } : {}),
  }),
  decodeResponse(body): ExchangeResponse {
    const { model, text, used } = asObject(body) ?? {}
    const collected = collectStream()
    const data = JSON.stringify({ model, text, used: used ?? {} })
    for (const part of createDecoder().push({ event: null, data })) collected.push(part)
    return collected.response()
  },
  encodeResponse: ({ choices: [choice], usage }, { model }) => ({
    model,
    text: choice ? textOf(choice) : '',
    used: tinyUsage(usage),
  }),
  answerPlaces: {
    choices: false,
    hosted: () => false,
    media: () => null,
    citation: () => false,
    emptyTexts: false,
    logprobs: false,
    reasoning: false,
    stopSequence: false,
  },
  addressField: () => 'text',
  heldMedia: [],
  takesAddress: () => false,
  toolNames: { fits: /^\w+$/, length: 8 },
  createDecoder,
  createEncoder,
}
