import { describe, expect, onTestFinished, test } from 'vitest'
import type { StoredRefusal } from '../../../../main/store/refused/refused-request.ts'
import { refusedStage } from './refused-stage.ts'

const stage = refusedStage()

describe('a refused upgrade leaves one row', () => {
  const upgrade = (path: string, more = '') =>
    stage.raw(
      `GET ${path} HTTP/1.1\r\n${stage.host()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`,
      300,
    )
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

  test('without a key of its handshake', async () => {
    expect(await upgrade('/v1/realtime?model=m')).toContain('400 Bad Request')
    expect(stage.onlyRow()).toMatchObject({
      code: 'invalid_request',
      format: 'realtime',
      model: 'm',
    })
  })

  test('without a token', async () => {
    expect(await upgrade('/v1/realtime?model=m', key)).toContain('401')
    expect(stage.onlyRow()).toMatchObject({ code: 'missing_token', method: 'GET' })
  })

  test('without a model', async () => {
    const token = `Authorization: Bearer ${stage.pair.gateway.key}\r\n`
    expect(await upgrade('/v1/realtime', key + token)).toContain('400')
    expect(stage.onlyRow()).toMatchObject({ code: 'invalid_request', tokenName: 'test' })
  })

  test('where the tool goes on over HTTP', async () => {
    const { full } = stage.pair.gateway.addToken({
      modelLimitsEnabled: true,
      modelLimits: ['messages-model'],
    })
    const token = `Authorization: Bearer ${full}\r\n`
    expect(await upgrade('/v1/responses', key + token)).toContain('426')
    expect(stage.onlyRow()).toMatchObject({
      ...{ code: 'websocket_not_served', status: 426 },
      hint: 'Nothing to do: agents fall back to HTTP by themselves.',
    })
  })

  test('whose subprotocols cannot be read', async () => {
    const token = `Authorization: Bearer ${stage.pair.gateway.key}\r\n`
    const { id } = stage.pair.gateway.addChannel({ type: 1, name: 'with sockets', models: ['m'] })
    onTestFinished(() => void stage.pair.gateway.parts.channels.remove([id]))
    const protocols = 'Sec-WebSocket-Protocol: a,,b\r\n'
    expect(await upgrade('/v1/responses', key + token + protocols)).toContain('400 Bad Request')
    expect(stage.onlyRow()).toMatchObject({ code: 'invalid_request', status: 400 })
  })

  test('whose call the relay refuses: none here', async () => {
    const token = `Authorization: Bearer ${stage.pair.gateway.key}\r\n`
    const before = stage.pair.gateway.rows().length
    expect(await upgrade('/v1/realtime?model=nobody-has-it', key + token)).toContain('404')
    expect(await stage.pair.gateway.rowsWhen(before + 1)).toHaveLength(before + 1)
    expect(stage.rows()).toEqual([])
  })

  test('on a path that has none, which is served as a plain request', async () => {
    await upgrade('/v1/nothing')
    expect(stage.onlyRow()).toMatchObject({ code: 'unknown_path', path: '/v1/nothing' })
  })
})

describe('what Node answers itself leaves one row, and its answer stays', () => {
  const unreadable: [string, string | Buffer, string, Partial<StoredRefusal>][] = [
    [
      'no HTTP',
      'hello\r\n\r\n',
      '400 Bad Request',
      { code: 'malformed_http', method: '', path: '' },
    ],
    [
      'a broken header',
      'POST /v1/messages HTTP/1.1\r\nUser-Agent: odd/1\r\nHost : x\r\n\r\n',
      '400 Bad Request',
      { code: 'malformed_http', method: 'POST', path: '/v1/messages', client: 'odd/1' },
    ],
    [
      'a head that is too large',
      `GET /v1/models HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      { code: 'malformed_http', status: 431, path: '/v1/models' },
    ],
    [
      'TLS',
      Buffer.from('160301020001', 'hex'),
      '400 Bad Request',
      { hint: 'Your tool called https://: begin its base URL with http://.' },
    ],
  ]
  test.each(unreadable)('%s', async (_name, bytes, answer, expected) => {
    expect(await stage.raw(bytes)).toBe(`HTTP/1.1 ${answer}\r\nConnection: close\r\n\r\n`)
    expect(stage.onlyRow()).toMatchObject({ status: 400, ...expected })
  })

  test('HTTP/2', async () => {
    await stage.raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    expect(stage.onlyRow()).toMatchObject({ hint: 'Switch HTTP/2 off in your tool.' })
  })

  test('a broken chunk of a call', async () => {
    const answer = await stage.raw(
      `POST /v1/chat/completions HTTP/1.1\r\n${stage.host()}\r\nAuthorization: Bearer ${stage.pair.gateway.key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    )
    expect(answer).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    expect(stage.onlyRow()).toMatchObject({ code: 'malformed_http', path: '/v1/chat/completions' })
  })

  test('a chunk of a call with more beside it than anybody writes', async () => {
    const answer = await stage.raw(
      `POST /v1/chat/completions HTTP/1.1\r\n${stage.host()}\r\nAuthorization: Bearer ${stage.pair.gateway.key}\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
    )
    expect(answer).toBe('HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\n')
    expect(stage.onlyRow()).toMatchObject({ status: 413, path: '/v1/chat/completions' })
  })

  test('a broken request behind a good one, by its own path', async () => {
    const good = `GET /v1/models HTTP/1.1\r\n${stage.host()}\r\nAuthorization: Bearer ${stage.pair.gateway.key}\r\n\r\n`
    await stage.raw(`${good}POST /v1/messages HTTP/1.1\r\nHost : x\r\n\r\n`)
    expect(stage.onlyRow()).toMatchObject({ code: 'malformed_http', path: '/v1/messages' })
  })

  test('no Host', async () => {
    const answer = await stage.raw('GET /v1/models HTTP/1.1\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nDate: /)
    expect(stage.onlyRow()).toMatchObject({
      code: 'missing_host',
      path: '/v1/models',
      method: 'GET',
    })
  })

  test('no Host, with a body that waits for a word', async () => {
    const answer = await stage.raw(
      'POST /v1/messages HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(stage.onlyRow()).toMatchObject({ code: 'missing_host' })
  })

  test('an expectation that nobody knows', async () => {
    const answer = await stage.raw(
      `GET /v1/models HTTP/1.1\r\n${stage.host()}\r\nExpect: cake\r\n\r\n`,
      200,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/)
    expect(stage.onlyRow()).toMatchObject({ code: 'expectation_failed', status: 417 })
  })

  test('a client that takes the gateway for a proxy', async () => {
    expect(
      await stage.raw('CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com\r\n\r\n'),
    ).toBe('')
    expect(stage.onlyRow()).toMatchObject({ code: 'proxy_request', status: 0, method: 'CONNECT' })
    expect(stage.onlyRow().hint).toContain('HTTP_PROXY')
  })
})
