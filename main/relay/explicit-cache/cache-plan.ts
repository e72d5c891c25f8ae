import { createHash } from 'node:crypto'
import type { PlacedMark } from '../../convert/conversion.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { asArray, asObject } from '../../convert/json/json-value.ts'
import { roughTokens } from '../usage/rough-tokens.ts'

/** From the first byte up to, not including, the second. */
export type Span = readonly [from: number, to: number]

/** A place in the conversation at which a cache may end. */
export interface CacheBorder {
  /** SHA-256 of the model and of all that stands before this place. */
  digest: string
  /** About how many tokens stand before it. */
  tokens: number
  /** Bytes of the turns before it, and of those behind it. */
  before: Span
  after: Span
  /** Lies inside a turn of the user: that turn is sent in two. */
  splitsTurn: boolean
  /** Is there any turn before it? Without one several conversations share the cache. */
  hasTurns: boolean
}

/** A cache mark of the request. */
export interface PlannedMark {
  path: string
  /** Index of the border at which a cache for it ends; -1 = none is possible. */
  border: number
  /** The border lies before the mark itself. */
  isEarlier: boolean
}

/** How an upstream's body can be split into a cache and what is sent beside it. Everything in it can be cloned. */
export interface CachePlan {
  /** Bytes of `systemInstruction`, `tools` and `toolConfig` as members of an object; empty where there are none. */
  shared: Span
  /** Bytes of all other members but the turns. */
  own: Span
  /** In the order of the conversation; the last is the one that the marks ask for. */
  borders: CacheBorder[]
  marks: PlannedMark[]
  /** Seconds for which the cache is wanted. */
  ttl: number
}

/** Anthropic's two times; others are brought between them. */
const SHORTEST_TTL = 5 * 60
const LONGEST_TTL = 60 * 60

/** Google takes these only as part of the cache: https://ai.google.dev/api/caching */
const SHARED = ['systemInstruction', 'tools', 'toolConfig'] as const

/** Seconds of `5m`, `1h`, `300s`, within five minutes and an hour. */
function secondsOf(ttl: string | null): number {
  const [, count, unit] = /^(\d+)([smh])$/.exec(ttl ?? '') ?? []
  const seconds = Number(count ?? 0) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1)
  return Math.min(LONGEST_TTL, Math.max(SHORTEST_TTL, seconds))
}

const membersOf = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([name, value]) => `${JSON.stringify(name)}:${stringifyExact(value)}`).join(',')

const isResult = (part: unknown): boolean => asObject(part)?.functionResponse !== undefined

interface Turn {
  role: string
  parts: readonly unknown[]
}

/** The turns, each with nothing but a role and parts; null where some have more, which a split would lose. */
function turnsOf(contents: unknown): Turn[] | null {
  const turns: Turn[] = []
  for (const content of asArray(contents)) {
    const { role, parts, ...rest } = asObject(content) ?? {}
    if (typeof role !== 'string' || !Array.isArray(parts) || Object.keys(rest).length > 0) {
      return null
    }
    turns.push({ role, parts })
  }
  return turns
}

/**
 * May a cache end behind this part? Google refuses one that ends with a turn of the model's, and takes results of
 * tools for such a turn; the results of one turn must stay together.
 */
function mayEnd({ role, parts }: Turn, index: number): boolean {
  if (role !== 'user' || isResult(parts[index])) return false
  return !parts.slice(index + 1).some(isResult)
}

/** Bytes that are put together piece by piece. */
class Pieces {
  readonly #pieces: Buffer[] = []
  length = 0

  add(text: string): Buffer {
    const piece = Buffer.from(text)
    this.#pieces.push(piece)
    this.length += piece.length
    return piece
  }

