import type { CapturedHeaders, CapturedRequest } from '../../capture/capture.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import type { ExchangeRequest } from '../../convert/exchange.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import { bytesOf, jsonOf } from '../body/body-content.ts'
import { type ReadingPart, readPart } from './reading-part.ts'

/** Headers as the decoders read them; the last of a name counts. */
export const headersOf = (headers: CapturedHeaders): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))

function readTurns({ turns }: ExchangeRequest): ReadingPart[] {
  const names = new Map<string, string>()
  for (const { parts } of turns) {
    for (const part of parts) if (part.type === 'call' && part.id) names.set(part.id, part.name)
  }
  return turns.flatMap(({ role, parts }) =>
    parts
      .flatMap((part) => readPart(part, role, (id) => names.get(id)))
      .filter(({ kind, text }) => text !== '' || kind !== 'reasoning'),
  )
}

/** Where calls that are no conversation have their words. */
const inputFields = ['instructions', 'query', 'documents', 'input', 'prompt']

function plainInput(body: Record<string, unknown>): ReadingPart[] {
  return inputFields.flatMap((name) => {
    const value = body[name]
    const texts = Array.isArray(value) ? asArray(value) : [value]
    return texts.flatMap((one): ReadingPart[] => {
      const text = asString(one) ?? asString(asObject(one)?.text)
      return text === undefined ? [] : [{ role: 'user', kind: 'text', text }]
    })
  })
}

/** A conversation can be read without what a call would be refused for. */
const required = { model: 'model', max_tokens: 1 }

/** A request as a person reads it. Throws `invalid_request` where its conversation cannot be read. */
export function readRequest(
  { body, headers, files }: CapturedRequest,
  format: string,
): ReadingPart[] {
  const value = asObject(jsonOf(body))
  const sent = (files ?? []).map(
    ({ name, size }): ReadingPart => ({ role: 'user', kind: 'file', text: '', name, size }),
  )
  if (!value) return sent
  const written = bodyFormat(format as CallFormat, new JsonFields(bytesOf(body)))
  const conversion = traitsOf(written).conversion
  if (!conversion) return [...plainInput(value), ...sent]
  // A call that counts tokens may hold its request in a field.
  const asked = conversion.count?.unwrapRequest(value) ?? value
  return readTurns(conversion.decodeRequest({ ...required, ...asked }, headersOf(headers)))
}
