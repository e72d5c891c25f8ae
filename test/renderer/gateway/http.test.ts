import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { EventSource } from 'undici'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { StreamEvent } from '../../../preload/contract.ts'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { createEventStreamReader } from '../../../renderer/gateway/event-stream.ts'
import { createHttpClient } from '../../../renderer/gateway/http.ts'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
) {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => answer(request, response, body))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return createHttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** A page in sight; `show` hides it, or brings it back. */
function stubPage() {
  const page = { hidden: false, onvisibilitychange: null as (() => void) | null }
  vi.stubGlobal('EventSource', EventSource)
  vi.stubGlobal('document', page)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return {
    show(isShown: boolean) {
      page.hidden = !isShown
      page.onvisibilitychange?.()
    },
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('calls over HTTP', () => {
  test('path, query and body are where the operation’s route says', async () => {
    const seen: string[] = []
    const client = await serve((request, response, body) => {
      seen.push(`${request.method} ${request.url} ${body}`)
      response.end('{"success":true,"message":"","data":[]}')
    })
    await client.call('channel.test', { id: 7, model: 'a/b c' })
    await client.call('channel.status', { id: 7, status: 2 })
    await client.call('channel.search', { keyword: '' })
    expect(seen).toEqual([
      'GET /api/channel/test/7?model=a%2Fb+c ',
      'POST /api/channel/7/status {"status":2}',
      'GET /api/channel/search ',
    ])
  })

  test('what stands beside the data is handed out too', async () => {
    const client = await serve((_request, response) => {
      response.end('{"success":true,"message":"fine","time":0.25}')
    })
    const reply = await client.call('channel.test', { id: 1 })
    expect(reply).toEqual({ data: undefined, message: 'fine', extra: { time: 0.25 } })
  })

  test('a refusal keeps its sentence, code, field and status', async () => {
    const client = await serve((_request, response) => {
      response.statusCode = 400
      response.end('{"success":false,"message":"Too short.","code":"invalid_params","field":"key"}')
    })
    const failure = await client.call('channel.get', { id: 1 }).catch((error) => error)
    expect(failure).toBeInstanceOf(CallFailure)
    expect(failure).toMatchObject({
      message: 'Too short.',
      code: 'invalid_params',
      field: 'key',
      status: 400,
    })
  })

  test('a failure that answers 200, as old clients want it, is still a failure', async () => {
    const client = await serve((_request, response) => {
      response.end('{"success":false,"message":"Not so.","code":"conflict"}')
    })
    await expect(client.call('status.get', {})).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a body that is no JSON, and no server at all, are told in words', async () => {
    const client = await serve((_request, response) => {
      response.statusCode = 502
      response.end('<html>Bad gateway</html>')
    })
    await expect(client.call('status.get', {})).rejects.toMatchObject({ status: 502 })
    server?.close()
    server?.closeAllConnections()
    await expect(client.call('status.get', {})).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('aborting takes the request back', async () => {
    const left = deferred()
    const client = await serve((request) => void request.socket.on('close', () => left.resolve()))
    const controller = new AbortController()
    const call = client.call('status.get', {}, controller.signal).catch((error) => error)
    setTimeout(() => controller.abort(), 50)
    expect((await call).name).toBe('AbortError')
    await left.promise
  })
})

describe('streams over HTTP', () => {
  test('the reply’s bytes come as they are sent, and cancelling closes the connection', async () => {
    const left = deferred()
    const client = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      request.socket.on('close', () => left.resolve())
    })
    const events: StreamEvent[] = []
    const first = deferred()
    const cancel = client.stream('playground.chat', { model: 'echo', messages: [] }, (event) => {
      events.push(event)
      if (event.type === 'chunk') first.resolve()
    })
    await first.promise
    cancel()
    await left.promise
    expect(events.map(({ type }) => type)).toEqual(['start', 'chunk'])
  })

  test('a connection that breaks is an error, not an end', async () => {
    const client = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      setTimeout(() => response.destroy(), 30)
    })
    const last = await new Promise<StreamEvent>((resolve) => {
      client.stream('playground.chat', { model: 'echo', messages: [] }, (event) => {
        if (event.type === 'end' || event.type === 'error') resolve(event)
      })
    })
    expect(last.type).toBe('error')
  })
})

test('events that may have been missed while the connection was broken are told once it is back', async () => {
  let opened = 0
  const client = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 20\n\n')
    opened++
    // The first connection says nothing and breaks.
    if (opened === 1) setTimeout(() => response.end(), 30)
  })
  stubPage()
  let told = 0
  const end = client.on('calls', () => told++)
  await expect.poll(() => opened).toBe(2)
  await expect.poll(() => told).toBe(1)
  end()
})

test('a gateway that ended is looked for at once, and nothing else is read in vain', async () => {
  const client = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 60000\n\n')
    setTimeout(() => response.destroy(), 30)
  })
  stubPage()
  const told: string[] = []
  const ends = (['server', 'calls'] as const).map((event) =>
    client.on(event, () => told.push(event)),
  )
  await expect.poll(() => told).toEqual(['server'])
  for (const end of ends) end()
})

test('a page in the background leaves its connection to others, and is told on its return', async () => {
  const open = new Set<ServerResponse>()
  const client = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  const { show } = stubPage()
  show(false)
  let told = 0
  const end = client.on('calls', () => told++)
  show(true)
  await expect.poll(() => told).toBe(1)
  expect(open.size).toBe(1)
  show(false)
  await expect.poll(() => open.size).toBe(0)
  show(true)
  await expect.poll(() => told).toBe(2)
  end()
  await expect.poll(() => open.size).toBe(0)
  show(true)
  expect(open.size).toBe(0)
})

test('who listens later for another kind of event hears of it over the same connection', async () => {
  let opened = 0
  let send = (_event: string) => {}
  const client = await serve((_request, response) => {
    opened++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send = (event) => response.write(`event: ${event}\ndata: {}\n\n`)
    send('server')
  })
  stubPage()
  const told: string[] = []
  const ends = [client.on('server', () => told.push('server'))]
  await expect.poll(() => told).toEqual(['server'])
  ends.push(client.on('calls', () => told.push('calls')))
  send('calls')
  await expect.poll(() => told).toEqual(['server', 'calls'])
  expect(opened).toBe(1)
  for (const end of ends) end()
})

test('events are read the same however the stream is cut', () => {
  const stream =
    ': keep-alive\r\n\r\nevent: message\r\ndata: {"text":"über 你好 🚂"}\r\n\r\n' +
    'data: one\r\ndata: two\r\n\r\n' +
    'data: first line\ndata: second line\n\ndata:\n\nid: 7\ndata:no blank\r\rdata: [DONE]'
  const expected = [
    ...['{"text":"über 你好 🚂"}', 'one\ntwo', 'first line\nsecond line', '', 'no blank', '[DONE]'],
  ]
  const bytes = new TextEncoder().encode(stream)
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
      const read: string[] = []
      const reader = createEventStreamReader((data) => read.push(data))
      const edges = [0, ...cuts.sort((one, other) => one - other), bytes.length]
      for (let index = 1; index < edges.length; index++) {
        reader.push(bytes.subarray(edges[index - 1], edges[index]))
      }
      reader.end()
      expect(read).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
