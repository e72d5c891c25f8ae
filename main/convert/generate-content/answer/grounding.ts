import type { Citation, HostedPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'

/** Index of the character that begins at a byte of the text's UTF-8, as Google counts. */
function characterAt(bytes: Buffer, byte: number): number {
  return bytes.toString('utf8', 0, byte).length
}

function sourceOf(value: unknown): Citation | undefined {
  const chunk = asObject(value)
  const web = asObject(chunk?.web) ?? asObject(chunk?.maps)
  const context = asObject(chunk?.retrievedContext)
  const source = web ?? context
  if (!source) return undefined
  const title = asString(source.title) ?? null
  const url = asString(source.uri)
  const text = asString(context?.text)
  if (url !== undefined && /^https?:/.test(url)) {
    return { type: 'url', url, title, ...(text === undefined ? {} : { citedText: text }) }
  }
  return web ? undefined : { type: 'document', title, citedText: text ?? null }
}

/** A citation, and the part of the answer that it belongs to, where Google tells. */
export interface PlacedCitation {
  citation: Citation
  /** Among the parts of the candidate's content. */
  partIndex: number
}

const withRange = (citation: Citation, start: number, end: number): Citation =>
  citation.type === 'url' && end > start ? { ...citation, start, end } : citation

/**
 * Sources of a candidate: what a search brought (`groundingMetadata`), each with the text that it
 * supports, and what was recited (`citationMetadata`). `texts` are the texts of the candidate's parts.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export function decodeCitations(candidate: JsonObject, texts: readonly string[]): PlacedCitation[] {
  const found: PlacedCitation[] = []
  const bytes = texts.map((text) => Buffer.from(text))
  // An answer may be an image alone, with its sources: they belong to an empty text then.
  const first = Math.max(
    0,
    texts.findIndex((text) => text !== ''),
  )
  const last = Math.max(
    0,
    texts.findLastIndex((text) => text !== ''),
  )
  const place = (citation: Citation | undefined, wire: JsonObject | undefined) => {
    if (!citation) return
    const named = asCount(wire?.partIndex) ?? first
    const partIndex = wire ? (texts[named] ? named : first) : last
    const text = bytes[partIndex]
    if (!text) return
    const start = characterAt(text, asCount(wire?.startIndex) ?? 0)
    const end = characterAt(text, asCount(wire?.endIndex) ?? 0)
    found.push({ citation: wire ? withRange(citation, start, end) : citation, partIndex })
  }
  const grounding = asObject(candidate.groundingMetadata)
  const sources = asArray(grounding?.groundingChunks).map(sourceOf)
  const supports = asArray(grounding?.groundingSupports).flatMap((value): JsonObject[] => {
    const support = asObject(value)
    return support ? [support] : []
  })
  for (const support of supports) {
    for (const index of asArray(support.groundingChunkIndices)) {
      place(sources[Number(index)], asObject(support.segment) ?? {})
    }
  }
  if (supports.length === 0) for (const source of sources) place(source, undefined)
  for (const value of asArray(asObject(candidate.citationMetadata)?.citations)) {
    const recited = asObject(value) ?? {}
    const url = asString(recited.uri)
    if (url !== undefined) {
      place({ type: 'url', url, title: asString(recited.title) ?? null }, recited)
    }
  }
  return found
}

/** Number of searches that the answer's grounding tells of. */
export const countSearches = (candidate: JsonObject): number =>
  asArray(asObject(candidate.groundingMetadata)?.webSearchQueries).length

/** A text of an answer with its sources, and where its part stands. */
export interface CitedText {
  text: string
  citations: readonly Citation[]
  partIndex: number
}

/** Query of another vendor's search. */
export function queriesOf({ tool, value }: HostedPart): string[] {
  if (tool !== 'web-search') return []
  const action = asObject(value.action) ?? asObject(value.input)
  const query = asString(action?.query)
  const queries = asArray(action?.queries).filter((one) => typeof one === 'string')
  return queries.length > 0 ? queries : query === undefined ? [] : [query]
}

const keyOf = (citation: Citation): string =>
  citation.type === 'url' ? citation.url : `document ${citation.title}`

function encodeSource(citation: Citation): JsonObject {
  const title = citation.title === null ? {} : { title: citation.title }
  if (citation.type === 'url') return { web: { uri: citation.url, ...title } }
  const text = citation.citedText === null ? {} : { text: citation.citedText }
  return { retrievedContext: { ...title, ...text } }
}

function segmentOf({ text, partIndex }: CitedText, citation: Citation): JsonObject {
  const start = citation.type === 'url' ? (citation.start ?? 0) : 0
  const end = citation.type === 'url' ? (citation.end ?? text.length) : text.length
  const before = Buffer.byteLength(text.slice(0, start))
  const inside = text.slice(start, end)
  return {
    ...(partIndex > 0 ? { partIndex } : {}),
    ...(before > 0 ? { startIndex: before } : {}),
    endIndex: before + Buffer.byteLength(inside),
    text: inside,
  }
}

/** Sources as `groundingMetadata`, offsets in bytes; empty where there are none. */
export function encodeGrounding(
  texts: readonly CitedText[],
  hosted: readonly HostedPart[],
): JsonObject {
  const sources = new Map<string, { index: number; wire: JsonObject }>()
  const groundingSupports = texts.flatMap((cited) =>
    cited.citations.map((citation) => {
      const key = keyOf(citation)
      const source = sources.get(key) ?? { index: sources.size, wire: encodeSource(citation) }
      sources.set(key, source)
      return { segment: segmentOf(cited, citation), groundingChunkIndices: [source.index] }
    }),
  )
  const webSearchQueries = hosted.flatMap(queriesOf)
  if (groundingSupports.length === 0 && webSearchQueries.length === 0) return {}
  return {
    groundingMetadata: {
      ...(webSearchQueries.length > 0 ? { webSearchQueries } : {}),
      groundingChunks: [...sources.values()].map(({ wire }) => wire),
      groundingSupports,
    },
  }
}
