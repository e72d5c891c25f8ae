import { checkToolKeys } from '../../convert/check/guarded-keys.ts'
import { modelFieldsOf, renameNamed } from '../../convert/check/named-models.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { Call } from './call.ts'

type Named = Pick<Call, 'model' | 'askedModel'>
export type Asked = Pick<Call, 'model' | 'askedModel' | 'askedBeside'>

/** The model of a call that names it, or names an alias that its token has for it. */
export function namedModel(token: Pick<Token, 'modelAliases'> | null, name: string): Named {
  const aliases = token?.modelAliases
  const model = aliases && Object.hasOwn(aliases, name) ? aliases[name] : undefined
  return model === undefined ? { model: name } : { model, askedModel: name }
}

/** As `namedModel`, and the call's body, in which the models beside the call's own go by their own names too. */
export function ownNames(
  token: Pick<Token, 'modelAliases'> | null,
  name: string,
  body: JsonFields,
): Asked & Pick<Call, 'body'> {
  const aliases = token?.modelAliases
  if (!aliases || Object.keys(aliases).length === 0) return { model: name, body }
  const named = namedModel(token, name)
  const askedBeside = new Map<string, string>()
  const fields = renameNamed(modelFieldsOf(body), (asked) => {
    const { model, askedModel: alias } = namedModel(token, asked)
    if (alias !== undefined) askedBeside.set(alias, model)
    return model
  })
  if (askedBeside.size === 0) return { ...named, body }
  // Written anew they would hide a key that stands there twice.
  if (fields.tools !== undefined) checkToolKeys(body)
  return { ...named, askedBeside, body: new JsonFields(body.set(fields)) }
}

/** The name that the client knows the model by. */
export const askedModel = ({ model, askedModel: asked }: Named): string => asked ?? model

function aliasOf(call: Asked, model: string): string | undefined {
  // A route may have the name of its target.
  if (model === call.model) return call.askedModel === model ? undefined : call.askedModel
  return [...(call.askedBeside ?? [])].find(([, one]) => one === model)?.[0]
}

/** A model of a call in a sentence, with the alias that its client asked for. */
export function nameOf(call: Asked, model = call.model): string {
  const alias = aliasOf(call, model)
  return alias === undefined ? `"${model}"` : `"${model}" (asked for as "${alias}")`
}

/** The same as a value of a sentence. */
export function shortNameOf(call: Asked, model = call.model): string {
  const alias = aliasOf(call, model)
  return alias === undefined ? model : `${model} (${alias})`
}
