import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FieldFinder, findFields, sliceOf } from '../../../../main/convert/json/find-fields.ts'
import { scanSlowly } from '../../../../main/convert/json/scan-json-slowly.ts'
import { AT, fillTables, KEPT, STATE } from '../../../../main/convert/json/scan-json-tables.ts'
import { runsOf } from '../../../support/every-case.ts'

const urlOf = (path: string) => new URL(`../../../../${path}`, import.meta.url)

/** Texts in which strings are hard to tell apart from the JSON around them. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '\\\\', '\\"', '[{', ']}', 'Y_y', '\u007f', '模型', '\n'),
      fc.string({ maxLength: 40 }),
      fc.integer({ min: 1, max: 300 }).map((length) => 'x'.repeat(length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const message = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(text, fc.array(fc.record({ type: fc.constant('text'), text }))),
  more: fc.jsonValue({ maxDepth: 4 }),
})

/** A conversation of tens of thousands of bytes, with short fields around it. */
const body = fc
  .record({
    model: text,
    stop: fc.array(text, { maxLength: 3 }),
    messages: fc.array(message, { minLength: 40, maxLength: 120 }),
    metadata: fc.dictionary(text, text, { maxKeys: 3 }),
    n: fc.integer(),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>)

/** The bytes in pieces that end anywhere; most of thousands of bytes. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const length = lengths[index % lengths.length] as number
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

const lengths = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1000, max: 100_000 })),
  { minLength: 1, maxLength: 8 },
)

const outcome = (pieces: readonly Buffer[]): unknown => {
  try {
    return findFields(pieces)
  } catch (error) {
    return (error as Error).message
  }
}

describe('the fields of a long conversation', () => {
  test('are found whole, wherever quotes and backslashes stand in it and its bytes are cut', () => {
    fc.assert(
      fc.property(body, lengths, fc.integer({ min: 0, max: 2 }), (object, cuts, indent) => {
        const pieces = cut(Buffer.from(JSON.stringify(object, null, indent)), cuts)
        const found = findFields(pieces).fields.map(({ name, start, end }) => [
          name,
          JSON.parse(sliceOf(pieces, start, end).toString()),
        ])
        expect(Object.fromEntries(found)).toEqual(object)
        expect(found).toHaveLength(Object.keys(object).length)
      }),
      { ...runsOf(150, 40), endOnFailure: true },
    )
  })

  test('are found whole, wherever they are cut in two', () => {
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: 'user',
      content: `${'\\'.repeat(index % 7)}"${'[{'.repeat(index % 3)}\\"${'x'.repeat(index)}`,
    }))
    const bytes = Buffer.from(JSON.stringify({ messages, model: 'm"', stop: [messages[5]] }))
    const whole = findFields([bytes])
    expect(whole.fields.map(({ name }) => name)).toEqual(['messages', 'model', 'stop'])
    for (let at = 0; at <= bytes.length; at++) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)]
      expect(findFields(pieces), `cut at ${at}`).toEqual({ ...whole, text: null })
    }
  })

  test('are found behind an empty piece, whatever was looked at before', () => {
    // The scanner reads whole blocks: bytes of the body before stand behind the end of this one.
    findFields([Buffer.from(`{"before":"${'é'.repeat(100)}"}`)])
    const { fields } = findFields([Buffer.alloc(0), Buffer.from('{"model":"m"}')])
    expect(fields.map(({ name }) => name)).toEqual(['model'])
  })

  test('are refused at the same place, however the bytes come, when one byte of them is wrong', () => {
    fc.assert(
      fc.property(
        body,
        lengths,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom('"', '\\', '[', '}', ']', 'x'),
        (object, cuts, place, wrong) => {
          const bytes = Buffer.from(JSON.stringify(object))
          bytes[Math.floor(place * bytes.length)] = wrong.charCodeAt(0)
          // So short that every byte is looked at for itself.
          expect(outcome(cut(bytes, cuts))).toEqual(outcome(cut(bytes, [500])))
        },
      ),
      { ...runsOf(300, 75), endOnFailure: true },
    )
  })

  test('are found in what is nested as deep as parsers go, and refused in what is deeper', () => {
    const nested = (depth: number) =>
      Buffer.from(`{"deep":${'['.repeat(depth)}1${']'.repeat(depth)},"model":"m"}`)
    const { fields } = findFields([nested(9999)])
    expect(fields.map(({ name, end, start }) => [name, end - start])).toEqual([
      ['deep', 19_999],
      ['model', 3],
    ])
    expect(() => findFields([nested(10_000)])).toThrow('unexpected "[" at position 10007')
  })

  test('are found while those of another body are looked for', () => {
    const bodies = ['{"a":[{"b":"c\\u00e9"}],"d":-1.5e3}', '{"e":{"f":[tr', 'ue]},"g":"h"}'].map(
      (one) => Buffer.from(one),
    ) as [Buffer, Buffer, Buffer]
    for (let at = 0; at <= bodies[0].length; at++) {
      const [one, other] = [new FieldFinder(), new FieldFinder()]
      one.push(bodies[0].subarray(0, at))
      other.push(bodies[1])
      one.push(bodies[0].subarray(at))
      other.push(bodies[2])
      expect(one.end().fields.map(({ name }) => name)).toEqual(['a', 'd'])
      expect(other.end().fields.map(({ name }) => name)).toEqual(['e', 'g'])
    }
  })
})

const fragment = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u12aF',
    '\\u1',
    '\\ud83d',
    '\\n',
    '\\"',
    'true',
    'nul',
  ],
  ...[
    '-1.5e+3',
    '01',
    '1.',
    '-',
    'NaN',
    ' ',
    '\n',
    '\t',
    '\f',
    '\v',
    '\u00a0',
    '//',
    '/**/',
    "'",
    '\0',
    '\x7f',
  ],
  ...['é', '模', 'x'.repeat(70), '"k":', '{"a":[1,{}]}', '[]'],
)

