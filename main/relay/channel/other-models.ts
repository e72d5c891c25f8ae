import { GatewayError } from '../../base/errors.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { namedModels, renameNamed } from '../../convert/check/named-models.ts'
import type { Codec } from '../../convert/codec.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import { asObject, asString } from '../../convert/json/json-value.ts'
import { modelName } from '../../convert/model/model-name.ts'
import type { Channel } from '../../store/records/channels.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import { mapModel } from './map-model.ts'

type Mapping = Pick<Channel, 'name' | 'modelMapping'>

/** Throws where the call names, beside its own, a model that the channel does not list: another channel may. */
export function requireListed(call: Call, channel: Channel): void {
  for (const { name, at } of namedModels(call.body)) {
    if (channel.models.includes(name)) continue
    throw new GatewayError('invalid_request', {
      message: `${at}: the channel "${channel.name}" does not list the model ${nameOf(call, name)}. Leave it out, or add it to the channel's models.`,
      reason: {
        code: 'model_unlisted',
        field: at,
        channel: channel.name,
        model: shortNameOf(call, name),
      },
      field: at,
    })
  }
}

/** The models beside a call's own to set in a body, under their names at the channel's upstream; none where these are the same. */
export const renamedModels = (
  read: (field: string) => unknown,
  channel: Mapping,
): Record<string, unknown> =>
  Object.keys(channel.modelMapping).length === 0
    ? {}
    : renameNamed(read, (name) => mapModel(name, channel))

/** The model that an event or a whole answer says it is of. */
function modelIn(value: unknown, modelField: string): string | undefined {
  const event = asObject(value)
  const holder = asObject(event?.message) ?? asObject(event?.response) ?? event
  return asString(holder?.[modelField]) ?? asString(event?.[modelField])
}

const DATA = /^data:\s*(\{.*\})\s*$/gm

/** An answer as far as it names its model: its fields, or the first bytes of a stream. */
interface NamingAnswer {
  readonly fields?: JsonFields | null
  readonly beginning: readonly Buffer[]
}

/** The model in an answer, which may be a stream that has just begun. */
function reportedModel(
  { beginning, fields }: NamingAnswer,
  modelField: string,
): string | undefined {
  if (fields) return asString(fields.get(modelField))
  for (const [, json = ''] of Buffer.concat(beginning).toString('utf8').matchAll(DATA)) {
    const model = modelIn(parseJson(Buffer.from(json)), modelField)
    if (model !== undefined) return model
  }
  return undefined
}

/**
 * The names here of a model that answered, if it is one that the call names: the very same, else those of the same
 * model; empty where it is none of them.
 */
function namesAmong(
  models: readonly string[],
  answered: string,
  channel: Mapping,
): readonly string[] {
  const exact = models.filter((one) => mapModel(one, channel) === answered || one === answered)
  if (exact.length > 0) return exact
  return models.filter((one) => modelName(mapModel(one, channel)) === modelName(answered))
}

const modelsNamed = (call: Call): readonly string[] => [
  ...new Set([call.model, ...namedModels(call.body).map(({ name }) => name)]),
]

/** The names here of a model that the vendor says it used for a call; its own word where the call doesn't name it. */
export function namesHere(call: Call, said: string, channel: Mapping | null): readonly string[] {
  const names = channel ? namesAmong(modelsNamed(call), said, channel) : []
  return names.length > 0 ? names : [said]
}

/**
 * Models by the price of which an answer is to be charged: of a call that names several, the one that the answer says
 * it is of; all of them where it says none of these. Null for a call that names one, whatever its vendor says.
 */
export function answeredModels(
  call: Call,
  received: NamingAnswer,
  { modelField }: Codec,
  channel: Mapping,
): readonly string[] | null {
  if (namedModels(call.body).length === 0) return null
  const models = modelsNamed(call)
  const answered = reportedModel(received, modelField)
  if (answered === undefined) return models
  const names = namesAmong(models, answered, channel)
  return names.length > 0 ? names : models
}
