import { expect, test } from 'vitest'
import { readLinks } from '../../../../main/transfer/from/cc-switch/read-link.ts'
import { openCode } from '../../../../main/transfer/from/open-code.ts'

const link = (fields: Record<string, string>): string =>
  `ccswitch://v1/import?${Object.entries({ resource: 'provider', ...fields })
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`
const encoded = (text: string): string => Buffer.from(text).toString('base64')
const read = (fields: Record<string, string>) => readLinks(link(fields)).foreign()
const channelOf = (fields: Record<string, string>) => read(fields).transfer.channels?.[0]

test('a link whose Base64 has a plus, which is a blank in a query, keeps its configuration', () => {
  const config = encoded(
    JSON.stringify({ env: { ANTHROPIC_API_KEY: 'sk-a', ANTHROPIC_MODEL: 'a>>>>>' } }),
  )
  expect(config).toContain('+')
  expect(channelOf({ app: 'claude', config })).toMatchObject({ keys: ['sk-a'], models: ['a>>>>>'] })
})

test('a link for something else is named by no more than its beginning', () => {
  const { leftOut } = read({ resource: 'x'.repeat(500), app: 'claude' })
  expect(leftOut).toHaveLength(1)
  expect(JSON.stringify(leftOut)).not.toContain('x'.repeat(41))
})

test('Codex: a link that names a model keeps the address of its configuration', () => {
  const config = encoded('base_url = "https://relay.example/v1"\nmodel = "old"')
  const channel = channelOf({
    app: 'codex',
    configFormat: 'toml',
    config,
    apiKey: 'k',
    model: 'new',
  })
  expect(channel).toMatchObject({ base_url: 'https://relay.example/v1', models: ['new'] })
})

test('Claude Code: the token that it sends counts, and a model without its wish for a long context', () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-key',
    ANTHROPIC_AUTH_TOKEN: 'sk-token',
    ANTHROPIC_MODEL: 'claude-a[1M]',
    ANTHROPIC_SMALL_FAST_MODEL: 'claude-b[10m]',
  }
  const channel = channelOf({ app: 'claude', config: encoded(JSON.stringify({ env })) })
  expect(channel).toMatchObject({ keys: ['sk-token'], models: ['claude-a', 'claude-b'] })
})

test('OpenCode: OpenAI’s key in its logins becomes a channel', () => {
  const { transfer } = openCode.read('{"openai":{"type":"api","key":"sk-o"}}')
  expect(transfer.channels).toMatchObject([{ type: 1, keys: ['sk-o'] }])
})

test('OpenCode: a file without a provider is known by its schema', () => {
  expect(openCode.detect('{"$schema":"https://opencode.ai/config.json","theme":"x"}')).toBe(true)
})
