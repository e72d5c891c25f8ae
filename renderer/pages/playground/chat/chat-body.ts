import type { CurlRequest } from '../run/curl-command.ts'
import type { ChatSettings, Turn } from './conversation-state.ts'

type Said = Pick<Turn, 'role' | 'text'>

/** The request that answers the last of `turns`; turns without text are skipped. */
export function chatBody(settings: ChatSettings, turns: readonly Said[]) {
  const said = turns.filter((turn) => turn.text !== '')
  return {
    model: settings.model ?? '',
    messages: [
      ...(settings.system.trim() ? [{ role: 'system', content: settings.system }] : []),
      ...said.map(({ role, text }) => ({ role, content: text })),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(settings.temperature === '' ? {} : { temperature: settings.temperature }),
    ...(settings.maxTokens === '' ? {} : { max_tokens: settings.maxTokens }),
  }
}

/** The request that `draft` would send; without one, the request of the last reply. */
export function chatRequest(
  settings: ChatSettings,
  turns: readonly Turn[],
  draft: string,
): CurlRequest {
  const lastAsked = turns.findLastIndex(({ role }) => role === 'user')
  const asked: readonly Said[] = draft
    ? [...turns, { role: 'user', text: draft }]
    : turns.slice(0, lastAsked + 1)
  return { path: '/v1/chat/completions', body: { json: chatBody(settings, asked) }, streams: true }
}
