import { openAiCompatible } from './openai-compatible.ts'

/** Type 38: Jina, which embeds and ranks and holds no conversations: https://api.jina.ai/docs */
export const jina = openAiCompatible({
  type: 38,
  name: 'Jina',
  defaultBaseUrl: 'https://api.jina.ai',
  usualEndpoints: ['embeddings', 'jina-rerank'],
  otherFormats: {
    embeddings: 'jina-embed',
    'embed-content': 'jina-embed',
    'batch-embed-contents': 'jina-embed',
  },
})
