import { unixSeconds } from '../../base/clock.ts'
import { readOnce } from '../../base/read-once.ts'
import { nameKey } from '../../base/text/login-name.ts'
import { createSealedText } from '../secret-key/sealed-text.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'
import { RecordIndex } from '../state/record-index.ts'
import type { State, StateData, StoredTwoFactor, StoredUser } from '../state/state.ts'
import { type ClaimedNames, LoginNames, loginKeys, takenName } from './login-names.ts'
import { omitUndefined } from './omit-undefined.ts'
import { isSessionOf } from './sessions.ts'

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
  /** JSON of preferences; sealed at rest, because it holds secrets of the user's own. */
  setting: string
  createdTime: number
  remark: string
  stripeCustomer: string
  twoFactor: TwoFactor | null
  /** Grows whenever the devices that are known as the user's are to be forgotten. */
  deviceEpoch: number
}

/** The second factor of a user, begun or in force. */
export interface TwoFactor extends Omit<StoredTwoFactor, 'secret'> {
  /** Base32; plain in memory, sealed at rest; null = it cannot be opened any more. */
  secret: string | null
}

export type UserFields = Pick<User, 'username'> & Partial<Omit<User, 'id'>>

/** Users who are not deleted; a deleted one is kept in the file only to reserve the name. */
export interface Users {
  all(): readonly User[]
  byId(id: number): User | undefined
  /** By the name as it is written, else in whatever case. */
  byUsername(username: string): User | undefined
  /** By the name, else by an e-mail that only one user has. */
  byLogin(name: string): User | undefined
  /** Does nobody else sign in with this e-mail, or with a name that looks like it? */
  mayHaveEmail(id: number, email: string): boolean
  byAccessToken(accessToken: string): User | undefined
  /** Throws `conflict` when the name or the e-mail is taken. */
  create(fields: UserFields): User
  /**
   * Throws `not_found` for an unknown id and `conflict` when name or e-mail is taken. With `ends` the same change
   * ends the user's access token, known devices and all sessions, logins half done too, but for the session of
   * `exceptId`.
   */
  update(id: number, fields: Partial<User>, ends?: { exceptId?: string | undefined }): User
  /** Deletes a user with all that lets them in: password, second factor, tokens and sessions, in one change. */
  remove(id: number): void
}

