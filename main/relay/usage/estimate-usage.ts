import { estimateTokens } from '../../base/estimate-tokens.ts'
import { conversionOf, isWireFormat } from '../../convert/codecs.ts'
import { estimateOutput } from '../../convert/estimate/estimate-output.ts'
import type { Usage } from '../../convert/exchange.ts'
import { parseExact } from '../../convert/json/exact-json.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { Call } from '../call/call.ts'
import { BIG_BODY, estimatedPrompt } from './estimated-prompt.ts'
import { roughTokens } from './rough-tokens.ts'

/** Tokens of all texts in a JSON value, however deep; a number is a token that the client has made itself. */
function tokensIn(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value)
  if (typeof value === 'number') return 1
  const items = Array.isArray(value) ? value : Object.values(asObject(value) ?? {})
  return items.reduce((sum: number, item) => sum + tokensIn(item), 0)
}

/** The field of each format that is read to be embedded. */
const embedded: Partial<Record<Call['format'], string>> = {
  embeddings: 'input',
  'embed-content': 'content',
  'batch-embed-contents': 'requests',
}

function completionText(answer: JsonFields): string {
  return asArray(answer.get('choices'))
    .map((choice) => asString(asObject(choice)?.text))
    .join('')
}

function countedTokens(call: Call, answer: JsonFields): Pick<Usage, 'input' | 'output'> | null {
  const { format, body } = call
  if (isWireFormat(format)) {
    if (answer.size >= BIG_BODY) {
      return { input: estimatedPrompt(call), output: roughTokens(answer.pieces) }
    }
    const { choices } = conversionOf(format).decodeResponse(
      parseExact(answer.bytes.toString('utf8')),
    )
    const output = estimateOutput(choices.flatMap(({ parts }) => parts))
    return { input: estimatedPrompt(call), output }
  }
  if (format === 'completions') {
    const prompt = tokensIn(body.get('prompt'))
    return { input: prompt, output: estimateTokens(completionText(answer)) }
  }
  const field = embedded[format]
  if (field === undefined) return null
  return { input: tokensIn(body.get(field)), output: 0 }
}

/**
 * About what a whole answer has used whose vendor does not tell, from the words of both. Null where words say
 * nothing of it: of pictures and sound, and of an answer that cannot be read.
 */
export function estimateUsage(call: Call, answer: JsonFields): Usage | null {
  try {
    const counted = call.form ? null : countedTokens(call, answer)
    return counted && { ...counted, cachedInput: 0, cacheWrite: 0, reasoning: 0 }
  } catch {
    // It goes to the client as it came: what is wrong with it is not for the books to say.
    return null
  }
}
