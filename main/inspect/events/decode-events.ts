import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import type { Conversion, ServerEvent, StreamDecoder } from '../../convert/conversion.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'

/** The conversion of a format in which conversations are held; null for any other. */
export function conversionIn(format: string): Conversion | null {
  const conversion = traitsOf(format as CallFormat).conversion
  return conversion && 'createDecoder' in conversion ? (conversion as Conversion) : null
}

/** Gives what the decoder makes of it, or nothing where it cannot read it. */
function tried(run: () => StreamPart[]): StreamPart[] | null {
  try {
    return run()
  } catch {
    return null
  }
}

/**
 * The parts of an answer that each event brings. Those behind an event that cannot be read bring none, and nothing
 * is known of formats that hold no conversation.
 */
export function decodeEvents(format: string, events: readonly ServerEvent[]): StreamPart[][] {
  const conversion = conversionIn(format)
  if (!conversion) return events.map(() => [])
  let decoder: StreamDecoder | null = conversion.createDecoder()
  const decoded = events.map((event): StreamPart[] => {
    const parts = event.data === '' ? [] : tried(() => decoder?.push(event) ?? [])
    if (!parts) decoder = null
    return parts ?? []
  })
  const rest = tried(() => decoder?.end() ?? [])
  decoded.at(-1)?.push(...(rest ?? []))
  return decoded
}
