import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type JsonNode,
  parseTree,
} from '../../../../../renderer/pages/calls/inspector/body/parse-tree.ts'
import { readBase64 } from '../../../../../renderer/pages/calls/inspector/body/read-base64.ts'
import { treeRows } from '../../../../../renderer/pages/calls/inspector/body/tree-rows.ts'

/** The value that a node shows. */
function shownValue({ kind, text, children }: JsonNode): unknown {
  if (kind === 'array') return children.map(shownValue)
  if (kind === 'object') {
    return Object.fromEntries(children.map((child) => [child.name ?? '', shownValue(child)]))
  }
  return kind === 'string' ? text : JSON.parse(text)
}

const usual = { start: 'usual', toggled: new Set<string>() } as const

test('any JSON is shown as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const tree = parseTree(text)
      expect(tree?.isCut).toBe(false)
      expect(tree && shownValue(tree.root)).toEqual(JSON.parse(text))
    }),
  )
})

test('a body that was cut anywhere is shown up to there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ role: fc.string(), content: fc.jsonValue() }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (messages, share) => {
        const text = JSON.stringify({ model: 'm', messages })
        const cut = text.slice(0, 1 + Math.floor(share * (text.length - 2)))
        const tree = parseTree(cut)
        expect(tree?.isCut, cut).toBe(true)
        expect(tree?.root.kind).toBe('object')
      },
    ),
  )
})

test('a body may be cut within a number, a word or an escape', () => {
  const text = '{"a":[-1.5e-7,true,null,"\\u00e9\\n\\"",{"b\\"c":-0.1}],"d":5E+20,"e":false}'
  for (let end = 1; end < text.length; end++) {
    const tree = parseTree(text.slice(0, end))
    expect(tree?.isCut, text.slice(0, end)).toBe(true)
  }
  expect(parseTree(text)?.isCut).toBe(false)
})

test('what is no JSON is shown as the text that it is', () => {
  for (const text of ['', 'Hello', '{"a":}', '{"a":1}}', '[1 2]', '{a:1}', 'data: {}', '"\\x"']) {
    expect(parseTree(text), text).toBeNull()
  }
  expect(parseTree('['.repeat(200_000))).toBeNull()
})

test('numbers keep their digits, and paths are those of the losses', () => {
  const tree = parseTree('{"seed":9007199254740993,"a b":{"x.y":[1e400]}}')
  const seen = tree ? treeRows(tree.root, usual).filter(({ kind }) => kind === 'leaf') : []
  expect(seen.map(({ node }) => [node.path, node.text])).toEqual([
    ['seed', '9007199254740993'],
    ['a b["x.y"][0]', '1e400'],
  ])
})

test('a long conversation starts folded by message', () => {
  const message = {
    role: 'user',
    content: [{ type: 'text', text: 'Hi' }],
    extra: Array(80).fill(0),
  }
  const tree = parseTree(JSON.stringify({ messages: Array(50).fill(message) }))
  const rows = tree ? treeRows(tree.root, usual) : []
  expect(rows.filter(({ kind }) => kind === 'closed')).toHaveLength(50)
  expect(rows).toHaveLength(54)
})

test('bytes are told from words', () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 256))
  const base64 = bytes.toString('base64')
  expect(readBase64(base64)?.bytes).toBe(300)
  expect(readBase64(`data:image/webp;base64,${base64}`)).toMatchObject({
    type: 'image/webp',
    bytes: 300,
  })
  expect(readBase64('a'.repeat(400))).toBeNull()
  expect(readBase64('Words with spaces in them. '.repeat(20))).toBeNull()
  // A picture of a type that could run a script isn't drawn.
  expect(readBase64(`data:image/svg+xml;base64,${base64}`)?.image).toBeNull()
})

test('a body of eight megabytes is read and folded within three seconds of processor time', () => {
  const item = { type: 'text', text: 'word '.repeat(40), index: 1.5, flag: true }
  const text = JSON.stringify({ items: Array(35_000).fill(item) })
  expect(text.length).toBeGreaterThan(8_000_000)
  const start = process.cpuUsage()
  const tree = parseTree(text)
  expect(
    tree && treeRows(tree.root, { start: 'all-open', toggled: new Set() }).length,
  ).toBeGreaterThan(200_000)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
})

test.each([300, 301, 302])('a file of %i bytes in base64 is said to have that size', (size) => {
  const base64 = Buffer.alloc(size, 'Sample 1').toString('base64')
  expect(readBase64(`data:image/png;base64,${base64}`)?.bytes).toBe(size)
})
