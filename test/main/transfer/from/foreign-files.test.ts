import { expect, test, vi } from 'vitest'
import { detectImporter, importerNamed } from '../../../../main/transfer/from/importers.ts'
import type { ChannelDraft, Foreign } from '../../../../main/transfer/transfer.ts'
import { samples } from './samples.ts'

const read = ({ id, text }: { id: string; text: string }): Foreign => importerNamed(id).read(text)

/** Models that the file doesn't name, and that were entered for it, are left away. */
const channels = ({ transfer, leftOut }: Foreign) =>
  (transfer.channels ?? []).map(({ name, type, base_url, keys, models }: ChannelDraft) => {
    const isEntered = leftOut.some((one) => one.name === `Models of ${name}`)
    return [name, type, base_url, keys, isEntered ? [] : models]
  })

const left = ({ leftOut }: Foreign) =>
  Object.fromEntries(
    leftOut
      .filter(({ name }) => !name.startsWith('Models of '))
      .map(({ name, reason }) => [name, reason]),
  )

test('cc-switch: providers of its SQL export become channels, the one in use first', () => {
  const foreign = read(samples.ccSwitchSql)
  expect(channels(foreign)).toEqual([
    [
      "Ada's; relay",
      14,
      'https://relay.example.com',
      ['sk-test-cc-1'],
      ['claude-sonnet-5-5', 'claude-fable-5'],
    ],
    ['DeepSeek', 43, 'https://api.deepseek.com/v1', ['sk-test-cc-2'], ['deepseek-v4-pro']],
    [
      'Gemini',
      24,
      'https://generativelanguage.googleapis.com',
      ['AIza-test-4'],
      ['gemini-3.8-flash'],
    ],
  ])
  expect(foreign.transfer.channels?.map(({ priority }) => priority)).toEqual([1, 0, 0])
  expect(left(foreign)['Google login']).toContain('no key')
  expect(left(foreign)["Ada's; relay: https://second.example.com"]).toContain('one address')
})

test('cc-switch: the old config.json and links are read too', () => {
  expect(channels(read(samples.ccSwitchConfig))).toEqual([
    ['Old relay', 14, 'https://old.example.com', ['sk-test-old'], []],
  ])
  const links = read(samples.ccSwitchLink)
  expect(channels(links)).toEqual([
    [
      'Linked',
      14,
      'https://link.example.com',
      ['sk-test-link'],
      ['claude-sonnet-5-5', 'claude-haiku-5-5'],
    ],
  ])
  expect(Object.keys(left(links))).toEqual(['Linked: https://link2.example.com', 'Greeting'])
})

test('links of cc-switch and of Switchyard pasted together are all taken', () => {
  const own = 'switchyard://import?base_url=https%3A%2F%2Fown.example.com&key=sk-test-own&name=Own'
  const [other] = samples.ccSwitchLink.text.split('\n')
  for (const text of [`${own}\n${other}\n`, `${other}\n${own}`]) {
    const names = detectImporter(text)
      ?.read(text)
      .transfer.channels?.map(({ name }) => name)
    expect(names?.sort()).toEqual(['Linked', 'Own'])
  }
})

test('claude-code-router: variables stay unread and their channels wait, disabled, for a key', () => {
  vi.stubEnv('MY_DEEPSEEK_KEY', 'sk-secret-of-the-gateway')
  const foreign = read(samples.ccrOld)
  expect(channels(foreign)).toEqual([
    ['deepseek', 43, 'https://api.deepseek.com/v1', [], ['deepseek-chat']],
    [
      'google',
      24,
      'https://generativelanguage.googleapis.com',
      ['AIza-test-1'],
      ['gemini-3.8-flash'],
    ],
    ['direct', 1, 'https://direct.example.com/chat/completions', ['sk-test-direct'], ['m']],
  ])
  expect(foreign.transfer.channels?.map(({ disabled }) => disabled)).toEqual([true, false, false])
  expect(left(foreign)['Key of deepseek']).toContain('MY_DEEPSEEK_KEY')
  expect(Object.keys(left(foreign))).toEqual(expect.arrayContaining(['login', 'Keys for clients']))
})

