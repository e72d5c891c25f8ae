import type {
  CacheMark,
  Citation,
  MediaPart,
  MediaSource,
  NativePart,
  Part,
  ReasoningState,
  TextPart,
  ToolResultPart,
} from '../exchange.ts'
import { fieldsBeside, keepFields } from '../foreign/kept-fields.ts'
import { stringifyExact } from '../json/exact-json.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../json/json-value.ts'
import { cleanMedia } from '../media/media.ts'
import { decodeCitation } from './citations.ts'
import { hostedToolOf } from './hosted-tools.ts'
import { ownFields } from './own-fields.ts'

/** Where blocks stand, and how a signature in them is to be read. */
export interface BlockSource {
  state(text: string, kind: 'signature' | 'redacted'): ReasoningState
}

const knownOfText = new Set(['type', 'text', 'citations', 'cache_control'])
const knownOfMedia = new Set(['type', 'source', 'title', 'context', 'citations', 'cache_control'])
export const knownOfThinking = new Set(['type', 'thinking', 'signature'])
const knownOfRedacted = new Set(['type', 'data'])
const knownOfCall = new Set(['type', 'id', 'name', 'input', 'cache_control'])
const knownOfResult = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])

/** `cache_control: {type: 'ephemeral', ttl?}`. */
export function readCacheMark(block: JsonObject): { cacheMark?: CacheMark } {
  const control = asObject(block.cache_control)
  return control ? { cacheMark: { ttl: asString(control.ttl) ?? null } } : {}
}

const place = (at: string | undefined): { at?: string } => (at === undefined ? {} : { at })

/** One content block. What is no block that the exchange knows is kept whole as a native or hosted part. */
export function decodeBlock(block: JsonObject, at: string | undefined, source: BlockSource): Part {
  const type = asString(block.type) ?? ''
  switch (type) {
    case 'text':
      return decodeText(block, at)
    case 'image':
    case 'document':
      return decodeMedia(block, type, at)
    case 'search_result':
      return searchResult(block, at)
    case 'container_upload':
      return {
        type: 'media',
        kind: 'document',
        source: { type: 'file', id: asString(block.file_id) ?? '', origin: 'messages' },
        ...place(at),
        ...readCacheMark(block),
        native: { origin: 'messages', fields: { container_upload: block } },
      }
    case 'thinking':
      return decodeThinking(block, at, source)
    case 'redacted_thinking':
      return {
        type: 'reasoning',
        sections: [],
        form: 'summary',
        state: source.state(asString(block.data) ?? '', 'redacted'),
        ...place(at),
        ...ownFields(block, knownOfRedacted),
      }
    case 'tool_use':
      return {
        type: 'call',
        id: asString(block.id) ?? null,
        name: asString(block.name) ?? '',
        kind: 'function',
        arguments: readInput(block.input),
        ...place(at),
        ...readCacheMark(block),
        ...ownFields(block, knownOfCall),
      }
    case 'tool_result':
      return decodeResult(block, at, source)
    case 'tool_addition':
    case 'tool_removal': {
      const name = changedTool(block)
      if (name === undefined) break
      return toolNews(name, type === 'tool_addition', block, { at, field: type })
    }
    default:
  }
  if (/^(?:server|mcp)_tool_use$|_tool_result$/.test(type)) {
    const name = type === 'server_tool_use' ? (asString(block.name) ?? '') : type
    return {
      type: 'hosted',
      tool: hostedToolOf(name),
      origin: 'messages',
      value: block,
      ...place(at),
    }
  }
  return { type: 'native', origin: 'messages', value: block, ...place(at) }
}

/** Name of the tool that a turn brings or takes away; undefined for a whole server's tools. */
function changedTool(block: JsonObject): string | undefined {
  const tool = asObject(block.tool) ?? {}
  if (tool.type === 'tool_reference') return asString(tool.name)
  return tool.type === 'tool_definition' ? asString(asObject(tool.definition)?.name) : undefined
}

/** What a model elsewhere reads of a change of its tools: it has them all at hand from the start. */
const toolNews = (
  name: string,
  isThere: boolean,
  block: JsonObject,
  { at, field }: { at: string | undefined; field: string },
): TextPart => ({
  type: 'text',
  text: `The tool ${name} is ${isThere ? '' : 'no longer '}available.`,
  ...place(at),
  ...readCacheMark(block),
  native: { origin: 'messages', fields: { [field]: block } },
})

/** A call's input as JSON text; some clients write the text itself. */
export function readInput(input: unknown): string {
  if (typeof input === 'string') return input
  return stringifyExact(input ?? {})
}

