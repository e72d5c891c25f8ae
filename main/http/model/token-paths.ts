import type { TokenPath } from '../../manage/api-document/other-paths.ts'
import { tokenFigures } from '../../manage/tokens/token-figures.ts'
import type { FixedPath } from './model-path.ts'

type PathDescription = Omit<TokenPath, 'path'>

const post = (summary: string, body: 'json' | 'form' = 'json'): PathDescription => ({
  method: 'POST',
  summary,
  body,
})

const get = (summary: string, answer?: TokenPath['answer']): PathDescription => ({
  method: 'GET',
  summary,
  body: 'none',
  ...(answer ? { answer } : {}),
})

const subscription = get(
  'Quota given to the token, in US dollars.',
  tokenFigures.subscription.schema,
)
const usage = get('Quota used by the token, in US cents.', tokenFigures.usage.schema)
const models = get('Lists the models that the token may use.')

const fixed: Readonly<Record<FixedPath, PathDescription>> = {
  '/v1/chat/completions': post("A conversation in OpenAI's chat format."),
  '/v1/completions': post("Continues a text, in OpenAI's legacy format."),
  '/v1/responses': post("A conversation in OpenAI's Responses format."),
  '/v1/responses/input_tokens': post('Counts the tokens of a Responses request.'),
  '/v1/responses/compact': post('Shortens a Responses conversation.'),
  '/v1/messages': post("A conversation in Anthropic's format."),
  '/v1/messages/count_tokens': post("Counts the tokens of a request in Anthropic's format."),
  '/v1/embeddings': post("Embeddings in OpenAI's format."),
  '/v1/images/generations': post("Makes pictures from a prompt, in OpenAI's format."),
  '/v1/images/edits': post('Edits pictures.', 'form'),
  '/v1/images/variations': post('Makes variations of a picture.', 'form'),
  '/v1/audio/transcriptions': post('Transcribes speech.', 'form'),
  '/v1/audio/translations': post('Translates speech into English text.', 'form'),
  '/v1/audio/speech': post('Reads a text aloud.'),
  '/v1/rerank': post("Ranks documents, in Jina's format."),
  '/rerank': post("Ranks documents, in Jina's format."),
  '/v2/rerank': post("Ranks documents, in Cohere's format."),
  '/v1/realtime': get("Opens a WebSocket in OpenAI's realtime format."),
  '/v1/dashboard/billing/subscription': subscription,
  '/v1/dashboard/billing/usage': usage,
  '/dashboard/billing/subscription': subscription,
  '/dashboard/billing/usage': usage,
  '/api/usage/token': get('Quota left and used, in units.', tokenFigures.token.schema),
  '/api/log/token': get("The token's last calls, newest first.", tokenFigures.log.schema),
  '/v1/models': models,
  '/v1beta/models': get("Lists the models that the token may use, in Gemini's shape."),
  '/v1beta/openai/models': models,
}

const geminiVerbs: Readonly<Record<string, string>> = {
  generateContent: "A conversation in Gemini's format.",
  streamGenerateContent: "A streamed conversation in Gemini's format.",
  countTokens: "Counts the tokens of a request in Gemini's format.",
  embedContent: "An embedding in Gemini's format.",
  batchEmbedContents: "Embeddings in Gemini's format.",
}

const ofModel = ['/v1beta/models', '/v1/models'].flatMap((list): TokenPath[] => [
  { ...get('Gives one model that the token may use.'), path: `${list}/{model}` },
  ...Object.entries(geminiVerbs).map(([verb, summary]) => ({
    ...post(summary),
    path: `${list}/{model}:${verb}`,
  })),
])

/** Every path that is reached with a token, for the API's document. */
export const tokenPaths: readonly TokenPath[] = [
  ...Object.entries(fixed).map(([path, described]) => ({ ...described, path })),
  ...ofModel,
]
