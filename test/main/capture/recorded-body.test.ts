import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordedBody } from '../../../main/capture/recorded-body.ts'

/** Memory with so many bytes, and a body with it. */
function recorded({ largestBody = 1e6, free = 1e9 } = {}) {
  let left = free
  const body = new RecordedBody({
    since: 0,
    largestBody,
    take: (bytes) => {
      if (bytes > left) return false
      left -= bytes
      return true
    },
  })
  return { body, taken: () => free - left }
}

/** Are the joined pieces the chunks, with the same bounds? */
function expectJoined({ chunks, joined }: RecordedBody) {
  if (!joined) return
  expect(Buffer.concat(joined.pieces).equals(Buffer.concat(chunks))).toBe(true)
  expect(joined.lengths).toEqual(chunks.map(({ length }) => length))
}

const chunk = fc
  .oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 900, max: 5000 }))
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))

test('a chunk has its time to the microsecond, without the digits of a subtraction behind it', () => {
  const { body } = recorded()
  for (let count = 0; count < 50; count++) body.push(Buffer.from('a'))
  expect(body.times.map((time) => Number(time.toFixed(3)))).toEqual(body.times)
})

test('chunks small and large in any order come back as they crossed, each with its time', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 60 }), (chunks) => {
      const { body, taken } = recorded()
      for (const one of chunks) {
        const bytes = Buffer.from(one)
        body.push(bytes)
        // Its reader may use small memory again.
        if (bytes.length < 1024 && body.chunks.length > 1) bytes.fill(0)
      }
      const kept = chunks.filter(({ length }) => length > 0)
      expect(body.chunks.map((one) => [...one])).toEqual(kept.map((one) => [...one]))
      expect(body.times).toHaveLength(kept.length)
      expect(body.joined).toBeDefined()
      expectJoined(body)
      expect(body.size).toBe(kept.reduce((sum, { length }) => sum + length, 0))
      expect(taken()).toBeGreaterThanOrEqual(
        body.chunks.reduce((sum, { length }) => sum + length, 0),
      )
    }),
  )
})

test('what a client got is kept once while it is what came, and whole where it differs', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(chunk, fc.integer({ min: 0, max: 9 })), { maxLength: 60 }),
      (rows) => {
        const { body: came } = recorded()
        const { body: went, taken } = recorded()
        const sent: Buffer[] = []
        for (const [one, kind] of rows) {
          const bytes = Buffer.from(one)
          came.push(bytes)
          // Changed on the way, held back, or in one piece with what was held back.
          if (kind === 0) continue
          sent.push(kind === 1 ? Buffer.from([...one, 7]) : bytes)
          went.push(sent.at(-1) as Buffer, came)
        }
        expect(Buffer.concat(went.chunks).equals(Buffer.concat(sent))).toBe(true)
        expect(went.times).toHaveLength(went.chunks.length)
        expectJoined(went)
        expect(went.size).toBe(Buffer.concat(sent).length)
        if (rows.every(([, kind]) => kind > 1)) expect(taken()).toBe(0)
      },
    ),
  )
})

test('a client’s bytes that are the same up to the cap cost nothing, and behind it are counted', () => {
  const { body: came } = recorded({ largestBody: 1000 })
  const { body: went } = recorded({ largestBody: 1000 })
  for (let at = 0; at < 20; at++) {
    const bytes = Buffer.alloc(100, at)
    came.push(bytes)
    went.push(bytes, came)
  }
  expect(Buffer.concat(went.chunks).equals(Buffer.concat(came.chunks))).toBe(true)
  expect(went.size).toBe(2000)
  expect(Buffer.concat(went.chunks)).toHaveLength(1000)
})

test('a stream of small chunks that passes the cap is cut at that byte, and its size is still known', () => {
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 60 }),
      fc.integer({ max: 9000, min: 1 }),
      (chunks, largestBody) => {
        const { body } = recorded({ largestBody })
        for (const one of chunks) body.push(Buffer.from(one))
        const whole = Buffer.concat(chunks)
        expect(Buffer.concat(body.chunks).equals(whole.subarray(0, largestBody))).toBe(true)
        expect(body.size).toBe(whole.length)
      },
    ),
  )
})

test('without memory left a stream keeps its beginning', () => {
  const { body } = recorded({ free: 13_000 })
  const pieces = Array.from({ length: 100 }, (_, at) => Buffer.alloc(200, at))
  for (const piece of pieces) body.push(Buffer.from(piece))
  const kept = Buffer.concat(body.chunks)
  expect(kept.length).toBeGreaterThan(1000)
  expect(kept.length).toBeLessThan(13_000)
  expect(Buffer.concat(pieces).subarray(0, kept.length).equals(kept)).toBe(true)
  expect(body.size).toBe(20_000)
})
