import { ownValue } from '../../../base/own-value.ts'
import { refuse } from '../../check/check-request.ts'
import type { Part, ToolCallPart, ToolResultPart, Turn } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { decodePart } from '../decode-part.ts'
import { camelFields, entriesOf, ownNative, spellingOf } from '../wire-fields.ts'
import { gatherThoughts } from './gather-thoughts.ts'

const roles: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'tool',
  tool: 'tool',
  system: 'system',
}

/** Keeps how the wire had it, for the way back to the own format. */
function spell(part: ToolCallPart | ToolResultPart, spelling: JsonObject): void {
  const { native } = part
  Object.assign(part, ownNative(native?.fields ?? {}, { ...spellingOf(native), ...spelling }))
}

/**
 * Gives ids to the calls of one model turn and to their results. Older models send none, and clients none
 * back, so results belong to calls by name and order. The same history gives the same ids every time.
 */
class CallIds {
  #open: ToolCallPart[] = []
  #ids = new Set<string>()

  /** A model's turn begins: results of earlier ones have come. */
  beginTurn(): void {
    this.#open = []
    this.#ids.clear()
  }

  call(part: ToolCallPart): void {
    if (part.id === null) {
      part.id = inventedId(`${part.at} ${part.name}`)
      spell(part, { id: null })
    }
    this.#ids.add(part.id)
    this.#open.push(part)
  }

  result(part: ToolResultPart): void {
    const sent = part.callId
    const open = this.#open
    let index = sent === null ? -1 : open.findIndex(({ id }) => id === sent)
    // A result that is sent twice is not another call's.
    const isSecond = index < 0 && sent !== null && this.#ids.has(sent)
    if (index < 0 && !isSecond)
      index = open.findIndex(({ name }) => part.name === null || name === part.name)
    const call = index < 0 ? undefined : open.splice(index, 1)[0]
    part.callId = call?.id ?? sent ?? inventedId(`${part.at} ${part.name}`)
    if (part.callId !== sent) spell(part, { id: sent })
  }
}

function roleOf(part: Part, role: Turn['role']): Turn['role'] {
  if (part.type === 'result') return 'tool'
  // A turn of role `function` may hold a file beside the results.
  return role === 'tool' ? 'user' : role
}

function checkPart(part: Part, role: Turn['role']): void {
  if (part.type !== 'call') return
  if (role !== 'assistant') refuse(`${part.at}.functionCall`, 'must_be_in_model_turn')
  if (part.name === '') refuse(`${part.at}.functionCall.name`, 'is_required')
}

/** The conversation: `contents`, with results of tools in turns of their own. */
export function decodeContents(value: unknown): Turn[] {
  if (!Array.isArray(value) && !asObject(value)) refuse('contents', 'must_be_turns')
  const turns: Turn[] = []
  const ids = new CallIds()
  let lastRole: Turn['role'] | undefined
  for (const { value: entry, at } of entriesOf(value, 'contents')) {
    const content = asObject(entry)
    if (!content) refuse(at, 'must_be_object')
    const fields = camelFields(content)
    const role = ownValue(roles, (asString(fields.role) ?? 'user').toLowerCase())
    if (!role) refuse(`${at}.role`, { code: 'must_be_either', values: ['user', 'model'] })
    if (role === 'assistant' && lastRole !== 'assistant') ids.beginTurn()
    lastRole = role
    let turn: Turn | undefined
    for (const { value: wire, at: path } of entriesOf(fields.parts, `${at}.parts`)) {
      const object = asObject(wire)
      if (!object) refuse(path, 'must_be_object')
      for (const part of decodePart(object, path, null)) {
        checkPart(part, role)
        if (part.type === 'call') ids.call(part)
        if (part.type === 'result') ids.result(part)
        const partRole = roleOf(part, role)
        if (turn?.role !== partRole) {
          turn = { role: partRole, parts: [], at }
          turns.push(turn)
        }
        turn.parts.push(part)
      }
    }
    if (!turn) turns.push({ role: role === 'tool' ? 'user' : role, parts: [], at })
  }
  return gatherThoughts(turns)
}