/** The users of a state; their access tokens are opened and sealed on the way. */
export function createUsers(state: State, box: SecretBox): Users {
  const sealed = createSealedText(box)
  const toUser = readOnce(openUser, () => box.version)
  let byUsername = new Map<string, User>()
  let byNameKey = new Map<string, User>()
  let byAccessToken = new Map<string, User>()
  const index = new RecordIndex(
    'user',
    box,
    () => state.data.users,
    toUser,
    (all) => {
      byUsername = new Map(all.map((user) => [user.username, user]))
      byNameKey = new Map(all.map((user) => [loginKeys(user).name, user]))
      byAccessToken = new Map()
      for (const user of all) if (user.accessToken) byAccessToken.set(user.accessToken, user)
    },
  )

  /** null for a text that is none, or that cannot be opened. */
  const open = (text: string | null): string | null =>
    (text === null ? null : sealed.open(text)) || null

  function openUser({ deletedAt: _deleted, twoFactor, ...stored }: StoredUser): User {
    return Object.freeze({
      ...stored,
      deviceEpoch: stored.deviceEpoch ?? 0,
      accessToken: open(stored.accessToken),
      // Files of before hold it plain.
      setting: stored.setting.startsWith('{') ? stored.setting : (open(stored.setting) ?? ''),
      twoFactor: twoFactor && { ...twoFactor, secret: open(twoFactor.secret) },
    })
  }

  const sealTwoFactor = (
    { secret, ...fields }: TwoFactor,
    before?: StoredTwoFactor | null,
  ): StoredTwoFactor => ({
    ...structuredClone(fields),
    secret: secret === null ? (before?.secret ?? '') : sealed.seal(secret, before?.secret),
  })

  const names = new LoginNames()
  const claim = (fields: ClaimedNames, id: number): void => {
    const taken = names.takenOf(state.data.users, fields, id)
    if (taken !== null) throw takenName(taken, fields)
  }

  return {
    all: () => index.all(),
    byId: (id) => index.byId(id),

    byUsername(username) {
      index.refresh()
      // Files of before may hold two names that differ in case only: each is still found by its own.
      return byUsername.get(username) ?? byNameKey.get(nameKey(username))
    },

    byLogin(name) {
      const named = this.byUsername(name)
      if (named) return named
      const key = nameKey(name)
      const [owner, another] = index
        .all()
        .filter((user) => user.email && loginKeys(user).email === key)
      return another ? undefined : owner
    },

    mayHaveEmail: (id, email) => names.takenOf(state.data.users, { email }, id) === null,

    byAccessToken(accessToken) {
      index.refresh()
      return byAccessToken.get(accessToken)
    },

    create({ accessToken, setting, twoFactor, ...fields }) {
      return index.find(
        state.update((draft) => {
          claim(fields, 0)
          const id = draft.nextId.user++
          draft.users.push({
            ...blank,
            displayName: fields.username,
            createdTime: unixSeconds(),
            ...omitUndefined(fields),
            id,
            accessToken: accessToken ? sealed.seal(accessToken) : null,
            setting: sealed.seal(setting ?? ''),
            twoFactor: twoFactor ? sealTwoFactor(twoFactor) : null,
          })
          return id
        }),
      )
    },

    update(id, { id: _id, accessToken, setting, twoFactor, ...fields }, ends) {
      index.find(id)
      state.update((draft) => {
        const stored = draft.users.find((user) => user.id === id)
        if (!stored) return
        const { username, email } = fields
        const isRenamed = username !== stored.username
        const isMoved = email !== stored.email
        claim({ username: isRenamed ? username : undefined, email: isMoved ? email : '' }, id)
        Object.assign(stored, omitUndefined(fields))
        if (accessToken !== undefined) {
          stored.accessToken = accessToken
            ? sealed.seal(accessToken, stored.accessToken ?? undefined)
            : null
        }
        if (setting !== undefined) stored.setting = sealed.seal(setting, stored.setting)
        if (twoFactor !== undefined) {
          stored.twoFactor = twoFactor && sealTwoFactor(twoFactor, stored.twoFactor)
        }
        if (ends) endAccess(draft, id, ends.exceptId)
      })
      return index.find(id)
    },

    remove(id) {
      index.find(id)
      const now = unixSeconds()
      state.update((draft) => {
        const stored = draft.users.find((user) => user.id === id)
        if (!stored) return
        Object.assign(stored, {
          ...{ deletedAt: now, passwordHash: null, twoFactor: null, setting: '' },
        })
        const tokens = draft.tokens.filter((one) => one.userId === id && one.deletedAt === null)
        for (const token of tokens) Object.assign(token, { key: '', deletedAt: now })
        endAccess(draft, id)
      })
    },
  }
}

/** Ends a user's access token, known devices, and sessions but for the one of `exceptId`. */
export function endAccess(draft: StateData, userId: number, exceptId?: string): void {
  const stored = draft.users.find(({ id }) => id === userId)
  if (stored) {
    stored.accessToken = null
    stored.deviceEpoch = (stored.deviceEpoch ?? 0) + 1
  }
  const isTheirs = isSessionOf(userId, exceptId)
  draft.sessions = draft.sessions.filter((session) => !isTheirs(session))
}

const blank: Omit<
  StoredUser,
  'id' | 'username' | 'displayName' | 'accessToken' | 'createdTime' | 'setting' | 'twoFactor'
> = {
  passwordHash: null,
  role: 1,
  status: 1,
  email: '',
  group: 'default',
  quota: 0,
  language: '',
  remark: '',
  stripeCustomer: '',
  deletedAt: null,
}
