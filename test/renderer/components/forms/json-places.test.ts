import { expect, test } from 'vitest'
import {
  jsonFault,
  lineOf,
  placeOfPath,
} from '../../../../renderer/components/forms/json-places.ts'

const text = `{
  "model": "a",
  "messages": [
    { "role": "user", "content": "x\\"y" },
    { "role": "tool", "content": [1, -2.5e3, true, null] }
  ]
}`

const lineAt = (json: string, path: string) => {
  const offset = placeOfPath(json, path)
  return offset === null ? null : lineOf(json, offset)
}

test('a refused field is found at its line, or the nearest one around it', () => {
  expect(jsonFault(text)).toBeNull()
  expect(lineAt(text, 'model')).toEqual({ line: 2, column: 3 })
  expect(lineAt(text, 'messages[1].content')).toEqual({ line: 5, column: 23 })
  expect(lineAt(text, 'messages.1.content.2')).toEqual({ line: 5, column: 46 })
  expect(lineAt(text, 'messages[1].missing')).toEqual({ line: 5, column: 5 })
  expect(lineAt(text, 'temperature')).toBeNull()
})

test.each([
  ['{\n  "a": 1,\n}', 'unexpected', { line: 3, column: 1 }],
  ['{"a": }', 'unexpected', { line: 1, column: 7 }],
  ['{"a": 01}', 'unexpected', { line: 1, column: 8 }],
  ['{"a": "x\ny"}', 'unexpected', { line: 1, column: 9 }],
  ['{"a": "\\q"}', 'unexpected', { line: 1, column: 8 }],
  ["{'a': 1}", 'unexpected', { line: 1, column: 2 }],
  ['{"a": [1, 2', 'end', { line: 1, column: 12 }],
  ['{"a": 1} x', 'unexpected', { line: 1, column: 10 }],
  ['', 'end', { line: 1, column: 1 }],
  ['[]', 'not-object', { line: 1, column: 1 }],
  ['null', 'not-object', { line: 1, column: 1 }],
])('%j is faulted where it is wrong', (json, kind, place) => {
  const fault = jsonFault(json)
  expect(fault?.kind).toBe(kind)
  expect(lineOf(json, fault?.offset ?? -1)).toEqual(place)
})

test('a body of megabytes and one that is nested deeply are looked at without harm', () => {
  const long = JSON.stringify({ data: 'x'.repeat(4_000_000), messages: [{}] })
  expect(placeOfPath(long, 'messages[0]')).toBe(long.indexOf('{}'))
  expect(jsonFault(`${'['.repeat(100_000)}`)).toMatchObject({ kind: 'unexpected' })
})