test('claude-code-router: its Router becomes a route, with a rule for each kind of call', () => {
  const provider = (name: string, models: string[]) => ({
    ...{ name, api_base_url: `https://${name}.example.com/v1`, api_key: `sk-test-${name}`, models },
  })
  const foreign = read({
    id: 'claude-code-router',
    text: JSON.stringify({
      Providers: [provider('one', ['a', 'vendor/b']), provider('two', ['a', 'c'])],
      Router: {
        default: 'two,a',
        background: 'two,c',
        think: 'one,vendor/b',
        longContext: 'two,c',
        longContextThreshold: 9000,
        webSearch: 'two,gone',
      },
    }),
  })
  const target = (model: string, channel: string | null = null) => ({
    ...{ model, channel, tag: null, weight: 0 },
  })
  expect(foreign.transfer.routes).toEqual([
    {
      name: 'claude-code-router',
      disabled: false,
      targets: [target('a', 'two')],
      rules: [
        { name: 'longContext', when: { min_input_tokens: 9001 }, targets: [target('c')] },
        { name: 'think', when: { reasoning: true }, targets: [target('vendor/b')] },
      ],
    },
  ])
  expect(left(foreign)).toMatchObject({
    'Router.webSearch': expect.stringContaining('no provider in this file has'),
    'Router.background': expect.stringContaining('Connect page'),
  })
})

test('claude-code-router 3: keys of different rank become channels, lower numbers first', () => {
  const foreign = read(samples.ccrExport)
  expect(channels(foreign)).toEqual([
    ['Pool', 1, 'https://pool.example.com/v1', ['sk-test-a'], ['pool-chat']],
    ['Pool 2', 1, 'https://pool.example.com/v1', ['sk-test-b'], ['pool-chat']],
    ['Messages', 14, 'https://messages.example.com', ['sk-test-m'], ['claude-haiku-5-5']],
  ])
  expect(foreign.transfer.channels?.map((one) => [one.priority, one.weight, one.disabled])).toEqual(
    [
      [-1, 2, false],
      [-2, 0, true],
      [0, 0, false],
    ],
  )
  expect(left(foreign)['Router.fallback']).toContain('no default model')
  expect(Object.keys(left(foreign))).toEqual(['Prices of Pool', 'Router.fallback', 'haiku'])
})

