import { expect, test } from 'vitest'
import { parseEnv } from '../../../../main/transfer/from/text/parse-env.ts'

test('a variable stands for one further up, but for one in single quotes', () => {
  const text = [
    'KEY=sk-1',
    'PLAIN=$KEY',
    `BRACED="\${KEY}"`,
    "SINGLE='$KEY'",
    'UNKNOWN=$OTHER',
    'LATER=$LAST # not there yet',
    'LAST=1',
  ]
  expect(Object.fromEntries(parseEnv(text.join('\n')))).toEqual({
    ...{ KEY: 'sk-1', PLAIN: 'sk-1', BRACED: 'sk-1', SINGLE: '$KEY' },
    ...{ UNKNOWN: '', LATER: '', LAST: '1' },
  })
})

test('a sign of comments within a value is a part of it', () => {
  const text = 'KEY=sk-a#b # the first\nQUOTED="a # b"\n'
  expect(Object.fromEntries(parseEnv(text))).toEqual({ KEY: 'sk-a#b', QUOTED: 'a # b' })
})
