import type { Random } from './random.ts'

/** Bytes that parsers stumble over: ends of lines, frames, invalid UTF-8, signs of JSON and of events. */
const PIECES = [
  '\n\n',
  '\r\n',
  '\r',
  '\0',
  'data: ',
  'data: {"error":{"message":"no"}}\n\n',
  'data: [DONE]\n\n',
  'event: error\n',
  ': comment\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\u0000',
  '\\ud800',
  '1e999',
  '-0',
  'null',
  '\ufeff',
  '--',
  'Content-Disposition: form-data; name="model"\r\n\r\n',
].map((text) => Buffer.from(text))

const BROKEN_UTF8 = [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])]

type Change = (bytes: Buffer, at: number, random: Random) => Buffer

const changes: readonly Change[] = [
  // A bit flips.
  (bytes, at, random) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << random.integer(8))
    return copy
  },
  // It ends too early.
  (bytes, at) => bytes.subarray(0, at),
  // It begins too late.
  (bytes, at) => bytes.subarray(at),
  // Something stands in it twice.
  (bytes, at, random) => {
    const end = at + random.integer(200)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
  },
  // Something is missing.
  (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.integer(50))]),
  // Something stands where it does not belong.
  (bytes, at, random) =>
    Buffer.concat([
      bytes.subarray(0, at),
      random.pick(random.chance(0.2) ? BROKEN_UTF8 : PIECES),
      bytes.subarray(at),
    ]),
]

/** The bytes with one to four faults in them. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let left = 1 + random.integer(4); left > 0; left--) {
    mutated = random.pick(changes)(mutated, random.integer(mutated.length + 1), random)
  }
  return mutated
}
