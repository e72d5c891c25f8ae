import { expect, test } from 'vitest'
import { parseQuery } from '../../../../main/manage/calls/query/parse-query.ts'
import { idsOf, logRow, now, startWithRows, timelinePath } from './log-rows.ts'

const day = (time: number): string => {
  const date = new Date(time * 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const REQUEST = '20250102030405123456abcdef'

/** Each differs from the plain ones in all that its id says. */
const rows = [
  logRow('plain'),
  logRow('failed', {
    ...{ type: 5, status: 503, content: 'The vendor’s 100% "limit_a" is reached.', quota: 0 },
    other: { error_code: 'upstream_error' },
  }),
  logRow('slow', { useTime: 61_000, isStream: true, other: { frt: 4000 } }),
  logRow('costly', { quota: 750_000, promptTokens: 20_000, cachedTokens: 15_000 }),
  logRow('claude', {
    ...{ model: 'Claude-Opus 4', channelName: 'Work laptop', tokenName: 'codex' },
    other: { request_path: '/v1/messages', wire_format: 'messages', loss: [{ path: 'a' }] },
  }),
  logRow('cut', { isStream: true, other: { error_code: 'upstream_cut', estimated: true, frt: 9 } }),
  logRow('broke', { type: 5, status: 500, content: 'Internal error.' }),
  logRow('left', { isStream: true, status: 499, other: { frt: 9, cancelled: true } }),
  // Its client left before there was an answer that could be cut.
  logRow('early', { status: 499, other: { cancelled: true } }),
  logRow('agent', {
    other: { client: 'claude-cli/2.1', session: 'abc-123', replay_of: 'plain' },
    ...{ userId: 2, username: 'bob', completionTokens: 4000 },
  }),
  logRow('old', { createdAt: now - 10 * 86_400 }),
  logRow(REQUEST, { createdAt: Date.UTC(2025, 0, 2, 3, 4, 6) / 1000, model: 'old_model%' }),
]

const all = rows.map(({ requestId }) => requestId)
const but = (...ids: string[]) => all.filter((id) => !ids.includes(id))

const found: [query: string, expected: string[]][] = [
  ['', all],
  ['  ', all],
  ['status:4xx', ['left', 'early']],
  ['status:5xx', ['failed', 'broke']],
  ['status:503', ['failed']],
  ['status:>=499', ['failed', 'broke', 'left', 'early']],
  ['status:400..499', ['left', 'early']],
  ['model:claude', ['claude']],
  ['MODEL:CLAUDE', ['claude']],
  ['model:"claude-opus 4"', ['claude']],
  ['channel:"Work laptop"', ['claude']],
  ['channel:work', ['claude']],
  ['token:codex', ['claude']],
  ['user:bob', ['agent']],
  ['client:claude-cli', ['agent']],
  ['session:abc', ['agent']],
  ['path:/v1/messages', ['claude']],
  ['format:messages', ['claude']],
  ['error:upstream_cut', ['cut']],
  ['slow:>5s', ['slow']],
  ['slow:1m', ['slow']],
  ['slow:1..2', but('slow')],
  ['slow:<1700ms', []],
  ['first_token:>=4s', ['slow']],
  ['cost:>0.1', ['costly']],
  ['cost:$1.5', ['costly']],
  ['cost:1$..2$', ['costly']],
  ['cached:>50%', ['costly']],
  ['cached:75', ['costly']],
  ['input:>10k', ['costly']],
  ['output:=4000', ['agent']],
  ['loss:yes', ['claude']],
  ['cut:yes', ['cut', 'left']],
  ['-cut:no', ['cut', 'left']],
  ['estimated:yes', ['cut']],
  ['stream:yes', ['slow', 'cut', 'left']],
  ['stream:yes cut:no', ['slow']],
  ['status:499 cut:no', ['early']],
  ['replay:yes', ['agent']],
  ['type:error', ['failed', 'broke']],
  ['type:call -type:error', but('failed', 'broke')],
  ['text:"LIMIT_A"', ['failed']],
  ['text:"\\"limit_a\\" is"', ['failed']],
  ['text:100%', ['failed']],
  ['before:7d', ['old', REQUEST]],
  ['before:2026-01-01', [REQUEST]],
  [`after:${day(now - 7 * 86_400)}`, but('old', REQUEST)],
  ['after:2025-01-02T03:04:05Z before:2025-01-02T03:04:07Z', [REQUEST]],
  [`after:${now}`, but('old', REQUEST)],
  [`id:${REQUEST}`, [REQUEST]],
  ['id:abcdef', [REQUEST]],
  // A part from within that looks like a time.
  [`id:${REQUEST.slice(6, 22)}`, [REQUEST]],
  [`-id:${REQUEST}`, but(REQUEST)],
  ['running:yes', []],
  ['-running:yes', all],
  ['refused:no', all],
  ['opus', ['claude']],
  ['LAPTOP -opus', but('claude')],
  ['"work laptop"', ['claude']],
  ['/v1/mess', ['claude']],
  ['-gpt-a -old_model', ['claude']],
  ['model:gpt -stream:yes -user:bob status:200', ['plain', 'costly', 'old']],
  ['nothing', []],
]

const words = [
  "' OR 1=1 --",
  "model:\"' OR 'a'='a\"",
  '"); DROP TABLE calls; --"',
  'model:"%%"',
  'model:gpt_a',
  'model:"gpt%"',
  'model:"\\\\"',
  'session:abc_123',
  'session:%',
  'id:%',
  'id:abcdef______',
  'text:limit%a',
  'channel:"?1"',
]

const wrong: [query: string, place: number | null, allowed: string][] = [
  ['status:6xx', 1, 'a status such as 404, 5xx'],
  ['gpt status:abc', 5, 'a status such as 404'],
  ['slow:>5x', 1, 'a time such as >5s'],
  ['slow:5s..1s', 1, 'a time such as'],
  ['cost:cheap', 1, 'dollars such as'],
  ['cost:>-1', 1, 'dollars such as'],
  ['cached:lots', 1, 'a percentage such as'],
  ['input:1e9', 1, 'a number such as'],
  ['  -loss:maybe', 3, 'yes or no'],
  ['type:nonsense', 1, 'call, error'],
  ['after:2026-02-31', 1, 'such as 2026-11-01'],
  ['after:2026-13-01', 1, 'such as 2026-11-01'],
  ['before:tomorrow', 1, 'such as 2026-11-01'],
  ['modle:gpt', 1, 'there is no field "modle". Use status, type, model, channel'],
  ['__proto__:gpt', 1, 'there is no field "__proto__"'],
  ['model:', 1, '"model" has no value'],
  ['a model:""', 3, '"model" has no value'],
  ['-', 1, 'there is no word'],
  ['channel:"Work', 1, 'quotation mark isn’t closed'],
  ['channel:"Work"x', 1, 'a space is missing'],
  [Array(31).fill('a').join(' '), 61, 'at most 30 terms'],
  ['x'.repeat(2001), null, 'at most 2000 characters'],
]

test('a query finds exactly its rows', async () => {
  const { owner } = await startWithRows(...rows)
  for (const [q, expected] of found) {
    const { data } = (await owner.get(timelinePath({ q }))).body
    expect(idsOf(data.rows).sort(), q).toEqual(expected.toSorted())
    expect(data.next).toBe(null)
  }
})

test('what stands in a query is taken for words alone, neither for SQL nor for wildcards', async () => {
  const { owner } = await startWithRows(...rows)
  const idsWith = async (q: string) => idsOf((await owner.get(timelinePath({ q }))).body.data.rows)
  for (const q of words) expect(await idsWith(q), q).toEqual([])
  expect(await idsWith('')).toHaveLength(rows.length)
  expect(await idsWith('model:l%')).toEqual([REQUEST])
  expect(await idsWith('model:d_m')).toEqual([REQUEST])
})

test('a wrong query is answered with which term is wrong, where, and the values that are allowed', async () => {
  const { owner } = await startWithRows()
  for (const [q, place, allowed] of wrong) {
    const { status, body } = await owner.get(timelinePath({ q }))
    expect({ status, ...body }, q).toMatchObject({
      ...{ status: 400, code: 'invalid_params', field: 'q' },
    })
    expect(body.message).toContain(allowed)
    if (place) {
      expect(body.message).toContain(`(character ${place})`)
      const length = q.slice(place - 1).split(' ')[0]?.length
      expect(body.data, q).toEqual({ place, length })
    }
  }
})

test('days are those of the gateway’s calendar', () => {
  const [after] = parseQuery('after:2026-11-01', { isAdministrator: true, now })
  expect(after).toMatchObject({ range: { atLeast: new Date(2026, 10, 1).getTime() / 1000 } })
  const [ago] = parseQuery('after:2h', { isAdministrator: true, now })
  expect(ago).toMatchObject({ range: { atLeast: now - 7200 } })
})
