import { isBlank } from '../../errors/is-blank.ts'
import type { Citation } from '../../exchange.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import { keptFields, ownFields } from '../own-fields.ts'

const known = new Set(['url', 'title', 'start_index', 'end_index'])

/** An entry of `annotations`; of a kind other than `url_citation` no more is read than a file's name. */
export function decodeAnnotation(value: unknown): Citation | null {
  const annotation = asObject(value)
  if (!annotation || isBlank(annotation)) return null
  const cited = asObject(annotation.url_citation)
  const url = asString(cited?.url)
  if (!cited || url === undefined) {
    const title = asString(asObject(annotation.file)?.name) ?? null
    return {
      type: 'document',
      title,
      citedText: null,
      native: { origin: 'chat', fields: annotation },
    }
  }
  const start = asCount(cited.start_index)
  const end = asCount(cited.end_index)
  return {
    type: 'url',
    url,
    title: asString(cited.title) ?? null,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...ownFields(cited, known),
  }
}

/**
 * A citation as an entry of `annotations`, which know web addresses only: another vendor's document gives null. `from`
 * and `to` are where its text stands in the message, for citations that do not tell their own place.
 */
export function encodeAnnotation(
  citation: Citation,
  from: number,
  to: number,
): Record<string, unknown> | null {
  if (citation.type !== 'url') {
    const kept = keptFields(citation.native)
    return Object.keys(kept).length > 0 ? kept : null
  }
  return {
    type: 'url_citation',
    url_citation: {
      ...keptFields(citation.native),
      start_index: citation.start === undefined ? from : from + citation.start,
      end_index: citation.end === undefined ? to : from + citation.end,
      title: citation.title ?? citation.url,
      url: citation.url,
    },
  }
}
