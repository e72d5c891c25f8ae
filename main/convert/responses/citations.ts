import type { Citation } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../json/json-value.ts'
import { fieldsBeside, keptFields, ownNative } from './own-fields.ts'

const knownOfUrl = new Set(['type', 'url', 'title', 'start_index', 'end_index'])

/** One annotation of an `output_text`; those on files keep their whole wire form. */
export function decodeAnnotation(value: unknown): Citation | null {
  const annotation = asObject(value)
  if (!annotation) return null
  const url = asString(annotation.url)
  if (annotation.type !== 'url_citation' || url === undefined) {
    const title = asString(annotation.filename) ?? null
    return { type: 'document', title, citedText: null, ...ownNative(annotation) }
  }
  const start = asCount(annotation.start_index)
  const end = asCount(annotation.end_index)
  return {
    type: 'url',
    url,
    title: asString(annotation.title) ?? null,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...ownNative(fieldsBeside(annotation, knownOfUrl)),
  }
}

export const decodeAnnotations = (value: unknown): Citation[] =>
  asArray(value).flatMap((one) => decodeAnnotation(one) ?? [])

/**
 * A citation as an annotation of a text of `length` characters, all of which it covers where it does not
 * tell its place. Null for another vendor's document: annotations name files by their id.
 */
export function encodeAnnotation(citation: Citation, length: number): JsonObject | null {
  const kept = keptFields(citation.native)
  if (citation.type === 'document') return Object.keys(kept).length > 0 ? kept : null
  return {
    type: 'url_citation',
    start_index: citation.start ?? 0,
    end_index: citation.end ?? length,
    title: citation.title ?? citation.url,
    url: citation.url,
    ...kept,
  }
}

export const encodeAnnotations = (
  citations: readonly Citation[] | undefined,
  length: number,
): JsonObject[] =>
  (citations ?? []).flatMap((one): JsonObject[] => {
    const annotation = encodeAnnotation(one, length)
    return annotation ? [annotation] : []
  })
