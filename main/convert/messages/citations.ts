import type { Citation } from '../exchange.ts'
import { asObject, asString } from '../json/json-value.ts'
import { markState, STATE_MARK } from '../reasoning/reasoning-state.ts'

/** Is this one written by `encodeCitation` for another vendor's answer? */
const isMarked = (citation: Record<string, unknown>): boolean =>
  asString(citation.encrypted_index)?.startsWith(STATE_MARK) ?? false

/** One of `citations`, or of a citations_delta; null for what is none. */
export function decodeCitation(value: unknown): Citation | null {
  const citation = asObject(value)
  if (!citation) return null
  const citedText = asString(citation.cited_text)
  const title = asString(citation.title) ?? asString(citation.document_title) ?? null
  const native = isMarked(citation)
    ? {}
    : { native: { origin: 'messages' as const, fields: citation } }
  const source = asString(citation.url) ?? asString(citation.source)
  if (source !== undefined && /^https?:/i.test(source)) {
    return {
      type: 'url',
      url: source,
      title,
      ...(citedText === undefined ? {} : { citedText }),
      ...native,
    }
  }
  return {
    type: 'document',
    title: title ?? source ?? null,
    citedText: citedText ?? null,
    ...native,
  }
}

/**
 * A citation for a client. Another vendor's has no encrypted index: the mark in its place lets the gateway
 * find it when the client sends it back, because Anthropic would refuse it. Null where only the vendor's
 * own documents could be pointed at.
 */
export function encodeCitation(citation: Citation, text: string): Record<string, unknown> | null {
  if (citation.native?.origin === 'messages') return citation.native.fields
  if (citation.type !== 'url') return null
  const { url, title, start, end } = citation
  const cited = citation.citedText ?? (start === undefined ? '' : text.slice(start, end))
  const mark = { origin: 'chat', kind: 'encrypted', data: '', model: null } as const
  return {
    type: 'web_search_result_location',
    cited_text: cited,
    encrypted_index: markState(mark),
    title,
    url,
  }
}
