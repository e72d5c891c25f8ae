import { refuse } from '../../check-request.ts'
import { KeyGuard } from '../../guarded-keys.ts'
import { invalidJson } from '../../invalid-json.ts'
import { JsonFields } from '../../json-fields.ts'
import { asObject } from '../../json-value.ts'

const OPEN_OBJECT = 0x7b
/** Objects of a client's messages that may name a model. */
const NAMING = ['session', 'response'] as const

const guard = new KeyGuard({
  keys: ['type', ...NAMING],
  within: { session: ['model', 'type'], response: ['model'] },
})

function fieldsOf(data: Buffer): JsonFields {
  try {
    return new JsonFields(data)
  } catch (cause) {
    throw invalidJson(cause)
  }
}

/**
 * Looks at a client's message of a realtime session, text or binary: every parser must read it alike, and it may name
 * no model but the session's, under its name here or at the upstream. Throws `invalid_json` or `invalid_request`.
 */
export function checkRealtimeMessage(data: Buffer, models: readonly string[]): void {
  // What holds no object is no message, whoever reads it.
  if (!data.includes(OPEN_OBJECT)) return
  const fields = fieldsOf(data)
  guard.check(fields)
  for (const name of NAMING) {
    const model = asObject(fields.get(name))?.model
    if (model === undefined || model === null || models.includes(model as string)) continue
    refuse(
      `${name}.model`,
      `must be the model of the session, "${models[0]}". Open another session for another model`,
    )
  }
}
