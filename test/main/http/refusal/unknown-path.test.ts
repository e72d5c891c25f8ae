import { describe, expect, test } from 'vitest'
import { refusedStage } from './refused-stage.ts'

const stage = refusedStage()

const address = () => stage.pair.gateway.url

/** What the client's own error says, and the hint in Calls. */
async function told(path: string) {
  const answer = await stage.post(path)
  const body = JSON.parse(answer.text)
  expect(answer.status).toBe(404)
  return { body, hint: stage.rows().at(-1)?.hint }
}

describe('a client whose base URL is wrong is told in its own format how to put it right', () => {
  test.each([
    ['/chat/completions', 'add /v1 to the end of its base URL.'],
    ['/models', 'add /v1 to the end of its base URL.'],
    ['/openai/v1/chat/completions', 'take /openai off its base URL.'],
    ['/api/v1/chat/completions', 'take /api off its base URL.'],
    ['/v1/v1/chat/completions', 'take /v1 off its base URL.'],
    ['/v1/chat/completions/chat/completions', 'take /chat/completions off its base URL.'],
    ['//v1/chat/completions', 'take the slash off the end of its base URL.'],
  ])('OpenAI’s at %s', async (path, advice) => {
    const { body, hint } = await told(path)
    expect(body.error.code).toBe('unknown_path')
    expect(body.error.message).toContain(`Invalid URL (POST ${path}). In the client: ${advice}`)
    expect(hint).toBe(`Your tool called ${path}: ${advice}`)
  })

  test('Anthropic’s', async () => {
    for (const path of [
      '/messages',
      '/anthropic/v1/messages',
      '/v1/v1/messages',
      '/v1/messages/v1/messages',
    ]) {
      const { body } = await told(path)
      expect(body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
      expect(body.error.message).toContain('its base URL')
    }
  })

  test('Google’s', async () => {
    const { body } = await told('/models/gemini-3.8-flash:generateContent')
    expect(body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' })
    expect(body.error.message).toContain('add /v1beta to the end of its base URL.')
  })

  test('with the address it needs, where its own prefix stands in place of ours', async () => {
    const { body } = await told('/v3/chat/completions')
    expect(body.error.message).toContain(`its base URL must be ${address()}/v1.`)
  })
})

test('a path that resembles none of ours stays the management API’s', async () => {
  for (const path of ['/nothing', '/api/nothing', '/api/v1/nothing']) {
    const { body, hint } = await told(path)
    expect(body).toMatchObject({ success: false })
    expect(hint).toBe('')
  }
})
