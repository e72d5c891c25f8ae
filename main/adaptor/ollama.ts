import type { Adaptor } from './adaptor.ts'
import { joinUrl } from './join-url.ts'
import { modelNames } from './model-names.ts'
import { openAiCompatible } from './openai-compatible.ts'

const compatible = openAiCompatible({
  type: 4,
  name: 'Ollama',
  defaultBaseUrl: 'http://localhost:11434',
  // https://docs.ollama.com/api/openai-compatibility and …/api/anthropic-compatibility
  usualEndpoints: ['openai', 'anthropic', 'openai-response', 'embeddings'],
})

/** Type 4: Ollama's OpenAI and Anthropic layers; models from its own list, which names every tag. */
export const ollama: Adaptor = {
  ...compatible,
  modelList(channel) {
    const list = compatible.modelList(channel)
    // The native API is beside the layer's `/v1`, not under it.
    const host = list.url.replace(/(?:\/v1)?\/models$/, '')
    return {
      ...list,
      url: joinUrl(host, '/tags', '/api'),
      parse: (body) => ({ models: modelNames(body) }),
    }
  },
}
