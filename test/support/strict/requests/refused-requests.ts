import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from './refusal.ts'

/** Models of the strict upstreams, by what is particular to them. */
export const models = {
  chat: 'deepseek-v4',
  gpt: 'gpt-5.4',
  messages: 'claude-opus-5-5',
  olderMessages: 'claude-sonnet-4-5',
  google: 'gemini-3.5-pro',
  responses: 'gpt-5.6-sol',
} as const

/** Where a whole answer is asked for. */
export const callPath: Readonly<Record<WireFormat, (model: string) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  'generate-content': (model) => `/v1beta/models/${model}:generateContent`,
}

/** A plain question in each format. */
export const plainBody: Readonly<Record<WireFormat, Json>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi', store: false },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

const chatUser = (...content: Json[]) => ({ messages: [{ role: 'user', content }] })
export const claudeUser = (...content: Json[]) => ({ messages: [{ role: 'user', content }] })
const googleUser = (...parts: Json[]) => ({ contents: [{ role: 'user', parts }] })
const items = (...input: Json[]) => ({ input })
const itemUser = (...content: Json[]) => items({ type: 'message', role: 'user', content })

const audio = { type: 'input_audio', input_audio: { data: 'UklGRgAA', format: 'wav' } }
const googleAudio = { inlineData: { mimeType: 'audio/wav', data: 'UklGRgAA' } }
const video = { inlineData: { mimeType: 'video/mp4', data: 'AAAAGGZ0eXBtcDQy' } }
const claudeFile = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
const svg = { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=' } }
const pdfUrl = { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } }
const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'abc' }
const prefill = { role: 'assistant', content: 'So the answer is' }

