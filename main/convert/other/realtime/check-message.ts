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

/**
 * Looks at a client's message of a realtime session, text or binary: every parser must read it alike, and the model
 * that answers stays the session's, under its name here or at the upstream. Gives the models that are to transcribe.
 * Throws `invalid_json` or `invalid_request`.
 */
export function checkRealtimeMessage(
  data: Buffer,
  models: readonly [string, ...string[]],
): NamedModel[] {
  // JSON without an object is no message.
  if (!data.includes(OPEN_OBJECT)) return []
  const fields = fieldsOf(data)
  guard.check(fields)
  for (const name of NAMING) {
    const model = asObject(fields.get(name))?.model
    if (model === undefined || model === null || models.includes(model as string)) continue
    refuse(`${name}.model`, { code: 'must_be_model_of_session', model: models[0] })
  }
  return transcriptionModels(fields.get('session'))
}
