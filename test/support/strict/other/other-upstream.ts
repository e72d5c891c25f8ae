import { readForm } from '../../clients/read-form.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../upstreams/scripted-upstream.ts'
import { demand, type Json, Refusal, refuse } from '../requests/refusal.ts'
import { type EmbeddingsVendor, embeddingsVendors } from './check-embeddings.ts'
import { type RerankVendor, rerankVendors } from './check-rerank.ts'
import type { OtherEndpoint, OtherRequest, OtherTable } from './other-endpoint.ts'
import { googleEndpoints } from './other-google.ts'
import { openAiEndpoints } from './other-openai.ts'

/** The key that every vendor here wants; the one that test channels have. */
const VENDOR_KEY = 'vendor-key'

/** A vendor that is called in the right way, or says in its own shape what is wrong. */
interface OtherVendor {
  endpoints: OtherTable
  /** Header that carries its key; absent where it wants none. */
  keyHeader?: 'authorization' | 'x-goog-api-key'
  errorBody(refusal: Refusal, sentence: string): object
}

const embedding = ({ check, answer }: EmbeddingsVendor): OtherEndpoint => ({
  takes: 'json',
  answer({ body, model }) {
    check(body, model)
    return { body: answer(body) }
  },
})

const ranking = ({ check, answer }: RerankVendor): OtherEndpoint => ({
  takes: 'json',
  answer({ body }) {
    check(body)
    return { body: answer(body) as object }
  },
})

const openAiError = ({ path, status, code }: Refusal, message: string): object => {
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error'
  return { error: { message, type, param: path || null, code } }
}

const vendors = {
  openai: {
    endpoints: openAiEndpoints,
    keyHeader: 'authorization',
    errorBody: openAiError,
  },
  google: {
    endpoints: googleEndpoints,
    keyHeader: 'x-goog-api-key',
    errorBody: ({ status }, message) => {
      const word = status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT'
      return { error: { code: status, message, status: word } }
    },
  },
  cohere: {
    endpoints: {
      '/v2/embed': embedding(embeddingsVendors['cohere-embed']),
      '/v2/rerank': ranking(rerankVendors.cohere),
    },
    keyHeader: 'authorization',
    errorBody: (_, message) => ({ id: 'c0ffee', message }),
  },
  jina: {
    endpoints: {
      '/v1/embeddings': embedding(embeddingsVendors['jina-embed']),
      '/v1/rerank': ranking(rerankVendors.jina),
    },
    keyHeader: 'authorization',
    errorBody: (_, detail) => ({ detail }),
  },
  ollama: {
    endpoints: { '/api/embed': embedding(embeddingsVendors['ollama-embed']) },
    errorBody: (_, error) => ({ error }),
  },
  vllm: {
    endpoints: { '/v1/rerank': ranking(rerankVendors.vllm) },
    keyHeader: 'authorization',
    errorBody: openAiError,
  },
  voyage: {
    endpoints: { '/v1/rerank': ranking(rerankVendors.voyage) },
    keyHeader: 'authorization',
    errorBody: (_, detail) => ({ detail }),
  },
  tei: {
    endpoints: { '/rerank': ranking(rerankVendors.tei) },
    errorBody: ({ code }, error) => ({ error, error_type: code ?? 'Validation' }),
  },
} satisfies Record<string, OtherVendor>

/** A vendor of calls that are no conversations. */
export interface OtherUpstream extends ScriptedUpstream {
  /** Why it refused, one sentence a refused request. */
  refusals: string[]
}

/**
 * A vendor of embeddings, rankings, pictures and sound that refuses what the real one refuses, in its own
 * words and error shape, and answers what it takes. `script` goes before both.
 */
export async function startOtherUpstream(name: keyof typeof vendors): Promise<OtherUpstream> {
  const vendor: OtherVendor = vendors[name]
  const refusals: string[] = []
  const upstream = await startUpstream(async (request) => {
    try {
      return await reply(vendor, request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const sentence = error.path === '' ? error.message : `${error.path}: ${error.message}`
      refusals.push(sentence)
      return { status: error.status, body: vendor.errorBody(error, sentence) }
    }
  })
  return Object.assign(upstream, { refusals })
}

/** A Google path with `{model}` in the model's place, the model, and the verb behind it. */
function readPath(path: string): { template: string; model: string; verb: string } {
  const [, root, model = '', verb = ''] = /^(.*\/models\/)([^:]+):(\w+)$/.exec(path) ?? []
  if (root === undefined) return { template: path, model: '', verb: '' }
  return { template: `${root}{model}:${verb}`, model: decodeURIComponent(model), verb }
}

async function reply(vendor: OtherVendor, request: RecordedRequest): Promise<Reply> {
  const [path = ''] = request.url.split('?')
  const { template, model, verb } = readPath(path)
  const endpoint = vendor.endpoints[template]
  if (!endpoint || request.method !== 'POST') {
    refuse('', `No such endpoint: ${request.method} ${request.url}`, 404)
  }
  checkKey(vendor, request)
  const asked = await read(endpoint, request)
  return endpoint.answer({ ...asked, model: model || String(asked.body.model ?? ''), verb })
}

function checkKey({ keyHeader }: OtherVendor, { headers }: RecordedRequest): void {
  if (keyHeader === undefined) return
  const wanted = keyHeader === 'authorization' ? `Bearer ${VENDOR_KEY}` : VENDOR_KEY
  if (headers[keyHeader] !== wanted)
    refuse('', 'Incorrect API key provided', 401, 'invalid_api_key')
}

async function read(
  { takes }: OtherEndpoint,
  request: RecordedRequest,
): Promise<Pick<OtherRequest, 'body' | 'fields' | 'files'>> {
  const type = String(request.headers['content-type'])
  const wanted = takes === 'json' ? 'application/json' : 'multipart/form-data'
  demand(type.startsWith(wanted), '', `Unsupported content type: ${type}; send ${wanted}`)
  if (takes === 'json') return { body: request.json() as Json, fields: {}, files: [] }
  const { fields, files } = await readForm(request)
  const first = Object.entries(fields).map(([field, values]) => [field, values[0]])
  return { body: Object.fromEntries(first), fields, files }
}