test('LiteLLM: deployments become channels by vendor, order, key and price', () => {
  const foreign = read(samples.liteLlm)
  expect(channels(foreign)).toEqual([
    ['Azure OpenAI', 3, 'https://unit-test.openai.azure.com', [], ['gpt-4o', 'gpt-4']],
    ['OpenAI', 1, 'https://api.openai.com/v1', ['sk-test-oa'], ['gpt-4o', 'gpt-4']],
    ['DeepSeek', 43, 'https://api.deepseek.com/v1', ['sk-test-ds'], ['deepseek', 'cheap']],
    ['127.0.0.1:8000', 1, 'http://127.0.0.1:8000/v1', [], ['local']],
  ])
  expect(foreign.transfer.channels?.map((one) => [one.priority, one.weight])).toEqual([
    [-1, 60],
    [-2, 3],
    [0, 0],
    [0, 0],
  ])
  expect(foreign.transfer.channels?.map(({ model_mapping }) => model_mapping)).toEqual([
    { 'gpt-4o': 'gpt-4o-eu', 'gpt-4': 'gpt-4o-eu' },
    { 'gpt-4': 'gpt-4o' },
    { deepseek: 'deepseek-chat', cheap: 'deepseek-chat' },
    { local: 'facebook/opt-125m' },
  ])
  expect(foreign.transfer.channels?.map(({ disabled }) => disabled)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(foreign.transfer.prices).toEqual([
    { model: 'deepseek', model_ratio: 0.2, completion_ratio: 4, cache_ratio: 0.1 },
    { model: 'cheap', model_ratio: 0.2, completion_ratio: 4, cache_ratio: 0.1 },
  ])
  expect(Object.keys(left(foreign))).toEqual([
    'Key of Azure OpenAI',
    'API version of gpt-4o',
    'Extra headers and fields of gpt-4o',
    'anthropic/*',
    'cloud',
    'Alias gpt-4o',
    'Alias gone',
    'litellm_settings.default_fallbacks',
    'general_settings.master_key',
  ])
})

test('LiteLLM: the fallbacks of a model become a route of its name', () => {
  const target = (model: string) => ({ model, channel: null, tag: null, weight: 0 })
  const foreign = read(samples.liteLlm)
  expect(foreign.transfer.routes).toEqual([
    { name: 'gpt-4o', disabled: false, targets: [target('gpt-4o'), target('deepseek')], rules: [] },
  ])
  const text = samples.liteLlm.text.replace(
    'gpt-4o: [deepseek]',
    'gone: [local], local: [gone, deepseek]',
  )
  const twice = samples.liteLlm.text.replace(
    'default_fallbacks: [local]',
    'fallbacks: [{ gpt-4o: [local, deepseek] }]',
  )
  expect(read({ ...samples.liteLlm, text: twice }).transfer.routes).toMatchObject([
    { name: 'gpt-4o', targets: [target('gpt-4o'), target('deepseek'), target('local')] },
  ])
  const other = read({ ...samples.liteLlm, text })
  expect(other.transfer.routes).toMatchObject([
    { name: 'local', targets: [target('local'), target('deepseek')] },
  ])
  expect(Object.keys(left(other))).toEqual(
    expect.arrayContaining(['router_settings.fallbacks: gone', 'router_settings.fallbacks: local']),
  )
})

test('CLIProxyAPI: keys of one provider stay together, and an alias of two models makes two channels', () => {
  const foreign = read(samples.cliProxyApi)
  expect(channels(foreign)).toEqual([
    ['Google Gemini', 24, 'https://generativelanguage.googleapis.com', ['AIza-test-1'], ['flash']],
    [
      'claude.example.com',
      14,
      'https://claude.example.com',
      ['sk-test-claude'],
      ['relay/claude-haiku-5-5'],
    ],
    ['openrouter', 20, 'https://openrouter.ai/api/v1', ['sk-or-test-1', 'sk-or-test-2'], ['pool']],
    [
      'openrouter 2',
      20,
      'https://openrouter.ai/api/v1',
      ['sk-or-test-1', 'sk-or-test-2'],
      ['pool'],
    ],
  ])
  expect(foreign.transfer.channels?.map(({ weight, disabled }) => [weight, disabled])).toEqual([
    [5, false],
    [0, false],
    [2, false],
    [2, false],
  ])
  expect(foreign.transfer.channels?.map(({ model_mapping }) => model_mapping)).toEqual([
    { flash: 'gemini-2.5-flash' },
    { 'relay/claude-haiku-5-5': 'claude-haiku-5-5' },
    { pool: 'z-ai/glm-5' },
    { pool: 'deepseek/deepseek-v3.1' },
  ])
  expect(Object.keys(left(foreign))).toEqual([
    'Proxy of openrouter',
    'proxy-url',
    'Logins in auth-dir',
    'api-keys',
  ])
})

test('OpenCode: both versions in one file, and the key of its auth.json', () => {
  const foreign = read(samples.openCodeConfig)
  expect(channels(foreign)).toEqual([
    ['Acme', 1, 'https://api.acme.example/v1', [], ['coder']],
    ['relay', 14, 'https://relay.example.com', ['sk-test-relay'], ['fast']],
  ])
  expect(foreign.transfer.channels?.[1]?.model_mapping).toEqual({ fast: 'claude-haiku-5-5' })
  // The one lacks its key, the other is switched off in the file.
  expect(foreign.transfer.channels?.map(({ disabled }) => disabled)).toEqual([true, true])
  expect(JSON.stringify(foreign)).not.toContain('shadowed')
  const auth = read(samples.openCodeAuth)
  expect(channels(auth)).toEqual([
    ['Anthropic', 14, 'https://api.anthropic.com', ['sk-ant-test-1'], []],
  ])
  expect(left(auth)['github-copilot']).toContain('account')
})

test('Codex: its providers and the key of its auth.json; a command is never run', () => {
  const foreign = read(samples.codexConfig)
  expect(channels(foreign)).toEqual([
    ['Relay', 1, 'https://relay.example.com/v1', ['sk-test-bearer'], ['gpt-5.6-sol']],
    ['other', 1, 'https://other.example.com/v1', [], []],
  ])
  expect(left(foreign)).toMatchObject({ command: expect.stringContaining('never run') })
  expect(channels(read(samples.codexAuth))).toEqual([
    ['OpenAI', 1, 'https://api.openai.com/v1', ['sk-test-openai'], []],
  ])
})

test('.env: vendors by their variables; placeholders and other secrets stay behind', () => {
  const foreign = read(samples.env)
  expect(channels(foreign)).toEqual([
    ['OpenAI', 1, 'https://api.openai.com/v1', ['sk-test-1'], []],
    ['relay.example.com', 14, 'https://relay.example.com', ['sk-test-2'], []],
    ['Azure OpenAI', 3, 'https://unit-test.openai.azure.com', ['test4'], []],
    ['DeepSeek', 43, 'https://api.deepseek.com/v1', ['sk-test-3'], []],
    ['acme', 1, 'https://api.acme.example/v1', ['sk-test-5'], []],
  ])
  expect(left(foreign)).toEqual({
    AWS_SECRET_ACCESS_KEY: 'There is no channel type for Amazon Bedrock.',
  })
})

test('.env: a key that two sites may have given is asked about, unless its address is there', () => {
  const key = 'DASHSCOPE_API_KEY=sk-test-1'
  const name = channels(read({ id: 'env', text: key }))[0]?.[0]
  expect(left(read({ id: 'env', text: key }))).toEqual({
    [`Address of ${name}`]: expect.stringContaining('dashscope-intl.aliyuncs.com'),
  })
  const addressed = `${key}\nDASHSCOPE_BASE_URL=https://dashscope-intl.aliyuncs.com/compatible-mode/v1`
  expect(left(read({ id: 'env', text: addressed }))).toEqual({})
})

test('.env: a model whose name can’t be one is told by its first letters', () => {
  const foreign = read({
    id: 'env',
    text: `OPENAI_API_KEY=sk-test-1\nOPENAI_MODEL=a,b${'c'.repeat(50)}`,
  })
  expect(Object.values(left(foreign))).toEqual([`“a,b${'c'.repeat(37)}” isn’t a valid model name.`])
})

test('Aider: keys by vendor, split at the first sign', () => {
  const foreign = read(samples.aider)
  expect(channels(foreign)).toEqual([
    ['relay.example.com', 1, 'https://relay.example.com/v1', ['sk-test-1'], []],
    ['Google Gemini', 24, 'https://generativelanguage.googleapis.com', ['AIza-test-2'], []],
    ['DeepSeek', 43, 'https://api.deepseek.com/v1', ['sk-test-4'], []],
    ['OpenRouter', 20, 'https://openrouter.ai/api/v1', ['sk-or-test=3'], []],
  ])
  expect(Object.keys(left(foreign))).toEqual(['weak-model', 'Alias fast'])
})

test('a vendor whose models no file names gets its usual ones, and the report says so', () => {
  const { transfer, leftOut } = read(samples.codexAuth)
  expect(transfer.channels?.[0]?.models).toContain('gpt-5.6-sol')
  expect(leftOut).toMatchObject([
    { name: 'Models of OpenAI', reason: expect.stringContaining('A few of OpenAI are filled in') },
  ])
})
