import { createHash } from 'node:crypto'
import { asRead, type ImportedLists, type ListName } from '../../store/state/last-import.ts'
import type { StateData, StoredChannel, StoredUser } from '../../store/state/state.ts'

type Lists = ImportedLists

export const listsOf = ({ users, channels, tokens, routes, settings }: StateData): Lists => ({
  users,
  channels,
  tokens,
  routes,
  settings,
})

/** Without what tests, balance reads and the gateway itself write: results, strikes, cooldowns. */
function stableChannel(channel: StoredChannel): object {
  const {
    testTime: _test,
    responseTime: _time,
    lastTest: _last,
    balance: _balance,
    balanceUpdatedTime: _updated,
    otherInfo: _info,
    ...rest
  } = channel
  return {
    ...rest,
    status: channel.status === 2,
    keyStates: channel.keyStates.map(({ status }) => status === 2),
  }
}

/** Without what each sign-in writes. */
const stableUser = ({ twoFactor, ...user }: StoredUser): object => ({
  ...user,
  twoFactor: twoFactor && { secret: twoFactor.secret, isEnabled: twoFactor.isEnabled },
})

const stable = {
  users: (list: Lists['users']) => list.map(stableUser),
  channels: (list: Lists['channels']) => list.map(stableChannel),
  tokens: (list: Lists['tokens']) => list,
  routes: (list: Lists['routes']) => list,
  settings: ({ PausedSince: _since, ...settings }: Lists['settings']) => settings,
}

const digestOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Names what people have set: other digests mean that somebody changed something. */
export function digestsOf(lists: Lists): Record<ListName, string> {
  const { users, channels, tokens, routes, settings } = asRead(lists)
  return {
    users: digestOf(stable.users(users)),
    channels: digestOf(stable.channels(channels)),
    tokens: digestOf(stable.tokens(tokens)),
    routes: digestOf(stable.routes(routes)),
    settings: digestOf(stable.settings(settings)),
  }
}

/** The records of before; one that nobody changed keeps what tests and sign-ins wrote meanwhile. */
function back<Stored extends { id: number }>(
  before: readonly Stored[],
  now: readonly Stored[],
  toStable: (list: Stored[]) => object[],
): Stored[] {
  const byId = new Map(now.map((one) => [one.id, one]))
  const text = (one: Stored) => JSON.stringify(toStable([one]))
  return before.map((one) => {
    const other = byId.get(one.id)
    return other && text(other) === text(one) ? other : one
  })
}

/** The lists as they were before an import. */
export function listsBefore(before: Lists, present: Lists): Lists {
  const now = asRead(present)
  return {
    users: back(before.users, now.users, stable.users),
    channels: back(before.channels, now.channels, stable.channels),
    tokens: back(before.tokens, now.tokens, stable.tokens),
    routes: before.routes,
    settings: before.settings,
  }
}
