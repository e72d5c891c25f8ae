import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import type { Channel } from '../../store/records/channels.ts'

/** The vendor whose client adds the note. */
const OWN_HOST = 'https://api.anthropic.com/'

/** A body without what means nothing at this URL and spoils its cache; null where all of it is sent. */
export function withoutNote(
  format: CallFormat,
  body: JsonFields,
  { settings }: Pick<Channel, 'settings'>,
  url: string,
): readonly Buffer[] | null {
  const isStripped = settings.strip_billing_header ?? !url.startsWith(OWN_HOST)
  return isStripped ? (traitsOf(format).withoutClientNote?.(body) ?? null) : null
}
