import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { LocalFile, LocalRequest } from '../../../../main/adaptor/adaptor.ts'
import { echo } from '../../../../main/adaptor/vendor/echo.ts'
import type { CallFormat } from '../../../../main/convert/call-format.ts'

type Route = Pick<LocalRequest, 'format' | 'verb' | 'stream' | 'model' | 'altSse'>

const formats: Readonly<Record<string, CallFormat>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/messages/count_tokens': 'messages',
  '/v1/completions': 'completions',
  '/v1/responses/compact': 'compact',
  '/v1/embeddings': 'embeddings',
  '/v1/images/generations': 'images',
  '/v1/images/edits': 'image-edits',
  '/v1/images/variations': 'image-variations',
  '/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
  '/v1/audio/speech': 'speech',
  '/v1/rerank': 'rerank',
  '/v2/rerank': 'cohere-rerank',
}

const googleFormats: Readonly<Record<string, CallFormat>> = {
  embedContent: 'embed-content',
  batchEmbedContents: 'batch-embed-contents',
}

function route(url: URL, body: Record<string, unknown>): Route {
  const format = formats[url.pathname]
  if (format) {
    const verb = url.pathname.endsWith('/count_tokens') ? 'count-tokens' : 'generate'
    const stream = body.stream === true || body.stream === 'true'
    return { verb, stream, altSse: true, format, model: String(body.model) }
  }
  const [, name = '', verb = ''] = /models\/(.+):(\w+)$/.exec(url.pathname) ?? []
  return {
    format: googleFormats[verb] ?? 'generate-content',
    verb: verb === 'countTokens' ? 'count-tokens' : 'generate',
    stream: verb === 'streamGenerateContent',
    model: name,
    altSse: url.searchParams.get('alt') === 'sse',
  }
}

type Content = Pick<LocalRequest, 'body' | 'files'>

/** A form as the gateway hands it on: texts by name, a list where a name is repeated or ends in `[]`. */
async function readForm(bytes: Buffer, type: string): Promise<Content> {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData()
  const body: Record<string, unknown> = {}
  const files: LocalFile[] = []
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    const texts = values.filter((value) => typeof value === 'string')
    if (texts.length > 0) body[name] = texts.length > 1 || name.endsWith('[]') ? texts : texts[0]
    for (const file of values) {
      if (typeof file === 'string') continue
      const { name: filename, type: contentType } = file
      const content = Buffer.from(await file.arrayBuffer())
      files.push({ field: name, filename, contentType, bytes: content })
    }
  }
  return { body, files }
}

async function readContent(request: IncomingMessage): Promise<Content> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) return readForm(bytes, type)
  return { body: JSON.parse(bytes.toString()) as Record<string, unknown>, files: [] }
}

/** Echo behind a bare HTTP server for vendors’ own clients, as long as a file’s tests run; gives its URL. */
export async function serveEcho(): Promise<string> {
  const server = createServer(async (request, response) => {
    const content = await readContent(request)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const wanted = route(new URL(request.url ?? '/', 'http://localhost'), content.body)
    const answer = echo.local?.answer({ ...wanted, ...content, signal: gone.signal })
    if (!answer) throw new Error('Echo answers nothing')
    response.writeHead(answer.status, answer.headers)
    for await (const chunk of answer.chunks) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