/** Client format, upstream's model, what is added to a plain body, the JSON path that has to be named. */
export const refused: readonly [string, WireFormat, string, Json, string][] = [
  ['several answers', 'chat', models.messages, { n: 2 }, 'n'],
  ['several answers', 'chat', models.responses, { n: 3 }, 'n'],
  [
    'several answers',
    'generate-content',
    models.messages,
    { generationConfig: { candidateCount: 2 } },
    'generationConfig.candidateCount',
  ],
  [
    'several answers',
    'generate-content',
    models.responses,
    { generationConfig: { candidateCount: 2 } },
    'generationConfig.candidateCount',
  ],
  ['logprobs', 'chat', models.messages, { logprobs: true, top_logprobs: 2 }, 'logprobs'],
  [
    'logprobs',
    'generate-content',
    models.messages,
    { generationConfig: { responseLogprobs: true, logprobs: 2 } },
    'generationConfig.',
  ],
  [
    'logprobs',
    'responses',
    models.messages,
    { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    'top_logprobs',
  ],
  ['audio', 'chat', models.messages, chatUser(audio), 'messages[0].content[0]'],
  [
    'audio',
    'generate-content',
    models.messages,
    googleUser({ text: 'x' }, googleAudio),
    'contents[0].parts[1]',
  ],
  ['video', 'generate-content', models.chat, googleUser(video), 'contents[0].parts[0]'],
  ['video', 'generate-content', models.messages, googleUser(video), 'contents[0].parts[0]'],
  ['video', 'generate-content', models.responses, googleUser(video), 'contents[0].parts[0]'],
  [
    'a file at OpenAI',
    'chat',
    models.messages,
    chatUser({ type: 'file', file: { file_id: 'file-1' } }),
    'messages[0].content[0]',
  ],
  [
    'a file at OpenAI',
    'chat',
    models.google,
    chatUser({ type: 'file', file: { file_id: 'file-1' } }),
    'messages[0].content[0]',
  ],
  [
    'a file at OpenAI',
    'responses',
    models.messages,
    itemUser({ type: 'input_file', file_id: 'file-1' }),
    'input[0].content[0]',
  ],
  [
    'a picture at OpenAI',
    'responses',
    models.google,
    itemUser({ type: 'input_image', file_id: 'file-1', detail: 'auto' }),
    'input[0].content[0]',
  ],
  ['a file at Anthropic', 'messages', models.gpt, claudeUser(claudeFile), 'messages[0].content[0]'],
  [
    'a file at Anthropic',
    'messages',
    models.google,
    claudeUser(claudeFile),
    'messages[0].content[0]',
  ],
  [
    'a file at Anthropic',
    'messages',
    models.responses,
    claudeUser(claudeFile),
    'messages[0].content[0]',
  ],
  [
    'a file at Google',
    'generate-content',
    models.messages,
    googleUser({
      fileData: {
        fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
        mimeType: 'image/png',
      },
    }),
    'contents[0].parts[0]',
  ],
  [
    'a PDF that would have to be fetched',
    'messages',
    models.gpt,
    claudeUser(pdfUrl),
    'messages[0].content[0]',
  ],
  [
    'a PDF that would have to be fetched',
    'responses',
    models.gpt,
    itemUser({ type: 'input_file', file_url: 'https://a.example/b.pdf' }),
    'input[0].content[0]',
  ],
  ['a picture in SVG', 'chat', models.messages, chatUser(svg), 'messages[0].content[0]'],
  [
    'a picture in BMP',
    'generate-content',
    models.messages,
    googleUser({ inlineData: { mimeType: 'image/bmp', data: 'Qk0AAAAA' } }),
    'contents[0].parts[0]',
  ],
  [
    'an empty question',
    'chat',
    models.messages,
    { messages: [{ role: 'user', content: '' }] },
    'messages[0]',
  ],
  [
    'the beginning of an answer',
    'chat',
    models.messages,
    { messages: [{ role: 'user', content: 'Hi' }, prefill] },
    'messages[1]',
  ],
  [
    'the beginning of an answer',
    'generate-content',
    models.messages,
    {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'So' }] },
      ],
    },
    'contents[1]',
  ],
  [
    'a temperature beyond all bounds',
    'chat',
    models.olderMessages,
    { temperature: 3 },
    'temperature',
  ],
  [
    'a limit below one',
    'chat',
    models.messages,
    { max_completion_tokens: 0 },
    'max_completion_tokens',
  ],
  [
    'spoken answers',
    'chat',
    models.messages,
    { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'mp3' } },
    'modalities',
  ],
  [
    'spoken answers',
    'generate-content',
    models.gpt,
    {
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    },
    'generationConfig.',
  ],
  [
    'an answer that is not kept',
    'responses',
    models.messages,
    { previous_response_id: 'resp_unknown' },
    'previous_response_id',
  ],
  [
    'an answer that is not kept',
    'responses',
    models.google,
    { previous_response_id: 'resp_unknown' },
    'previous_response_id',
  ],
  [
    'a conversation at OpenAI',
    'responses',
    models.messages,
    { conversation: 'conv_1' },
    'conversation',
  ],
  ['a background answer', 'responses', models.google, { background: true }, 'background'],
  ['a prompt template', 'responses', models.chat, { prompt: { id: 'pmpt_1' } }, 'prompt'],
  [
    'a compacted history',
    'responses',
    models.messages,
    items({ role: 'user', content: 'Hi' }, compaction, { role: 'user', content: 'Go on' }),
    'input[1]',
  ],
  [
    'servers of Anthropic’s connector',
    'messages',
    models.gpt,
    { mcp_servers: [{ type: 'url', url: 'https://a.example/mcp', name: 'a' }] },
    'mcp_servers',
  ],
  ['a container', 'messages', models.google, { container: 'container_1' }, 'container'],
  [
    'a forced tool that the vendor runs',
    'messages',
    models.gpt,
    {
      tools: [
        { type: 'computer_20250124', name: 'computer', display_width_px: 1, display_height_px: 1 },
      ],
      tool_choice: { type: 'tool', name: 'computer' },
    },
    'tool_choice',
  ],
  [
    'a forced tool that the vendor runs',
    'responses',
    models.messages,
    {
      tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
      tool_choice: { type: 'file_search' },
    },
    'tool_choice',
  ],
  [
    'a forced tool that the vendor runs',
    'responses',
    models.google,
    { tools: [{ type: 'image_generation' }], tool_choice: { type: 'image_generation' } },
    'tool_choice',
  ],
  ['a word for a switch', 'responses', models.messages, { store: 'yes' }, 'store'],
  ['a number for a word', 'responses', models.google, { service_tier: 7 }, 'service_tier'],
  [
    'a word for an object',
    'messages',
    models.responses,
    { output_config: 'high' },
    'output_config',
  ],
  ['an unknown kind of output', 'chat', models.google, { modalities: ['smell'] }, 'modalities'],
  [
    'a word for a list',
    'generate-content',
    models.messages,
    { generationConfig: { stopSequences: 'END' } },
    'generationConfig.stopSequences',
  ],
]
