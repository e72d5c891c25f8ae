import { refuse } from '../../check/check-request.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import { KeyList } from '../../check/key-list.ts'
import type { NamedModel } from '../../check/named-models.ts'
import { invalidJson } from '../../json/invalid-json.ts'
import { JsonFields } from '../../json/json-fields.ts'
import { asObject } from '../../json/json-value.ts'

const OPEN_OBJECT = 0x7b
/** Objects of a client's messages that may name a model. */
const NAMING = ['session', 'response'] as const

const OF_SESSION = ['model', 'type', 'audio', 'input_audio_transcription']

const guard = new KeyGuard({
  keys: ['type', ...NAMING],
  within: { session: OF_SESSION, response: ['model'] },
})

/** Ways from a session to what transcribes the user's speech: that of today and that of the beta. */
const TRANSCRIPTIONS = [['audio', 'input', 'transcription'], ['input_audio_transcription']]

function fieldsOf(data: Buffer): JsonFields {
  try {
    return new JsonFields(data)
  } catch (cause) {
    throw invalidJson(cause)
  }
}

/** The model by which a session has the user's speech transcribed. Throws for one that readers could take for another. */
export function transcriptionModels(session: unknown): NamedModel[] {
  return TRANSCRIPTIONS.flatMap((steps): NamedModel[] => {
    let inner = asObject(session)
    let at = 'session'
    for (const step of steps) {
      const value = inner?.[step] ?? null
      if (value === null) return []
      at += `.${step}`
      inner = asObject(value) ?? refuse(at, 'must_be_object')
      const [next = 'model'] = steps.slice(steps.indexOf(step) + 1)
      new KeyList([next]).check(Object.keys(inner), `${at}.`)
    }
    const name = inner?.model ?? null
    if (name === null) return []
    return typeof name === 'string'
      ? [{ name, at: `${at}.model` }]
      : refuse(`${at}.model`, 'must_be_model')
  })
}

/** The names of a session's model. */
interface SessionModel {
  model: string
  /** At the upstream. */
  upstreamModel: string
  /** A model's own name for one that its client calls it by. */
  rename: (name: string) => string
}

interface CheckedMessage {
  /** The message with models by their own names, every other byte as it was. */
  data: Buffer
  /** Models that are to transcribe. */
  transcribers: NamedModel[]
}

/**
 * Looks at a client's message of a realtime session, text or binary: every parser must read it alike, and the model
 * that answers stays the session's, under its name here or at the upstream. Throws `invalid_json` or
 * `invalid_request`.
 */
export function checkRealtimeMessage(
  data: Buffer,
  { model, upstreamModel, rename }: SessionModel,
): CheckedMessage {
  // JSON without an object is no message.
  if (!data.includes(OPEN_OBJECT)) return { data, transcribers: [] }
  let fields = fieldsOf(data)
  guard.check(fields)
  const session = fields.get('session')
  for (const name of NAMING) {
    const named = asObject(fields.get(name))?.model ?? null
    if (named === null || named === upstreamModel) continue
    if (typeof named !== 'string' || rename(named) !== model)
      refuse(`${name}.model`, { code: 'must_be_model_of_session', model })
    fields = new JsonFields(fields.setWithin([name], { model: upstreamModel }))
  }
  const transcribers = transcriptionModels(session).map(({ name, at }) => {
    const own = rename(name)
    if (own !== name) {
      const path = at.split('.').slice(0, -1)
      fields = new JsonFields(fields.setWithin(path, { model: own }))
    }
    return { name: own, at }
  })
  return { data: fields.bytes, transcribers }
}
