import type { Adaptor } from '../adaptor.ts'
import { modelNames } from '../model-names.ts'
import { joinBeside } from '../url/join-url.ts'
import { openAiCompatible } from './openai-compatible.ts'

const compatible = openAiCompatible({
  type: 4,
  name: 'Ollama',
  defaultBaseUrl: 'http://localhost:11434',
  // https://docs.ollama.com/api/openai-compatibility and …/api/anthropic-compatibility
  usualEndpoints: ['openai', 'anthropic', 'openai-response', 'embeddings'],
  otherFormats: {
    embeddings: 'ollama-embed',
    'embed-content': 'ollama-embed',
    'batch-embed-contents': 'ollama-embed',
  },
  // Its own API is what its pages show first: `http://localhost:11434/api/embed`.
  cleanBaseUrl: (baseUrl) => baseUrl.replace(/\/api(?:\/[\w-]+)?\/*$/, ''),
})

/**
 * Type 4: Ollama's OpenAI and Anthropic layers; embeddings and the list of models by its own API, which
 * says more: https://docs.ollama.com/api/embed and …/api/tags
 */
export const ollama: Adaptor = {
  ...compatible,
  modelList(channel) {
    const list = compatible.modelList(channel)
    return {
      ...list,
      // The native API is beside the layer's `/v1`, not under it.
      url: joinBeside(list.url.replace(/\/models$/, ''), '/api/tags'),
      parse: (body) => ({ models: modelNames(body) }),
    }
  },
}
