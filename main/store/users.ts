import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import { given } from './given.ts'
import { createSealedText } from './sealed-text.ts'
import type { SecretBox } from './secret-box.ts'
import type { State, StateData, StoredUser } from './state.ts'

/** Someone who signs in. Frozen; change it with `update`. */
export interface User {
  id: number
  username: string
  displayName: string
  /** null = no password was set: such a user cannot sign in over HTTP. */
  passwordHash: string | null
  /** 1 user, 10 admin, 100 root. */
  role: 1 | 10 | 100
  /** 1 enabled, 2 disabled. */
  status: 1 | 2
  email: string
  group: string
  /** Granted units; what is left is this minus what the ledger says was used. */
  quota: number
  /** Plain in memory, sealed at rest; null = none, or it cannot be opened any more. */
  accessToken: string | null
  language: string
  /** JSON of preferences. */
  setting: string
  createdTime: number
}

export type UserFields = Pick<User, 'username'> & Partial<Omit<User, 'id'>>

export interface Users {
  all(): readonly User[]
  byId(id: number): User | undefined
  byUsername(username: string): User | undefined
  byAccessToken(accessToken: string): User | undefined
  /** Throws `conflict` when the name is taken. */
  create(fields: UserFields): User
  /** Throws `not_found` for an unknown id and `conflict` when the name is taken. */
  update(id: number, fields: Partial<User>): User
}

/** The users of a state; their access tokens are opened and sealed on the way. */
export function createUsers(state: State, box: SecretBox): Users {
  const sealed = createSealedText(box)
  let seen: unknown
  let all: readonly User[] = []
  let byId = new Map<number, User>()
  let byUsername = new Map<string, User>()
  let byAccessToken = new Map<string, User>()

  const refresh = (): void => {
    if (state.data.users === seen) return
    all = Object.freeze(state.data.users.map(toUser))
    byId = new Map(all.map((user) => [user.id, user]))
    byUsername = new Map(all.map((user) => [user.username, user]))
    byAccessToken = new Map()
    for (const user of all) if (user.accessToken) byAccessToken.set(user.accessToken, user)
    seen = state.data.users
  }

  const toUser = (stored: StoredUser): User => {
    const accessToken = stored.accessToken === null ? null : sealed.open(stored.accessToken)
    return Object.freeze({ ...stored, accessToken: accessToken || null })
  }

  const find = (id: number): User => {
    refresh()
    const user = byId.get(id)
    if (!user) {
      throw new GatewayError('not_found', { message: `There is no user ${id}.`, field: 'id' })
    }
    return user
  }

  const claim = (draft: StateData, username: string, id: number): void => {
    if (draft.users.some((user) => user.username === username && user.id !== id)) {
      throw new GatewayError('conflict', {
        message: `The user name "${username}" is taken.`,
        field: 'username',
      })
    }
  }

  return {
    all() {
      refresh()
      return all
    },

    byId(id) {
      refresh()
      return byId.get(id)
    },

    byUsername(username) {
      refresh()
      return byUsername.get(username)
    },

    byAccessToken(accessToken) {
      refresh()
      return byAccessToken.get(accessToken)
    },

    create({ accessToken, ...fields }) {
      return find(
        state.update((draft) => {
          claim(draft, fields.username, 0)
          const id = draft.nextId.user++
          draft.users.push({
            ...blank,
            displayName: fields.username,
            createdTime: unixSeconds(),
            ...given(fields),
            id,
            accessToken: accessToken ? sealed.seal(accessToken) : null,
          })
          return id
        }),
      )
    },

    update(id, { id: _id, accessToken, ...fields }) {
      find(id)
      state.update((draft) => {
        const stored = draft.users.find((user) => user.id === id)
        if (!stored) return
        if (fields.username !== undefined) claim(draft, fields.username, id)
        Object.assign(stored, given(fields))
        if (accessToken !== undefined) {
          stored.accessToken = accessToken
            ? sealed.seal(accessToken, stored.accessToken ?? undefined)
            : null
        }
      })
      return find(id)
    },
  }
}

const blank: Omit<StoredUser, 'id' | 'username' | 'displayName' | 'accessToken' | 'createdTime'> = {
  passwordHash: null,
  role: 1,
  status: 1,
  email: '',
  group: 'default',
  quota: 0,
  language: '',
  setting: '',
}
