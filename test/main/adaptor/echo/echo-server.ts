import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LocalRequest } from '../../../../main/adaptor/adaptor.ts'
import { echo } from '../../../../main/adaptor/echo.ts'

type Route = Pick<LocalRequest, 'format' | 'verb' | 'stream' | 'model' | 'altSse'>

function route(url: URL, body: Record<string, unknown>): Route {
  const plain = { verb: 'generate', stream: body.stream === true, altSse: true } as const
  const model = String(body.model)
  switch (url.pathname) {
    case '/v1/chat/completions':
      return { ...plain, format: 'chat', model }
    case '/v1/responses':
      return { ...plain, format: 'responses', model }
    case '/v1/messages':
      return { ...plain, format: 'messages', model }
    case '/v1/messages/count_tokens':
      return { ...plain, format: 'messages', verb: 'count-tokens', model }
  }
  const [, name = '', verb] = /models\/(.+):(\w+)$/.exec(url.pathname) ?? []
  return {
    format: 'generate-content',
    verb: verb === 'countTokens' ? 'count-tokens' : 'generate',
    stream: verb === 'streamGenerateContent',
    model: name,
    altSse: url.searchParams.get('alt') === 'sse',
  }
}

/** Echo behind a bare HTTP server, so that vendors' own clients can be pointed at it. */
export async function serveEcho(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const wanted = route(new URL(request.url ?? '/', 'http://localhost'), body)
    const answer = echo.local?.answer({ ...wanted, body, signal: gone.signal })
    if (!answer) throw new Error('Echo answers nothing')
    response.writeHead(answer.status, answer.headers)
    for await (const chunk of answer.chunks) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
