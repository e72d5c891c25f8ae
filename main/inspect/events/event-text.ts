import { parseJson } from '../../base/text/parse-json.ts'
import type { HostedPart, MediaPart, NativePart } from '../../convert/exchange.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'

function wholeText(part: MediaPart | HostedPart | NativePart): string {
  if (part.type === 'media') return `[${part.kind}]`
  return part.type === 'hosted' ? `[${part.tool}]` : ''
}

function partText(part: StreamPart): string {
  switch (part.type) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
    case 'call-delta':
      return part.text
    case 'call-start':
      return part.name
    case 'whole':
      return wholeText(part.part)
    case 'error':
      return part.message
    default:
      return ''
  }
}

/** Text of an event in a format that holds no conversation: legacy completions, transcriptions. */
function plainText(data: string): string {
  const event = asObject(parseJson(Buffer.from(data)))
  const choice = asObject(asArray(event?.choices)[0])
  return asString(event?.delta) ?? asString(choice?.text) ?? ''
}

/** The words that an event adds to the answer, as a person reads them. */
export function eventText(data: string, parts: readonly StreamPart[]): string {
  const text = parts.map(partText).join('')
  return text === '' && parts.length === 0 ? plainText(data) : text
}
