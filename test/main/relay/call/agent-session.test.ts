import { describe, expect, test } from 'vitest'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { agentSession } from '../../../../main/relay/call/agent-session.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import { claudeCodeFirst, claudeCodeHeaders } from '../../../support/agent-requests/claude-code.ts'
import { codexFirst, codexHeaders } from '../../../support/agent-requests/codex.ts'
import { geminiCliFirst, geminiCliHeaders } from '../../../support/agent-requests/gemini-cli.ts'
import { openCodeFirst, openCodeHeaders } from '../../../support/agent-requests/opencode.ts'

type Named = Pick<Call, 'headers' | 'body' | 'format'>

const call = (
  format: Call['format'],
  headers: Record<string, string>,
  body: object = {},
): Named => ({ format, headers, body: new JsonFields(Buffer.from(JSON.stringify(body))) })

const CLAUDE = '0b6f1c0e-6a5b-4df8-9c55-6a0f5f0a4f11'
const CODEX = '019a5d1e-6f53-7b52-9d0c-5f3b9d1f7a10'

describe('the session that an agent names', () => {
  test.each<[string, Named, string | null]>([
    ['Claude Code by its header', call('messages', claudeCodeHeaders), `claude-code:${CLAUDE}`],
    [
      'Claude Code behind a proxy that drops headers',
      call('messages', {}, claudeCodeFirst('claude-opus-5')),
      `claude-code:${CLAUDE}`,
    ],
    [
      'older Claude Code',
      call('messages', {}, { metadata: { user_id: `user_5f_account__session_${CLAUDE}` } }),
      `claude-code:${CLAUDE}`,
    ],
    ['an app’s own user id is none', call('messages', {}, { metadata: { user_id: 'u1' } }), null],
    ['Codex by its header', call('responses', codexHeaders), `codex:${CODEX}`],
    [
      'Codex by its cache key',
      call('responses', { 'user-agent': 'codex_exec/0.169.0' }, codexFirst('gpt-5')),
      `codex:${CODEX}`,
    ],
    [
      'any other client by its cache key',
      call('chat', {}, { prompt_cache_key: 'run 7' }),
      'cache-key:run 7',
    ],
    [
      'a conversation kept at the vendor',
      call('responses', {}, { conversation: { id: 'conv_1' } }),
      'conversation:conv_1',
    ],
    ['OpenCode', call('chat', { 'x-session-id': 'ses_df67' }), 'opencode:ses_df67'],
    ['OpenCode without a session', call('chat', openCodeHeaders, openCodeFirst('gpt-5')), null],
    ['Gemini CLI names none', call('generate-content', geminiCliHeaders, geminiCliFirst()), null],
  ])('%s', (_name, given, id) => {
    expect(agentSession(given)?.id ?? null).toBe(id)
  })

  test('sub-agents belong to the session that started them', () => {
    const claude = { ...claudeCodeHeaders, 'x-claude-code-agent-id': 'a1b2' }
    expect(agentSession(call('messages', claude))).toMatchObject({
      id: `claude-code:${CLAUDE}`,
      agent: 'a1b2',
    })
    const thread = { ...codexHeaders, 'thread-id': '019a-other', 'x-openai-subagent': 'review' }
    expect(agentSession(call('responses', thread))).toMatchObject({
      id: `codex:${CODEX}`,
      agent: '019a-other',
    })
    const child = { 'x-session-id': 'ses_child', 'x-parent-session-id': 'ses_root' }
    expect(agentSession(call('chat', child))).toMatchObject({
      id: 'opencode:ses_root',
      agent: 'ses_child',
    })
    expect(agentSession(call('responses', codexHeaders))?.agent).toBeNull()
  })

  test('Codex says which calls are its memory’s', () => {
    const memory = { ...codexHeaders, 'x-openai-memgen-request': 'true' }
    expect(agentSession(call('responses', memory))?.isBackground).toBe(true)
    expect(agentSession(call('responses', codexHeaders))?.isBackground).toBe(false)
  })

  test('an id of any length fits', () => {
    expect(agentSession(call('chat', { 'x-session-id': 'x'.repeat(5000) }))?.id).toHaveLength(100)
  })

  test('finding it takes less time than reading a kilobyte of JSON', () => {
    const body = claudeCodeFirst('claude-opus-5')
    const calls = [
      call('messages', claudeCodeHeaders, body),
      call('messages', {}, body),
      call('responses', codexHeaders, codexFirst('gpt-5')),
      call('responses', {}, codexFirst('gpt-5')),
      call('generate-content', geminiCliHeaders, geminiCliFirst()),
    ]
    const kilobyte = JSON.stringify(
      Array.from({ length: 20 }, (_, id) => ({ id, text: 'a'.repeat(31) })),
    )
    const timeOf = (round: (one: Parameters<typeof agentSession>[0]) => unknown): number => {
      const start = performance.now()
      for (let count = 0; count < 4000; count++) for (const one of calls) round(one)
      return performance.now() - start
    }
    const find = () => timeOf(agentSession)
    const read = () => timeOf(() => JSON.parse(kilobyte))
    for (const run of [find, find, find, read]) run()
    // The best of several, by turns: other processes share the machine.
    const times = Array.from({ length: 5 }, () => ({ found: find(), read: read() }))
    const best = (name: 'found' | 'read') => Math.min(...times.map((one) => one[name]))
    expect(best('found') / best('read')).toBeLessThan(1)
  })
})