/** Texts that are JSON, or not quite. */
const nearlyJson = fc
  .tuple(
    fc.dictionary(text, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 }),
    fc.integer({ min: 0, max: 2 }),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fragment), { maxLength: 2 }),
  )
  .map(([object, indent, changes]) => {
    let json = JSON.stringify(object, null, indent)
    for (const [place, left, added] of changes) {
      const at = place % (json.length + 1)
      json = json.slice(0, at) + added + json.slice(at + left)
    }
    return json
  })

const isObject = (json: string): boolean => {
  try {
    const value = JSON.parse(json) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The first fault that the scanner for processors without vectors finds and its place, or `whole`. */
function slowOutcome(pieces: readonly Buffer[]): string {
  const memory = new Uint8Array(AT.end)
  fillTables(memory)
  const kept = new Int32Array(memory.buffer, AT.kept, KEPT.words)
  kept[KEPT.state] = STATE.start
  let base = 0
  for (const piece of pieces) {
    memory.set(piece)
    const found = scanSlowly(memory, piece.length)
    const state = kept[KEPT.state]
    if (found < 0)
      return state === STATE.start ? 'not an object' : `at position ${base - 1 - found}`
    base += piece.length
  }
  if (kept[KEPT.state] === STATE.start) return 'not an object'
  return kept[KEPT.state] === STATE.nothing ? 'whole' : 'it ends too early'
}

describe('what is JSON and what is not', () => {
  test('is what JSON.parse says, however the bytes come and whatever the processor can', () => {
    fc.assert(
      fc.property(nearlyJson, lengths, (json, cuts) => {
        const pieces = cut(Buffer.from(json), cuts)
        const found = outcome(pieces)
        expect(typeof found === 'object').toBe(isObject(json))
        const slow = slowOutcome(pieces)
        expect(slow === 'whole' ? found : String(found)).toEqual(
          slow === 'whole' ? expect.any(Object) : expect.stringContaining(slow),
        )
      }),
      { ...runsOf(3000, 750), endOnFailure: true },
    )
  })
})

describe('the module that looks at many bytes at once', () => {
  test('is what its source text says', () => {
    const script = fileURLToPath(urlOf('.scripts/compile-wat.mjs'))
    const compiled = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })
    const kept = readFileSync(urlOf('main/convert/json/scan-json-wasm.ts'), 'utf8')
    expect(kept, 'run: node .scripts/compile-wat.mjs').toBe(compiled)
  })

  test.runIf(process.arch === 'x64')(
    'is done without where the processor lacks what it needs',
    () => {
      const script = `
      const { findFields } = await import(${JSON.stringify(urlOf('main/convert/json/find-fields.ts').href)})
      const text = JSON.stringify({ messages: Array(500).fill({ content: 'a "quoted" text' }), n: 1 })
      const { fields } = findFields([Buffer.from(text)])
      console.log(fields.map(({ name }) => name).join())
      try { findFields([Buffer.from(text.replace(',', ',,'))]) } catch (error) { console.log(error.message) }`
      const flags = ['--no-enable-sse4-1', '--no-enable-ssse3', '--import', 'tsx']
      const told = execFileSync(
        process.execPath,
        [...flags, '--input-type=module', '--eval', script],
        { cwd: fileURLToPath(urlOf('.')), encoding: 'utf8' },
      )
      expect(told.trim().split('\n')).toEqual(['messages,n', 'unexpected "," at position 45'])
    },
  )
})
