import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'
import { timelinePath } from './log-rows.ts'

interface Row {
  request_id: string
  kind: string
  has_capture: boolean
  content: string
  status: number
  other: string
}

test('calls and refused requests are one list, each with what was sent, and their texts are found', async () => {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/channel/', {
    mode: 'single',
    channel: { name: 'echo', type: 900, key: '', models: 'echo' },
  })
  const token = await owner.send('POST', '/api/token/', { name: 'laptop', unlimited_quota: true })
  const post = async (path: string, body: object | string) => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.body.data.key}`,
        'content-type': 'application/json',
        'user-agent': 'codex_cli_rs/1.2',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    await answer.text()
    return String(answer.headers.get('x-oneapi-request-id'))
  }
  const say = (content: string) => ({ model: 'echo', messages: [{ role: 'user', content }] })
  const good = await post('/v1/chat/completions', say('a needle in a haystack'))
  const broken = await post('/v1/chat/completions', '{"model": "echo", needle')
  const twice = await post('/v1/v1/chat/completions', say('nothing'))
  const list = async (q: string): Promise<Row[]> =>
    (await owner.get(timelinePath({ q }))).body.data.rows

  const rows = await list('')
  // Within one second calls come first.
  const shown = rows.map(({ request_id, kind, has_capture }) => [request_id, kind, has_capture])
  expect(shown).toHaveLength(3)
  expect(shown).toEqual(
    expect.arrayContaining([
      [twice, 'refused', false],
      [broken, 'refused', true],
      [good, 'call', true],
    ]),
  )
  const row = rows.find(({ request_id }) => request_id === twice)
  expect(JSON.parse(row?.other ?? '').hint).toContain('take /v1 off its base URL')
  expect((await list('refused:yes')).map(({ request_id }) => request_id)).toEqual([twice, broken])
  const found = (await list('text:"NEEDLE"')).map(({ request_id }) => request_id)
  expect(found).toEqual(expect.arrayContaining([good, broken]))
  expect(found).not.toContain(twice)
  expect((await list('text:"no such words"')).length).toBe(0)

  const capture = (await owner.get(`/api/captures/${broken}`)).body.data
  expect(capture.client.request.body.text).toBe('{"model": "echo", needle')
  expect(capture.client.answer.status).toBe(400)
  expect(capture.exchanges).toEqual([])
  const one = (await owner.get(`/api/log/one/${twice}`)).body.data
  expect(one).toMatchObject({ kind: 'refused', status: 404 })
})
