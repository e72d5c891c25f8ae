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
  'What the token was given, in US dollars.',
  tokenFigures.subscription.schema,
)
const usage = get('What the token used, in US cents.', tokenFigures.usage.schema)
const models = get('Lists the models that the token may use.')

const fixed: Readonly<Record<FixedPath, PathDescription>> = {
  '/v1/chat/completions': post("A conversation in OpenAI's chat format."),
  '/v1/completions': post("A text that is gone on with, in OpenAI's legacy format."),
  '/v1/responses': post("A conversation in OpenAI's Responses format."),
  '/v1/responses/input_tokens': post('Counts the tokens of a Responses request.'),
  '/v1/responses/compact': post('Shortens a Responses conversation.'),
  '/v1/messages': post("A conversation in Anthropic's format."),
  '/v1/messages/count_tokens': post("Counts the tokens of a request in Anthropic's format."),
  '/v1/embeddings': post("Embeddings in OpenAI's format."),
  '/v1/images/generations': post("Pictures from words, in OpenAI's format."),
  '/v1/images/edits': post('Changes pictures.', 'form'),
  '/v1/images/variations': post('Variations of a picture.', 'form'),
  '/v1/audio/transcriptions': post('Writes down what is said.', 'form'),
  '/v1/audio/translations': post('Writes down in English what is said.', 'form'),
  '/v1/audio/speech': post('Speaks a text.'),
  '/v1/rerank': post("Ranks documents, in Jina's format."),
  '/rerank': post("Ranks documents, in Jina's format."),
  '/v2/rerank': post("Ranks documents, in Cohere's format."),
  '/v1/realtime': get("Begins a WebSocket in OpenAI's realtime format."),
  '/v1/dashboard/billing/subscription': subscription,
  '/v1/dashboard/billing/usage': usage,
  '/dashboard/billing/subscription': subscription,
  '/dashboard/billing/usage': usage,
  '/api/usage/token': get('What the token has and used, in units.', tokenFigures.token.schema),
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
  { ...get('One model that the token may use.'), path: `${list}/{model}` },
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
