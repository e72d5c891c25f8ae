import { keyLines } from '../../relay/channel/channel-keys.ts'
import { overrideSecrets, SECRET_NAME } from '../../relay/channel/channel-secrets.ts'
import type { Channel } from '../../store/records/channels.ts'
import { isSecretSetting } from '../../store/state/settings.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'

type Stores = Pick<
  GatewayParts,
  'state' | 'users' | 'channels' | 'tokens' | 'settings' | 'localAccess'
>

/** Words that an address is made of are shorter. */
const SHORTEST_SEGMENT = 16

/** A proxy's variables have two spellings, and a proxy is often written without a scheme. */
function* inProxy(text: string): Generator<string> {
  yield* inUrl(text.includes('://') ? text : `http://${text}`)
}

/** A lone % stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Name and password of a URL, and what its query may hold of keys. */
function* inUrl(text: string): Generator<string> {
  if (!URL.canParse(text)) return
  const { username, password, searchParams } = new URL(text)
  if (password !== '') {
    const plain = decoded(password)
    yield* [password, plain, `${username}:${password}`, `${decoded(username)}:${plain}`]
  }
  for (const [name, value] of searchParams) if (SECRET_NAME.test(name)) yield value
}

/** Addresses of webhooks have their key as a segment of the path. */
function* inPath(text: string): Generator<string> {
  const segments = URL.parse(text)?.pathname.split('/') ?? []
  yield* segments.filter((segment) => segment.length >= SHORTEST_SEGMENT)
}

function* ofChannel({ key, baseUrl, setting, headerOverride }: Channel): Generator<string> {
  yield* keyLines(key)
  yield* inUrl(baseUrl)
  if (typeof setting.proxy === 'string') yield* inProxy(setting.proxy)
  yield* overrideSecrets({ headerOverride })
}

/** The values of a user's own preferences that are secrets, and those in the URLs of notices. */
function* ofSetting(setting: string): Generator<string> {
  let fields: unknown
  try {
    fields = JSON.parse(setting)
  } catch {
    return
  }
  for (const [name, value] of Object.entries((fields ?? {}) as object)) {
    if (typeof value !== 'string') continue
    if (SECRET_NAME.test(name)) yield value
    else {
      yield* inUrl(value)
      yield* inPath(value)
    }
  }
}

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

/** All that the stores know and nobody may read: keys, tokens, passwords of proxies, secrets of payments and users. */
export function* knownSecrets(stores: Stores, env: NodeJS.ProcessEnv): Generator<string> {
  for (const channel of stores.channels.all()) yield* ofChannel(channel)
  for (const { key } of stores.tokens.all()) yield key
  for (const user of stores.users.all()) {
    const { accessToken, twoFactor, setting } = user
    if (accessToken) yield accessToken
    if (twoFactor?.secret) yield twoFactor.secret
    // A user who chose an everyday word for a secret would take it out of what all others are told.
    if (hasAdministratorRole(user)) yield* ofSetting(setting)
  }
  for (const [name, value] of Object.entries(stores.settings.current)) {
    if (isSecretSetting(name)) yield String(value)
  }
  for (const name of proxyVariables) {
    for (const spelling of [name, name.toLowerCase()]) yield* inProxy(env[spelling] ?? '')
  }
  yield stores.localAccess.secret
  yield env.SWITCHYARD_SECRET_KEY ?? ''
}
