import { expect, test } from 'vitest'
import { knownSecrets } from '../../../main/manage/diagnostics/known-secrets.ts'

const user = (role: number, setting: object) => ({
  role,
  accessToken: null,
  twoFactor: null,
  setting: JSON.stringify(setting),
})

const secretsOf = (users: object[], env: NodeJS.ProcessEnv = {}): string[] => {
  const none = { all: () => [] }
  const stores = {
    channels: none,
    tokens: none,
    users: { all: () => users },
    settings: { current: {} },
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

test("a password with a lone % in a proxy's variable is known, and so is what comes behind it", () => {
  const env = {
    HTTPS_PROXY: 'http://ada:50%pass-word@proxy:3128',
    SWITCHYARD_SECRET_KEY: 'the key',
  }
  expect(secretsOf([], env)).toEqual(expect.arrayContaining(['50%pass-word', 'the key']))
})
