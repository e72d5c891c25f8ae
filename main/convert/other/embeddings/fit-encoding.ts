import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'
import { recode } from './vector.ts'

const NAME = Buffer.from('"embedding"')
const COLON = 0x3a
const QUOTE = 0x22

const isSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Index of the next byte that is no white space. */
function skipSpace(bytes: Buffer, from: number): number {
  let index = from
  while (isSpace(bytes[index])) index++
  return index
}

/** The byte that the first embedding begins with; undefined where there is none. */
function firstByte(answer: Buffer): number | undefined {
  // The word stands as a value too: `"object": "embedding"`.
  for (let at = answer.indexOf(NAME); at >= 0; at = answer.indexOf(NAME, at + 1)) {
    const colon = skipSpace(answer, at + NAME.length)
    if (answer[colon] === COLON) return answer[skipSpace(answer, colon + 1)]
  }
  return undefined
}

/**
 * A vendor's answer in OpenAI's shape with its vectors in the encoding that the client asked for, where the
 * vendor gave the other one: an SDK that asked for base64 takes a list of floats for a quarter as many.
 * Null where nothing is to be changed, which a look at the first vector's first byte tells.
 */
export function fitEncoding(answer: Buffer, wanted: 'float' | 'base64'): Buffer | null {
  const first = firstByte(answer)
  if (first === undefined || (first === QUOTE) === (wanted === 'base64')) return null
  let body: JsonObject | undefined
  try {
    body = asObject(JSON.parse(answer.toString('utf8')))
  } catch {
    return null
  }
  const data: JsonObject[] = []
  for (const item of asArray(body?.data)) {
    const entry = asObject(item)
    const embedding = recode(entry?.embedding, wanted)
    if (embedding === null) return null
    data.push({ ...entry, embedding })
  }
  return data.length === 0 ? null : Buffer.from(JSON.stringify({ ...body, data }))
}