  joined(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}

const reaches = (mark: PlacedMark, turn: number, part: number): boolean =>
  mark.turn > turn || (mark.turn === turn && mark.part >= part)

/**
 * An upstream's body in bytes, and how it can be split at the places that its marks allow; null for a body that
 * cannot be split.
 */
export function planCache(
  body: Readonly<Record<string, unknown>>,
  marks: readonly PlacedMark[],
  model: string,
): { bytes: Buffer; plan: CachePlan } | null {
  const turns = turnsOf(body.contents)
  if (!turns || turns.length === 0) return null
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  const isShared = (name: string) => SHARED.some((one) => one === name)
  const sharedText = membersOf(entries.filter(([name]) => isShared(name)))
  const ownText = membersOf(entries.filter(([name]) => !isShared(name) && name !== 'contents'))

  const pieces = new Pieces()
  pieces.add('{')
  const sharedPiece = pieces.add(sharedText)
  const shared: Span = [1, pieces.length]
  pieces.add(`${sharedText === '' ? '' : ','}"contents":[`)

  const hash = createHash('sha256').update(`${model}\n${sharedText}`)
  const start = pieces.length
  const borders: CacheBorder[] = []
  /** Where each border lies, in the same order. */
  const places: { turn: number; part: number }[] = []
  let tokens = roughTokens([sharedPiece])
  const add = (turn: number, part: number, next: number, splitsTurn: boolean) => {
    const digest = hash.copy().digest('hex')
    const before: Span = [start, pieces.length]
    const hasTurns = turn >= 0
    borders.push({ digest, tokens, before, after: [next, next], splitsTurn, hasTurns })
    places.push({ turn, part })
  }
  const last = { turn: turns.length - 1, part: (turns.at(-1)?.parts.length ?? 0) - 1 }
  const isWanted = (turn: number, part: number) => marks.some((mark) => reaches(mark, turn, part))

  if (sharedText !== '' && marks.length > 0) add(-1, -1, start, false)
  for (const [index, turn] of turns.entries()) {
    const opening = `${index > 0 ? ',' : ''}{"role":${JSON.stringify(turn.role)},"parts":[`
    pieces.add(opening)
    hash.update(`\n${turn.role}`)
    for (const [at, part] of turn.parts.entries()) {
      if (at > 0) pieces.add(',')
      const piece = pieces.add(stringifyExact(part))
      hash.update('\n').update(piece)
      tokens += roughTokens([piece])
      const isLastPart = at === turn.parts.length - 1
      const isEnd = index === last.turn && at === last.part
      if (!isEnd && mayEnd(turn, at) && isWanted(index, at)) {
        // Behind a turn stand its two brackets and the comma before the next; behind a part the comma.
        add(index, at, pieces.length + (isLastPart ? 3 : 1), !isLastPart)
      }
    }
    pieces.add(']}')
  }
  const end = pieces.length
  for (const border of borders) {
    const { after, splitsTurn, hasTurns } = border
    border.after = [after[0], end]
    // The turn that it closes has its brackets there; one that it splits is closed where it is used.
    if (hasTurns && !splitsTurn) border.before = [start, border.before[1] + 2]
  }
  pieces.add(']')
  const ownFrom = pieces.length + 1
  if (ownText !== '') pieces.add(`,${ownText}`)
  const own: Span = ownText === '' ? [0, 0] : [ownFrom, pieces.length]
  pieces.add('}')

  const planned = marks.map((mark): PlannedMark => {
    const border = places.findLastIndex(({ turn, part }) => reaches(mark, turn, part))
    const place = places[border]
    return {
      path: mark.path,
      border,
      isEarlier: place?.turn !== mark.turn || place.part !== mark.part,
    }
  })
  const ttl = Math.max(SHORTEST_TTL, ...marks.map((mark) => secondsOf(mark.ttl)))
  return { bytes: pieces.joined(), plan: { shared, own, borders, marks: planned, ttl } }
}

const cut = (bytes: Buffer, [from, to]: Span): Buffer => bytes.subarray(from, to)

/** The body that makes a cache of all before a border; `head` are its other members. */
export function cacheBody(
  bytes: Buffer,
  { shared }: CachePlan,
  { before, splitsTurn, hasTurns }: CacheBorder,
  head: Readonly<Record<string, string>>,
): Buffer {
  const turns = hasTurns
    ? [Buffer.from(',"contents":['), cut(bytes, before), Buffer.from(splitsTurn ? ']}]' : ']')]
    : []
  const members = shared[1] > shared[0] ? [Buffer.from(','), cut(bytes, shared)] : []
  const opening = Buffer.from(JSON.stringify(head).slice(0, -1))
  return Buffer.concat([opening, ...members, ...turns, Buffer.from('}')])
}

/** The body that is sent beside the cache of this name. */
export function bodyBesideCache(
  bytes: Buffer,
  { own }: CachePlan,
  { after, splitsTurn }: CacheBorder,
  name: string,
): Buffer {
  const opening = splitsTurn ? '{"role":"user","parts":[' : ''
  const members = own[1] > own[0] ? [Buffer.from(','), cut(bytes, own)] : []
  return Buffer.concat([
    Buffer.from(`{"cachedContent":${JSON.stringify(name)},"contents":[${opening}`),
    cut(bytes, after),
    Buffer.from(']'),
    ...members,
    Buffer.from('}'),
  ])
}
