import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StateText } from '../../../../main/store/state/state-text.ts'

type Record = { id: number; name: string; more: unknown }
type State = {
  version: number
  settings: object
  users: readonly Record[]
  tokens: readonly Record[]
}

const expected = (data: object): string => `${JSON.stringify(data, undefined, 2)}\n`

const record = fc
  .record({ id: fc.nat(), name: fc.string({ unit: 'grapheme' }), more: fc.jsonValue() })
  .map((one) => Object.freeze(one))

/** Changes to a list; records that are not replaced stay the same objects. */
const edit = fc.oneof(
  fc.tuple(fc.nat(), record).map(
    ([at, one]) =>
      (list: readonly Record[]) =>
        list.toSpliced(at % (list.length + 1), 0, one),
  ),
  fc.tuple(fc.nat(), record).map(
    ([at, one]) =>
      (list: readonly Record[]) =>
        list.toSpliced(at % (list.length + 1), 1, one),
  ),
  fc.tuple(fc.nat(), fc.nat({ max: 3 })).map(
    ([at, count]) =>
      (list: readonly Record[]) =>
        list.toSpliced(at % (list.length + 1), count),
  ),
  fc.constant((list: readonly Record[]) => list.toReversed()),
)

test('the text is JSON.stringify’s to the byte after any changes', () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 12 }),
      fc.array(record, { maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom('users' as const, 'tokens' as const), edit), {
        maxLength: 12,
      }),
      (users, tokens, edits) => {
        const text = new StateText()
        let state: State = { version: 1, settings: { ü: ['\n', { a: undefined }] }, users, tokens }
        expect(text.of(state).toString()).toBe(expected(state))
        for (const [name, change] of edits) {
          state = { ...state, [name]: change(state[name]) }
          expect(text.of(state).toString()).toBe(expected(state))
        }
      },
    ),
  )
})

test.each([{}, { a: undefined }, { a: [], b: {} }, { a: [1, null], b: [[{}]], c: [{}, null] }])(
  'the text of %j has no list of records',
  (data) => {
    expect(new StateText().of(data).toString()).toBe(expected(data))
  },
)
