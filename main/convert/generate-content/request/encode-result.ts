import type { MediaPart, ToolResultPart } from '../../exchange.ts'
import { ExactNumber, parseExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { type Encoding, nodeFields } from '../encoding.ts'
import { FORMAT, placeFields, spellingOf } from '../wire-fields.ts'
import { encodeMedia, encodeMediaData } from './encode-media.ts'

/** The text as a JSON object, if it is one. */
function objectIn(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value = parseExact(text)
    return value instanceof ExactNumber ? undefined : asObject(value)
  } catch {
    return undefined
  }
}

/** An object in any case: Google's own words for a result and a failure where the tool gave none. */
function encodeResponse(part: ToolResultPart, text: string): JsonObject {
  const spelled = asObject(spellingOf(part.native).response)
  if (spelled) return spelled
  const object = objectIn(text)
  if (part.isError) return { error: object ?? text }
  return object ?? { output: text }
}

/** Which name and id the wire has, told by the call that the result belongs to. */
export interface ResultLabel {
  name: string
  id: string | null
}

const titled = ({ title, source }: MediaPart): string => {
  const text = source.type === 'text' ? source.text : ''
  return title ? `${title}\n\n${text}` : text
}

/**
 * A result as a `functionResponse`, and what of it has to stand behind the turn's results: its files,
 * where the model takes none inside.
 */
export function encodeResult(
  part: ToolResultPart,
  label: ResultLabel,
  encoding: Encoding,
): { wire: JsonObject; after: JsonObject[] } {
  const { loss, rules, isOwn } = encoding
  const texts: string[] = []
  const files: MediaPart[] = []
  for (const one of part.parts) {
    if (one.type === 'native') {
      if (one.origin !== FORMAT) loss.drop(one.at ?? 'result', 'result_without_equal')
      continue
    }
    if (one.type === 'text') {
      nodeFields(one, encoding)
      texts.push(one.text)
    } else if (one.source.type === 'text' && !isOwn) texts.push(titled(one))
    else files.push(one)
  }
  const holdsFiles = isOwn || rules.resultMedia
  const after: JsonObject[] = []
  if (!holdsFiles && files.length > 0) {
    const id = label.id === null ? '' : ` (${label.id})`
    after.push({ text: `Files of the result of ${label.name}${id}:` })
    texts.push('[Its files follow.]')
    for (const file of files) {
      loss.approximate(file.at ?? part.at ?? label.name, 'behind_results_of_turn')
      after.push(...encodeMedia(file, encoding))
    }
  }
  const parts = holdsFiles ? files.map((file) => encodeInside(file, encoding)) : []
  const functionResponse = {
    ...(label.id === null ? {} : { id: label.id }),
    name: label.name,
    response: encodeResponse(part, texts.join('\n')),
    ...(parts.length > 0 ? { parts } : {}),
  }
  return { wire: placeFields({ functionResponse }, nodeFields(part, encoding)), after }
}

function encodeInside(file: MediaPart, encoding: Encoding): JsonObject {
  const data = encodeMediaData(file, encoding)
  if (file.filename !== undefined) {
    for (const value of Object.values(data)) (value as JsonObject).displayName = file.filename
  }
  return placeFields(data, nodeFields(file, encoding))
}
