import type { ReasoningState, WireFormat } from '../exchange.ts'
import { asObject, asString } from '../json/json-value.ts'
import { modelName } from '../model/model-name.ts'

/** Twelve characters, so that their base64 is a prefix that no following byte changes. */
const PREFIX = 'switchyard1:'

/** Prefix of every marked state. It stands in a request body as plain bytes. */
export const STATE_MARK: string = Buffer.from(PREFIX).toString('base64')

const markBytes = Buffer.from(STATE_MARK)
/** Its end from a letter on that is rare in bodies: a search stops at each byte like the first it looks for. */
const markEnd = markBytes.subarray(markBytes.indexOf('G'))

const formats: readonly string[] = ['chat', 'messages', 'generate-content', 'responses']
const kinds: readonly string[] = ['signature', 'redacted', 'encrypted']

/**
 * State of another vendor in a form that a client carries and gives back unread: standard base64, because
 * some SDKs decode such fields to bytes. It names the vendor and model that may read it.
 */
export function markState({ origin, kind, model, id, data, text }: ReasoningState): string {
  const more = { ...(id === undefined ? {} : { id }), ...(text === undefined ? {} : { text }) }
  const content = { origin, kind, model, ...more, data }
  return Buffer.from(PREFIX + JSON.stringify(content)).toString('base64')
}

function readMark(text: string): ReasoningState | null {
  // base64url and missing padding are what an SDK may have made of it.
  if (!text.startsWith(STATE_MARK)) return null
  let content: Record<string, unknown> | undefined
  try {
    content = asObject(JSON.parse(Buffer.from(text, 'base64').toString().slice(PREFIX.length)))
  } catch {
    return null
  }
  const data = asString(content?.data)
  const id = asString(content?.id)
  const beside = asString(content?.text)
  if (!content || data === undefined) return null
  if (!formats.includes(content.origin as string) || !kinds.includes(content.kind as string)) {
    return null
  }
  return {
    origin: content.origin as WireFormat,
    kind: content.kind as ReasoningState['kind'],
    data,
    model: asString(content.model) ?? null,
    ...(id === undefined ? {} : { id }),
    ...(beside === undefined ? {} : { text: beside }),
  }
}

/**
 * State as a client gave it back: what the mark says, else the vendor's own of the format it came in, whose
 * model is not known. Never throws: a broken mark is read as the vendor's own.
 */
export function readState(
  text: string,
  origin: WireFormat,
  kind: ReasoningState['kind'],
): ReasoningState {
  return readMark(text) ?? { origin, kind, data: text, model: null }
}

/** The state if a vendor of `format` made it; every other vendor would refuse it. */
export function stateFor(
  state: ReasoningState | undefined,
  format: WireFormat,
): ReasoningState | undefined {
  return state?.origin === format ? state : undefined
}

/** Makers of models by how their names begin, as modelName spells them. */
const makers = [
  ...['claude', 'gemini', 'gpt-oss', 'deepseek', 'kimi', 'glm', 'qwen', 'grok'],
  ...['minimax', 'mistral'],
]

function makerOf(name: string): string | undefined {
  const maker = makers.find((one) => name.startsWith(one))
  return maker ?? (/^(?:gpt|o\d|codex|chatgpt)/.test(name) ? 'openai' : undefined)
}

/**
 * May state that a vendor of the wire format made go to this model? Chat has no vendor of its own, so there
 * the model must be the very one that made it; elsewhere no other maker's. `isNative`: the client speaks that
 * format, and holds what its own upstream gave it.
 */
export function isReadBy(
  { origin, model: made }: ReasoningState,
  model: string,
  isNative: boolean,
): boolean {
  if (made === null) return origin !== 'chat' || isNative
  const [from, to] = [modelName(made), modelName(model)]
  if (origin === 'chat' || from === to) return from === to
  const [maker, reader] = [makerOf(from), makerOf(to)]
  return maker === undefined || reader === undefined || maker === reader
}

/** Does a request body hold a marked state? Then its own format's upstream may not get it untouched. */
export function carriesMark(body: { includes(bytes: Buffer): boolean }): boolean {
  return body.includes(markEnd) && body.includes(markBytes)
}
