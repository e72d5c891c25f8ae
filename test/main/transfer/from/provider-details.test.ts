import { expect, test } from 'vitest'
import { ccSwitch } from '../../../../main/transfer/from/cc-switch/cc-switch.ts'
import { readLinks } from '../../../../main/transfer/from/cc-switch/read-link.ts'
import { claudeCodeRouter } from '../../../../main/transfer/from/claude-code-router.ts'
import { cliProxyApi } from '../../../../main/transfer/from/cli-proxy-api.ts'
import { dotEnv } from '../../../../main/transfer/from/dot-env.ts'
import { liteLlm } from '../../../../main/transfer/from/lite-llm.ts'
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

test('OpenCode: providers that the file does not enable are switched off', () => {
  const provider = { options: { apiKey: 'sk-a' } }
  const file = { enabled_providers: ['groq'], provider: { groq: provider, mistral: provider } }
  const { channels } = openCode.read(JSON.stringify(file)).transfer
  expect(channels?.map(({ name, disabled }) => [name, disabled])).toEqual([
    ['groq', false],
    ['mistral', true],
  ])
})

test('cc-switch: the provider in use of an old config.json comes first', () => {
  const provider = (key: string) => ({ settingsConfig: { env: { ANTHROPIC_API_KEY: key } } })
  const file = { providers: { a: provider('sk-a'), b: provider('sk-b') }, current: 'b' }
  const { channels } = ccSwitch.read(JSON.stringify(file)).transfer
  expect(channels?.map(({ name, priority }) => [name, priority])).toEqual([
    ['a', 0],
    ['b', 1],
  ])
})

test('cc-switch: a statement that stands in a text of its export is none', () => {
  const insert = `INSERT INTO "providers" ("id", "app_type", "name", "settings_config") VALUES ('x', 'claude', 'X', '{"env":{"ANTHROPIC_API_KEY":"sk-1"}}');`
  const prompt = `INSERT INTO "prompts" ("id", "content") VALUES ('p', 'Run; ${insert.replaceAll("'", "''")}');`
  const channels = (text: string) =>
    ccSwitch.read(`-- CC Switch SQLite\n${text}\n`).transfer.channels?.map(({ keys }) => keys)
  expect(channels(`${insert}\n${prompt}`)).toEqual([['sk-1']])
  expect(channels(prompt)).toEqual([])
})

test('CLIProxyAPI: a key of weight 0 is out of the rotation, one without a weight is not', () => {
  const keys = '[{ api-key: sk-a, weight: 0 }, { api-key: sk-b }]'
  const text = `openai-compatibility: [{ name: one, base-url: "https://one.example/v1", api-key-entries: ${keys} }]`
  const { channels } = cliProxyApi.read(text).transfer
  expect(channels?.map((one) => [one.keys, one.weight, one.disabled])).toEqual([
    [['sk-a'], 0, true],
    [['sk-b'], 0, false],
  ])
})

test('LiteLLM: what a cache write costs comes along', () => {
  const text = `model_list:
  - model_name: a
    litellm_params: { model: anthropic/claude-a, api_key: sk-a, input_cost_per_token: 0.000004, cache_creation_input_token_cost: 0.000005 }`
  expect(liteLlm.read(text).transfer.prices).toEqual([
    { model: 'a', model_ratio: 2, create_cache_ratio: 1.25 },
  ])
})

test('LiteLLM: a model’s order is read from model_info too, where its parameters have none', () => {
  const text = `model_list:
  - { model_name: a, litellm_params: { model: openai/a, api_key: sk-a }, model_info: { order: 2 } }
  - { model_name: a, litellm_params: { model: openai/a, api_key: sk-b, order: 1 }, model_info: { order: 3 } }`
  const { channels } = liteLlm.read(text).transfer
  expect(channels?.map(({ keys, priority }) => [keys, priority])).toEqual([
    [['sk-a'], -2],
    [['sk-b'], -1],
  ])
})

