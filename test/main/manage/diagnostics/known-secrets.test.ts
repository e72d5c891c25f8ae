import { expect, test } from 'vitest'
import { knownSecrets } from '../../../../main/manage/diagnostics/known-secrets.ts'

const user = (role: number, setting: object) => ({
  role,
  accessToken: null,
  twoFactor: null,
  setting: JSON.stringify(setting),
})

const secretsOf = (
  users: object[],
  env: NodeJS.ProcessEnv = {},
  channels: object[] = [],
): string[] => {
  const none = { all: () => [] }
  const stores = {
    channels: { all: () => channels },
    tokens: none,
    users: { all: () => users },
    settings: { current: {} },
    localAccess: { secret: '' },
  }
  return [...knownSecrets(stores as never, env)].filter((secret) => secret !== '')
}

test('a user who chooses an everyday word for a secret takes it out of nothing that others are told', () => {
  const users = [
    user(1, { webhook_secret: 'upstream' }),
    user(100, { gotify_token: "the owner's own" }),
  ]
  expect(secretsOf(users)).toEqual(["the owner's own"])
})

test('the key in the address that the owner is sent notices at is known', () => {
  const webhook_url = 'https://hooks.example/services/T0AAAA/aBcDeFgHiJkLmNoPqRsT'
  expect(secretsOf([user(100, { webhook_url })])).toEqual(['aBcDeFgHiJkLmNoPqRsT'])
})

test("a password with a lone % in a proxy's variable is known, and so is what comes behind it", () => {
  const env = {
    HTTPS_PROXY: 'http://ada:50%pass-word@proxy:3128',
    SWITCHYARD_SECRET_KEY: 'the key',
  }
  expect(secretsOf([], env)).toEqual(expect.arrayContaining(['50%pass-word', 'the key']))
})

test('the password of a proxy that is written without a scheme is known, and so are both spellings of a variable', () => {
  const env = {
    HTTP_PROXY: 'http://ada:in-capitals@proxy:3128',
    http_proxy: 'http://ada:in-small-letters@proxy:3128',
    all_proxy: 'ada:without-scheme@proxy:3128',
  }
  const channel = {
    ...{ key: '', baseUrl: '', headerOverride: {} },
    setting: { proxy: 'ada:of-a-channel@proxy.test:3128' },
  }
  expect(secretsOf([], env, [channel])).toEqual(
    expect.arrayContaining(['in-capitals', 'in-small-letters', 'without-scheme', 'of-a-channel']),
  )
})
