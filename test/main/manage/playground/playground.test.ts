import { expect, test } from 'vitest'
import { echoChannel, type Management, startManagement } from '../management.ts'

const messages = [{ role: 'user', content: 'hello there' }]

async function withEcho(): Promise<Management> {
  const management = await startManagement()
  await management.owner.send('POST', '/api/channel/', echoChannel())
  return management
}

test('a question is answered, and booked to the user without a token', async () => {
  const { owner, gateway } = await withEcho()
  const { status, body } = await owner.send('POST', '/pg/chat/completions', {
    model: 'echo',
    messages,
  })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain('hello there')
  const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    username: 'ada',
    tokenId: 0,
    tokenName: 'playground',
    status: 200,
  })
})

test('a stream comes as events up to [DONE]', async () => {
  const { owner, gateway } = await withEcho()
  const response = await fetch(`${gateway.url}/pg/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: owner.cookie },
    body: JSON.stringify({ model: 'echo', messages, stream: true }),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const text = await response.text()
  expect(text).toContain('"chat.completion.chunk"')
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
})

test.each([
  [{ messages }, 400, 'model'],
  [{ model: 'echo' }, 400, 'messages'],
  [{ model: 'echo', messages: [] }, 400, 'messages'],
  [{ model: 'unheard-of', messages }, 404, 'model'],
])('%j fails in OpenAI’s shape with %i, at %s', async (input, expected, parameter) => {
  const { owner } = await withEcho()
  const { status, body } = await owner.send('POST', '/pg/chat/completions', input)
  expect(status).toBe(expected)
  expect(body).toMatchObject({
    error: { message: expect.any(String), type: 'invalid_request_error', param: parameter },
  })
})

test('is for people: neither strangers nor access tokens get in', async () => {
  const { owner, visitor } = await withEcho()
  const stranger = await visitor().send('POST', '/pg/chat/completions', { model: 'echo', messages })
  expect(stranger.status).toBe(401)
  expect(stranger.body).toHaveProperty('error.type', 'authentication_error')
  const authorization = (await owner.send('POST', '/api/user/token')).body.data
  const tool = await visitor().send(
    'POST',
    '/pg/chat/completions',
    { model: 'echo', messages },
    { authorization },
  )
  expect(tool.status).toBe(403)
})
