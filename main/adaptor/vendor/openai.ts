import { OPENAI_ENDPOINTS } from '../url/endpoint-types.ts'
import { openAiCompatible } from './openai-compatible.ts'

/**
 * Type 1: OpenAI itself, and every compatible host that has no type of its own.
 * https://platform.openai.com/docs/api-reference ; data residency hosts such as `eu.api.openai.com`:
 * https://platform.openai.com/docs/guides/your-data
 */
export const openAi = openAiCompatible({
  type: 1,
  name: 'OpenAI',
  defaultBaseUrl: 'https://api.openai.com',
  ownHost: {
    is: (hostname) => hostname === 'api.openai.com' || hostname.endsWith('.api.openai.com'),
    endpoints: OPENAI_ENDPOINTS,
    // The last models of the old completions endpoint were shut down on 2026-09-28:
    // https://platform.openai.com/docs/deprecations ; rankings it never had.
    otherFormats: { completions: null, rerank: null, 'cohere-rerank': null },
  },
})
