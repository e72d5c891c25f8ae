import type { Citation } from '../exchange.ts'
import { asCount, asObject, asString } from '../json-value.ts'
import { keptFields, ownFields } from './own-fields.ts'

const known = new Set(['url', 'title', 'start_index', 'end_index'])

/** An entry of `annotations`; null for any kind but `url_citation`. */
export function decodeAnnotation(annotation: unknown): Citation | null {
  const cited = asObject(asObject(annotation)?.url_citation)
  const url = asString(cited?.url)
  if (!cited || url === undefined) return null
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
 * A citation as an entry of `annotations`, which know web addresses only: a document's gives null. `from`
 * and `to` are where its text stands in the message, for citations that do not tell their own place.
 */
export function encodeAnnotation(
  citation: Citation,
  from: number,
  to: number,
): Record<string, unknown> | null {
  if (citation.type !== 'url') return null
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
