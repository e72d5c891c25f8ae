import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact } from '../../../main/convert/json/exact-json.ts'
import { commonItems } from '../../../main/inspect/diff/common-items.ts'
import { diffBorders } from '../../../main/inspect/diff/diff-borders.ts'
import { stepsOf, valueAt } from '../../../main/inspect/diff/json-path.ts'
import { pinLosses } from '../../../main/inspect/diff/pin-losses.ts'
import { structuralDiff } from '../../../main/inspect/diff/structural-diff.ts'
import { captureOf } from '../capture/capture-of.ts'

test('one more item at the start of a list is one change', () => {
  const turns = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ]
  const system = { role: 'system', content: 'Be brief.' }
  expect(structuralDiff({ messages: turns }, { messages: [system, ...turns] })).toEqual([
    { path: 'messages[0]', kind: 'added', from: undefined, to: system },
  ])
})

test('a text that changed within a turn is told at its own path', () => {
  const from = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], seed: 1 }
  const to = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Ho' }] }], top_k: 2 }
  expect(structuralDiff(from, to)).toEqual([
    { path: 'messages[0].content[0].text', kind: 'changed', from: 'Hi', to: 'Ho' },
    { path: 'seed', kind: 'removed', from: 1, to: undefined },
    { path: 'top_k', kind: 'added', from: undefined, to: 2 },
  ])
})

test('an item that moved behind a new one is not taken for the end of both lists', () => {
  expect(structuralDiff(['a', 'b', 'c'], ['a', 'x', 'b'])).toMatchObject([
    { path: '[1]', kind: 'added', to: 'x' },
    { path: '[2]', kind: 'removed', from: 'c' },
  ])
})

test('one more of equal items is one change', () => {
  const added = { kind: 'added', from: undefined, to: 'a' }
  expect(structuralDiff({ list: ['a', 'a'] }, { list: ['a', 'a', 'a'] })).toEqual([
    { path: 'list[2]', ...added },
  ])
})

test('a long conversation that lost its first turn and changed in one place differs there alone', () => {
  const turns = Array.from({ length: 3000 }, (_, index) => ({ role: 'user', content: `${index}` }))
  const changed = turns.slice(1)
  changed[1500] = { role: 'user', content: 'other' }
  expect(structuralDiff({ messages: turns }, { messages: changed })).toEqual([
    { path: 'messages[0]', kind: 'removed', from: turns[0], to: undefined },
    { path: 'messages[1501].content', kind: 'changed', from: '1501', to: 'other' },
  ])
})

test('items that two lists have in common are found, in order and as many as there are', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
  const longest = (one: string[], other: string[]): number => {
    if (one.length === 0 || other.length === 0) return 0
    const [first, ...ones] = one
    const [second, ...others] = other
    if (first === second) return 1 + longest(ones, others)
    return Math.max(longest(ones, other), longest(one, others))
  }
  fc.assert(
    fc.property(letters, letters, (from, to) => {
      const pairs = commonItems(from, to)
      expect(pairs.map(([one]) => from[one])).toEqual(pairs.map(([, other]) => to[other]))
      expect(pairs).toHaveLength(longest(from, to))
      for (const [index, [one, other]] of pairs.entries()) {
        const [before, beforeOther] = pairs[index - 1] ?? [-1, -1]
        expect(one > before && other > beforeOther).toBe(true)
      }
    }),
  )
})

test('numbers that a double cannot tell apart are different', () => {
  const from = parseExact('{"id":12345678901234567890}')
  expect(structuralDiff(from, parseExact('{"id":12345678901234567891}'))).toHaveLength(1)
  expect(structuralDiff(from, parseExact('{"id":12345678901234567890}'))).toEqual([])
})

test('equal values differ nowhere, and what stands at a removed or changed path is what the first has there', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (from, to) => {
      expect(structuralDiff(from, structuredClone(from))).toEqual([])
      const root = { root: from }
      for (const change of structuralDiff(root, { root: to })) {
        if (change.kind === 'added') continue
        expect(valueAt(root, change.path)).toEqual(change.from)
      }
    }),
    { numRuns: 500 },
  )
})

test('a name with dots or brackets is found again by its path', () => {
  const body = { 'a.b': { 'c[0]"': 1 } }
  const [change] = structuralDiff(body, { 'a.b': { 'c[0]"': 2 } })
  expect(stepsOf(change?.path ?? '')).toEqual(['a.b', 'c[0]"'])
  expect(valueAt(body, change?.path ?? '')).toBe(1)
})

test('a body nested deeper than the stack is compared as a whole', () => {
  const deep = '['.repeat(100_000)
  const nested = (inner: string) => parseExact(`${deep}${inner}${']'.repeat(100_000)}`)
  expect(structuralDiff(nested('1'), nested('2'))).toHaveLength(1)
})

test('a loss of the answer stands at its path in the answer', () => {
  const capture = captureOf('a', '{}', '{"id":"msg_1","model":"m"}')
  const lost = (path: string) => ({ path, kind: 'dropped' as const, note: 'no such field' })
  const losses = [lost('answer.model'), lost('model')]
  const ofAnswer = diffBorders(capture, { exchange: 0, side: 'answer', losses })
  expect(ofAnswer.losses).toEqual([{ ...lost('model'), isPlaced: true }])
  const ofRequest = diffBorders(capture, { exchange: 0, side: 'request', losses })
  expect(ofRequest.losses).toEqual([{ ...lost('model'), isPlaced: false }])
})

test('each loss stands at its path, also one within something that changed as a whole', () => {
  const from = {
    seed: 7,
    messages: [{ role: 'user', name: 'Ada', content: 'Hi' }],
    generation_config: { top_k: 1 },
  }
  const to = { contents: [{ parts: [{ text: 'Hi' }] }] }
  const lost = (path: string) => ({ path, kind: 'dropped' as const, note: `no ${path}` })
  const { changes, losses } = pinLosses(from, to, [
    lost('seed'),
    lost('messages[0].name'),
    lost('generationConfig.topK'),
    lost('anthropic-beta'),
  ])
  expect(changes.map(({ path, kind, loss }) => [path, kind, loss?.note ?? null])).toEqual([
    ['seed', 'removed', 'no seed'],
    ['messages', 'removed', null],
    ['generation_config', 'removed', null],
    ['contents', 'added', null],
    ['messages[0].name', 'removed', 'no messages[0].name'],
    ['generationConfig.topK', 'removed', 'no generationConfig.topK'],
  ])
  expect(losses.map(({ path, isPlaced }) => [path, isPlaced])).toEqual([
    ['seed', true],
    ['messages[0].name', true],
    ['generationConfig.topK', true],
    ['anthropic-beta', false],
  ])
})
