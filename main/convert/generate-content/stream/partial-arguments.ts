import { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { ExactNumber, stringifyExact } from '../../json/exact-json.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'

/** Characters of arguments that one call may have while it is put together. */
const MOST = 16 * 1024 * 1024
const DEEPEST = 200

type Node = Record<string, unknown> | unknown[]

function invalid(problem: string, why: Reason): never {
  throw new GatewayError('upstream_invalid', {
    message: `The upstream’s call cannot be read: ${problem}.`,
    reason: { code: 'upstream_call_unreadable', why },
  })
}

const wrongPath = (path: string): never =>
  invalid(`path ${path}`, { code: 'call_path_wrong', path })

const step = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

/** The keys and indexes of `$.foo.bar[0]['a b']` (RFC 9535, names and indexes only). */
function readPath(path: string): (string | number)[] {
  if (!path.startsWith('$')) wrongPath(path)
  const keys: (string | number)[] = []
  step.lastIndex = 1
  while (step.lastIndex < path.length) {
    const match = step.exec(path)
    if (!match) return wrongPath(path)
    const [, name, index, single, double] = match
    const quoted = single ?? double
    if (index !== undefined) keys.push(Number(index))
    else keys.push(name ?? (quoted as string).replace(/\\(.)/g, '$1'))
    if (keys.length > DEEPEST) invalid('its arguments nest too deep', { code: 'call_too_deep' })
  }
  return keys
}

/** The value of one piece; undefined where it carries none. */
function pieceValue(piece: Record<string, unknown>): unknown {
  if ('stringValue' in piece) return asString(piece.stringValue) ?? ''
  if (typeof piece.numberValue === 'number' || piece.numberValue instanceof ExactNumber) {
    return piece.numberValue
  }
  if (typeof piece.boolValue === 'boolean') return piece.boolValue
  return 'nullValue' in piece ? null : undefined
}

/** Without a prototype: a key of the model's choice is only ever a key. */
const newObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

const isArray = (node: Node): node is unknown[] => Array.isArray(node)

function child(node: Node, key: string | number): unknown {
  return isArray(node) ? node[Number(key)] : node[key]
}

function put(node: Node, key: string | number, value: unknown): void {
  if (!isArray(node)) node[key] = value
  else if (typeof key !== 'number' || key > node.length)
    invalid('an index leaves a gap', { code: 'call_index_gap' })
  else node[key] = value
}

/**
 * Puts a call together whose arguments Vertex sends in pieces, `partialArgs`: each a JSON path and a value,
 * strings in several pieces (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling).
 */
export class PartialArguments {
  #root: Record<string, unknown> = newObject()
  #size = 0
  /** Path of the string that goes on with its next piece. */
  #open: string | undefined

  /** Takes what one `functionCall` adds. Throws `upstream_invalid` for what fits nowhere. */
  add(call: Record<string, unknown>): void {
    const whole = asObject(call.args)
    if (whole) this.#root = Object.assign(newObject(), this.#root, whole)
    for (const one of asArray(call.partialArgs ?? call.partial_args)) {
      const piece = asObject(one)
      if (piece) this.#addPiece(piece)
    }
  }

  #addPiece(piece: Record<string, unknown>): void {
    const path = asString(piece.jsonPath ?? piece.json_path) ?? ''
    const value = pieceValue(piece)
    const willContinue = (piece.willContinue ?? piece.will_continue) === true
    this.#size += path.length + (typeof value === 'string' ? value.length : 8)
    if (this.#size > MOST) invalid('its arguments are too long', { code: 'call_too_long' })
    if (value !== undefined) this.#set(path, value)
    this.#open = willContinue ? path : undefined
  }

  #set(path: string, value: unknown): void {
    const keys = readPath(path)
    const last = keys.pop()
    if (last === undefined) invalid('a piece replaces the whole', { code: 'call_replaced' })
    let node: Node = this.#root
    for (const [index, key] of keys.entries()) {
      const next = keys[index + 1] ?? last
      const inner = child(node, key)
      if (typeof inner === 'object' && inner !== null) node = inner as Node
      else {
        const made: Node = typeof next === 'number' ? [] : newObject()
        put(node, key, made)
        node = made
      }
    }
    const before = child(node, last)
    const goesOn = this.#open === path && typeof before === 'string' && typeof value === 'string'
    put(node, last, goesOn ? before + value : value)
  }

  /** The arguments so far, as JSON. */
  text(): string {
    return stringifyExact(this.#root)
  }
}
