import type { Importer } from '../transfer.ts'
import { Carried } from './carried.ts'
import type { Field } from './text/field.ts'
import { parseYaml } from './text/parse-yaml.ts'
import { wrongText } from './text/wrong-text.ts'
import { readVariables } from './vendor/read-variables.ts'

/** A list, or one text in its place. */
const textsOf = (field: Field): Field[] => (field.isText ? [field] : field.items())

/** Parts a text at the first separator. */
function split(field: Field, separator: string): [string, string] {
  const text = field.text()
  const at = text.indexOf(separator)
  if (at <= 0)
    throw wrongText(`“${field.path}” must be of the form name${separator}value.`, {
      code: 'part_pair',
      part: field.path,
      separator,
    })
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** The variables that Aider sets by its configuration. */
function variablesOf(file: Field): Map<string, string> {
  const variables = new Map<string, string>()
  const set = (name: string, field: Field) => {
    if (field.isThere) variables.set(name, field.text())
  }
  set('OPENAI_API_KEY', file.at('openai-api-key'))
  set('ANTHROPIC_API_KEY', file.at('anthropic-api-key'))
  set('OPENAI_API_BASE', file.at('openai-api-base'))
  for (const field of textsOf(file.at('set-env'))) variables.set(...split(field, '='))
  for (const field of textsOf(file.at('api-key'))) {
    const [vendor, key] = split(field, '=')
    variables.set(`${vendor.toUpperCase()}_API_KEY`, key)
  }
  return variables
}

const NAMES =
  /^(?:openai-api-key|anthropic-api-key|openai-api-base|api-key|set-env|weak-model)\s*:/m

/** Aider's `.aider.conf.yml`. */
export const aider: Importer = {
  id: 'aider',
  name: 'Aider',
  detect: (text, filename = '') => /\.aider\.conf\.ya?ml$/.test(filename) || NAMES.test(text),
  read(text) {
    const file = parseYaml(text)
    const carried = new Carried()
    readVariables(variablesOf(file), carried)
    for (const name of ['model', 'weak-model', 'editor-model']) {
      if (file.at(name).isThere) carried.leave(name, 'choose_model')
    }
    for (const field of textsOf(file.at('alias'))) {
      const [alias, model] = split(field, ':')
      carried.leave(['alias', alias], ['map_it', { model: model.slice(0, 80) }])
    }
    return carried.foreign()
  },
}
