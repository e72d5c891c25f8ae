import type { CapturedAnswer } from '../../capture/capture.ts'
import { REASONING_GAP } from '../../convert/chat/decode-reasoning.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import { spreadResponse } from '../../convert/stream/spread-response.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'
import { jsonOf } from '../body/body-content.ts'
import { conversionIn, decodeEvents } from '../events/decode-events.ts'
import { eventText } from '../events/event-text.ts'
import { eventsOf } from '../events/stream-view.ts'
import { type ReadingPart, readPart } from './reading-part.ts'

const role = 'assistant'

/** Puts a stream's parts together, of one that was cut too. */
function gather(parts: Iterable<StreamPart>): ReadingPart[] {
  const read: ReadingPart[] = []
  const open = new Map<number, { part: ReadingPart; section: number }>()
  const begin = (block: number, part: ReadingPart) => {
    read.push(part)
    open.set(block, { part, section: 0 })
  }
  const append = (block: number, text: string, section = 0) => {
    const known = open.get(block)
    if (!known) return
    if (section > known.section && known.part.text !== '') known.part.text += REASONING_GAP
    known.section = section
    known.part.text += text
  }
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'refusal-start':
        begin(part.block, { role, kind: 'text', text: '' })
        break
      case 'reasoning-start':
        begin(part.block, { role, kind: 'reasoning', text: '' })
        break
      case 'call-start':
        begin(part.block, {
          ...{ role, kind: 'tool-call', text: '', name: part.name },
          ...(part.id === null ? {} : { id: part.id }),
        })
        break
      case 'text-delta':
      case 'refusal-delta':
      case 'call-delta':
        append(part.block, part.text)
        break
      case 'reasoning-delta':
        append(part.block, part.text, part.section)
        break
      case 'whole':
        read.push(...readPart(part.part, role))
        break
      case 'error':
        read.push({ role: 'error', kind: 'text', text: part.message })
        break
      default:
    }
  }
  // Reasoning that only its maker can read has no words.
  return read.filter(({ kind, text }) => text !== '' || kind !== 'reasoning')
}

/** The words of an answer that is no conversation: a legacy completion, a transcription. */
function plainAnswer(body: unknown): ReadingPart[] {
  const answer = asObject(body)
  const texts = asArray(answer?.choices).map((choice) => asString(asObject(choice)?.text))
  return [asString(answer?.text), ...texts].flatMap((text) =>
    text === undefined ? [] : [{ role, kind: 'text' as const, text }],
  )
}

/** An answer as a person reads it: of a model, or the failure that came in its place. */
export function readAnswer(answer: CapturedAnswer | null, format: string): ReadingPart[] {
  if (!answer) return []
  const events = eventsOf(answer)
  const conversion = conversionIn(format)
  if (events.length > 0) {
    const read = gather(decodeEvents(format, events).flat())
    if (conversion || read.length > 0) return read
    const text = events.map(({ data }) => eventText(data, [])).join('')
    return text === '' ? [] : [{ role, kind: 'text', text }]
  }
  const body = jsonOf(answer.body)
  const error = answer.status >= 400 ? readVendorError(body) : null
  if (error) return [{ role: 'error', kind: 'text', text: error.message }]
  if (!conversion) return plainAnswer(body)
  return gather(spreadResponse(conversion.decodeResponse(body)))
}
