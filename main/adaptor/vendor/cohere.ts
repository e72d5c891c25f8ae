import type { Adaptor, ModelPage } from '../adaptor.ts'
import { modelNames } from '../model-names.ts'
import { joinBeside } from '../url/join-url.ts'
import { openAiCompatible } from './openai-compatible.ts'

const ROOT = '/compatibility/v1'

const compatible = openAiCompatible({
  type: 34,
  name: 'Cohere',
  defaultBaseUrl: 'https://api.cohere.ai',
  root: ROOT,
  usualEndpoints: ['openai', 'embeddings', 'jina-rerank'],
  // Its own API has its versions beside the layer: `https://api.cohere.com/v2/chat`.
  cleanBaseUrl: (baseUrl) => baseUrl.replace(/(?<!\/compatibility)\/v[12](?:\/[\w-]+)?\/*$/, ''),
  // https://docs.cohere.com/docs/compatibility-api does not know it, and what it does not know is a 400.
  streamOptions: false,
  // The layer embeds too, but knows no `input_type`.
  otherFormats: {
    embeddings: 'cohere-embed',
    'embed-content': 'cohere-embed',
    'batch-embed-contents': 'cohere-embed',
    rerank: 'cohere-rerank',
    'cohere-rerank': 'cohere-rerank',
    completions: null,
  },
})

/** One page of https://docs.cohere.com/reference/list-models : `{models: [{name}], next_page_token}`. */
function readPage(body: unknown, firstUrl: string): ModelPage {
  const models = modelNames(body)
  const token = (body as { next_page_token?: unknown }).next_page_token
  if (typeof token !== 'string' || token === '') return { models }
  return { models, next: `${firstUrl}&page_token=${encodeURIComponent(token)}` }
}

/**
 * Type 34: Cohere. Conversations at its OpenAI layer, embeddings and rankings at its own API of version 2:
 * https://docs.cohere.com/reference/about
 */
export const cohere: Adaptor = {
  ...compatible,
  modelList(channel) {
    const list = compatible.modelList(channel)
    const host = list.url.replace(/\/models$/, '')
    const url = `${joinBeside(host, '/v1/models', ROOT)}?page_size=1000`
    return { ...list, url, parse: (body) => readPage(body, url) }
  },
}