function decodeText(block: JsonObject, at: string | undefined): TextPart {
  const citations = asArray(block.citations)
    .map(decodeCitation)
    .filter((citation): citation is Citation => citation !== null)
  return {
    type: 'text',
    text: asString(block.text) ?? '',
    ...(citations.length > 0 ? { citations } : {}),
    ...place(at),
    ...readCacheMark(block),
    ...ownFields(block, knownOfText),
  }
}

/**
 * A thinking block. One that the gateway wrote for another vendor's thoughts has a mark for its signature;
 * a mark without data says that there was no state, only the text.
 */
function decodeThinking(block: JsonObject, at: string | undefined, source: BlockSource): Part {
  const text = asString(block.thinking) ?? ''
  const signature = asString(block.signature) ?? ''
  const state = signature === '' ? null : source.state(signature, 'signature')
  return {
    type: 'reasoning',
    sections: text === '' ? [] : [text],
    form: 'summary',
    ...(state && state.data !== '' ? { state } : {}),
    ...place(at),
    ...ownFields(block, knownOfThinking),
  }
}

function decodeMedia(block: JsonObject, kind: 'image' | 'document', at: string | undefined): Part {
  const source = asObject(block.source) ?? {}
  const read = readSource(source, kind)
  const common = { ...place(at), ...readCacheMark(block) }
  if (!read) return { type: 'native', origin: 'messages', value: block, ...common }
  const title = asString(block.title)
  const context = asString(block.context)
  const isCited = asObject(block.citations)?.enabled
  const own = fieldsBeside(block, knownOfMedia)
  return {
    type: 'media',
    kind,
    source: read,
    ...(title === undefined ? {} : { title }),
    ...(context === undefined ? {} : { context }),
    ...(typeof isCited === 'boolean' ? { citations: isCited } : {}),
    ...common,
    ...keepFields('messages', { ...own, ...(source.type === 'content' ? { source } : {}) }),
  }
}

function readSource(source: JsonObject, kind: 'image' | 'document'): MediaSource | null {
  const data = asString(source.data)
  const mediaType = asString(source.media_type) ?? ''
  const url = asString(source.url)
  const id = asString(source.file_id)
  if (source.type === 'base64' && data !== undefined) {
    return { type: 'base64', ...cleanMedia(mediaType, data) }
  }
  if (source.type === 'text' && data !== undefined) {
    return { type: 'text', text: data, mediaType: mediaType || 'text/plain' }
  }
  if (source.type === 'url' && url !== undefined) {
    return { type: 'url', url, mediaType: kind === 'document' ? 'application/pdf' : null }
  }
  if (source.type === 'file' && id !== undefined) return { type: 'file', id, origin: 'messages' }
  if (source.type === 'content') {
    return { type: 'text', text: plainText(source.content), mediaType: 'text/plain' }
  }
  return null
}

/** The text of a string, or of the text blocks in a list. */
const plainText = (content: unknown): string =>
  asString(content) ??
  asArray(content)
    .map((block) => asString(asObject(block)?.text) ?? '')
    .filter((text) => text !== '')
    .join('\n')

/** Kept whole beside the text that another vendor's model can read. */
function searchResult(block: JsonObject, at: string | undefined): TextPart {
  const head = [asString(block.title), asString(block.source)].filter(Boolean).join('\n')
  return {
    type: 'text',
    text: [head, plainText(block.content)].filter((text) => text !== '').join('\n\n'),
    ...place(at),
    ...readCacheMark(block),
    native: { origin: 'messages', fields: { search_result: block } },
  }
}

function decodeResult(
  block: JsonObject,
  at: string | undefined,
  source: BlockSource,
): ToolResultPart {
  return {
    type: 'result',
    callId: asString(block.tool_use_id) ?? null,
    name: null,
    kind: 'function',
    isError: block.is_error === true,
    parts: decodeResultContent(block.content, at, source),
    ...place(at),
    ...readCacheMark(block),
    ...ownFields(block, knownOfResult),
  }
}

function decodeResultContent(
  content: unknown,
  at: string | undefined,
  source: BlockSource,
): (TextPart | MediaPart | NativePart)[] {
  const inside = at === undefined ? undefined : `${at}.content`
  const text = asString(content)
  if (text !== undefined) return text === '' ? [] : [{ type: 'text', text, ...place(inside) }]
  return asArray(content).map((item, index) => {
    const block = asObject(item) ?? { type: 'text', text: wordOf(item) }
    const itemAt = inside === undefined ? undefined : `${inside}[${index}]`
    const tool = asString(block.tool_name)
    if (block.type === 'tool_reference' && tool !== undefined) {
      // Claude Code's tool search answers with these.
      return toolNews(tool, true, block, { at: itemAt, field: 'tool_reference' })
    }
    const part = decodeBlock(block, itemAt, source)
    if (part.type === 'text' || part.type === 'media' || part.type === 'native') return part
    return { type: 'native', origin: 'messages', value: block, ...place(itemAt) }
  })
}