test('LiteLLM: a name that stands for two models of one account becomes two channels', () => {
  const text = `model_list:
  - { model_name: b, litellm_params: { model: openai/b, api_key: sk-a } }
  - { model_name: a, litellm_params: { model: openai/x, api_key: sk-a } }
  - { model_name: a, litellm_params: { model: openai/y, api_key: sk-a } }`
  const { channels } = liteLlm.read(text).transfer
  expect(channels?.map(({ models, model_mapping }) => [models, model_mapping])).toEqual([
    [['b', 'a'], { a: 'x' }],
    [['a'], { a: 'y' }],
  ])
})

test('Claude Code Router: each kind of call falls back as the rest do, to any key of a provider', () => {
  const provider = (name: string, fields: object) => ({
    ...{ name, api_base_url: `https://${name}.example/v1`, models: ['m'], ...fields },
  })
  const credentials = [1, 2].map((priority) => ({ api_key: `sk-${priority}`, priority }))
  const file = {
    Providers: [
      provider('pool', { credentials }),
      provider('spare', { api_key: 'sk-s', models: ['s'] }),
    ],
    Router: { default: 'pool,m', think: 'pool,m', fallback: { models: ['spare,s'] } },
  }
  const { routes } = claudeCodeRouter.read(JSON.stringify(file)).transfer
  const targets = [
    { model: 'm', channel: null },
    { model: 's', channel: null },
  ]
  expect(routes).toMatchObject([{ targets, rules: [{ name: 'think', targets }] }])
})

test('Claude Code Router: the keys of a provider that is switched off are off, too', () => {
  const file = {
    Providers: [
      {
        ...{ name: 'off', enabled: false, baseUrl: 'https://off.example/v1', models: ['m'] },
        credentials: [{ apiKey: 'sk-1', enabled: true }],
      },
    ],
  }
  const { channels } = claudeCodeRouter.read(JSON.stringify(file)).transfer
  expect(channels).toMatchObject([{ keys: ['sk-1'], disabled: true }])
})

test('Claude Code Router: a key that is switched off makes a channel apart from the others', () => {
  const credentials = [
    { apiKey: 'sk-off', enabled: false },
    ...[{ apiKey: 'sk-1' }, { apiKey: 'sk-2', enabled: true }],
  ]
  const file = { Providers: [{ name: 'pool', baseUrl: 'https://pool.example/v1', credentials }] }
  const { channels } = claudeCodeRouter.read(JSON.stringify(file)).transfer
  expect(channels).toMatchObject([
    { keys: ['sk-off'], disabled: true },
    { keys: ['sk-1', 'sk-2'], disabled: false },
  ])
})

test('OpenCode: a model that the file switches off is left out', () => {
  const models = { a: {}, b: { disabled: true } }
  const file = { providers: { groq: { settings: { apiKey: 'sk-a' }, models } } }
  expect(openCode.read(JSON.stringify(file)).transfer.channels).toMatchObject([{ models: ['a'] }])
})

test.each([
  ['OLLAMA_HOST=0.0.0.0:11434', 'http://127.0.0.1:11434'],
  ['AZURE_API_KEY=sk-a\nAZURE_RESOURCE_NAME=north', 'https://north.openai.azure.com'],
  [
    'DEEPSEEK_API_KEY=sk-a\nDEEPSEEK_API_BASE=https://api.deepseek.com/beta',
    'https://api.deepseek.com/beta',
  ],
])('.env: %s leads to %s', (text, base_url) => {
  expect(dotEnv.read(text).transfer.channels).toMatchObject([{ base_url }])
})

test('OpenCode: a provider of both versions in one file is the second’s', () => {
  const file = {
    provider: { groq: { options: { apiKey: 'sk-old' } } },
    providers: { groq: { settings: { apiKey: 'sk-new' } } },
  }
  const { channels } = openCode.read(JSON.stringify(file)).transfer
  expect(channels?.map(({ keys }) => keys)).toEqual([['sk-new']])
})

test('LiteLLM: accounts whose keys are not in the file stay apart, so that each gets its own', () => {
  const deployment = (name: string, variable: string) => `
  - model_name: ${name}
    litellm_params:
      model: openai/gpt-5
      api_key: os.environ/${variable}`
  const file = `model_list:${deployment('cheap', 'WORK_KEY')}${deployment('dear', 'HOME_KEY')}`
  const { channels } = liteLlm.read(file).transfer
  expect(channels?.map(({ models }) => models)).toEqual([['cheap'], ['dear']])
})
