import { estimateTokens } from '../../base/estimate-tokens.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { asObject, asString } from '../../convert/json/json-value.ts'
import { type CacheSettings, readCacheSettings } from './cache-settings.ts'

/** A value of a prompt, in the order in which the vendor reads it. */
export interface PromptPiece {
  /** `tools[3].description` */
  path: string
  text: string
}

/** A mark up to which the vendor is asked to keep the prompt. */
export interface PromptMark {
  path: string
  /** Blocks of the prompt up to the mark; the vendor looks some back from it. */
  block: number
  ttl: string | null
}

export interface Prompt {
  pieces: PromptPiece[]
  marks: PromptMark[]
  /** Names of the tools, in their order. */
  tools: string[]
  /** Turns, as texts that can be compared. */
  turns: string[]
  settings: CacheSettings
}

/**
 * Fields of all wire formats in the order in which vendors put them together: tools first, as caches depend on it.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching, https://platform.openai.com/docs/guides/prompt-caching
 */
const fields = [
  ...['tools', 'functions', 'system', 'instructions', 'systemInstruction', 'system_instruction'],
  ...['messages', 'input', 'contents'],
]
const turnFields = new Set(['messages', 'input', 'contents'])
/** Types of blocks of text; whether a text stands in a block or by itself is all the same to the vendor. */
const textTypes = new Set(['text', 'input_text', 'output_text'])
/** Longer texts without a space are files in base64. */
const FILE_CHARACTERS = 2000
/** About what a picture or a page costs. */
const FILE_TOKENS = 1000

const join = (path: string, name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`

/**
 * A tool that a search brings is read where its result stands, not in front:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching
 */
const isDeferred = (tool: unknown): boolean => asObject(tool)?.defer_loading === true

class Reader {
  readonly pieces: PromptPiece[] = []
  readonly marks: PromptMark[] = []
  #blocks = 0

  read(value: unknown, path: string, key = ''): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (path !== 'tools' || !isDeferred(item)) this.read(item, `${path}[${index}]`, key)
      }
      return
    }
    const object = asObject(value)
    if (!object) {
      const isText = key === 'text' || key === 'content' || key === 'system'
      const text = asString(value) ?? stringifyExact(value)
      if (key === 'content') this.#blocks++
      this.pieces.push({ path, text: isText ? text : `${key}: ${text}` })
      return
    }
    const isBlock = /\[\d+\]$/.test(path) && !('content' in object && 'role' in object)
    if (isBlock) this.#blocks++
    for (const [name, inner] of Object.entries(object)) {
      if (name === 'cache_control') {
        const ttl = asString(asObject(inner)?.ttl) ?? null
        if (inner !== null) this.marks.push({ path, block: this.#blocks, ttl })
      } else if (!this.#isMeaningless(name, inner, path)) this.read(inner, join(path, name), name)
    }
  }

  /** Ids of items are the client's, and how a text is wrapped says nothing. */
  #isMeaningless(name: string, value: unknown, path: string): boolean {
    if (name === 'type') return textTypes.has(String(value)) || value === 'message'
    return path.startsWith('input[') && (name === 'status' || name === 'id')
  }
}

const nameOfTool = (tool: unknown): string => {
  const object = asObject(tool)
  return (
    asString(object?.name) ?? asString(asObject(object?.function)?.name) ?? stringifyExact(tool)
  )
}

/** The parts of a request that its vendor may keep in its cache, in the order in which it reads them. */
export function readPrompt(body: unknown): Prompt {
  const object = asObject(body) ?? {}
  const reader = new Reader()
  const turns: string[] = []
  for (const field of fields) {
    const value = object[field]
    if (value === undefined || value === null) continue
    reader.read(value, field, field)
    if (!turnFields.has(field)) continue
    for (const turn of Array.isArray(value) ? value : [value]) turns.push(turnText(turn))
  }
  const listed: unknown[] = Array.isArray(object.tools) ? object.tools : []
  const tools = listed.filter((tool) => !isDeferred(tool))
  return {
    pieces: reader.pieces,
    marks: reader.marks,
    tools: tools.flatMap(toolsIn).map(nameOfTool),
    turns,
    settings: readCacheSettings(object),
  }
}

/** Google has its tools in lists. */
function toolsIn(tool: unknown): unknown[] {
  const listed = asObject(tool)?.functionDeclarations
  return Array.isArray(listed) ? listed : [tool]
}

/** A turn without its marks, to be compared with others. */
export function turnText(turn: unknown): string {
  const reader = new Reader()
  reader.read(turn, 'input[0]', 'content')
  return reader.pieces.map(({ text }) => text).join('\n')
}

/** ≈ tokens of a piece, or of its beginning. */
export const tokensOf = (text: string): number =>
  text.length > FILE_CHARACTERS && !/\s/.test(text.slice(20, FILE_CHARACTERS))
    ? FILE_TOKENS
    : estimateTokens(text)
