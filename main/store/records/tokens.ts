import { unixSeconds } from '../../base/clock.ts'
import { randomText } from '../../base/ids.ts'
import { readOnce } from '../../base/read-once.ts'
import { createSealedText } from '../secret-key/sealed-text.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'
import { RecordIndex } from '../state/record-index.ts'
import type { State, StoredToken } from '../state/state.ts'
import { omitUndefined } from './omit-undefined.ts'

/** A key that we issue to a client. Frozen; change it with `update`. */
export interface Token {
  id: number
  userId: number
  /** 48 characters without `sk-`; plain in memory, sealed at rest; '' when it cannot be opened. */
  key: string
  /** 1 enabled, 2 disabled. Expired and exhausted follow from the clock and the ledger. */
  status: 1 | 2
  name: string
  createdTime: number
  /** Unix seconds; -1 never. */
  expiredTime: number
  /** Quota left is this minus the ledger's usage. */
  grantedQuota: number
  unlimitedQuota: boolean
  modelLimitsEnabled: boolean
  modelLimits: string[]
  /** Names that only this token's calls may use, each for a model. */
  modelAliases: Record<string, string>
  /** Addresses and CIDR ranges; empty = any. */
  allowIps: string[]
  /** '' = the user's group. */
  group: string
  deletedAt: number | null
  /** In the group `auto`: go on to the next group when one fails. */
  crossGroupRetry: boolean
  /** Units that may be used in a day and in a month of this machine's calendar; null = any. */
  dayBudget: number | null
  monthBudget: number | null
  /** Per cent of a budget from which on a warning is shown. */
  budgetWarning: number
  /** Requests and model tokens that may be used in any 60 seconds; null = any. */
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}

export type TokenFields = Pick<Token, 'userId'> & Partial<Omit<Token, 'id' | 'deletedAt'>>

/** Deleted tokens are in none of the answers. */
export interface Tokens {
  all(): readonly Token[]
  byId(id: number): Token | undefined
  /** By the key without `sk-`. */
  byKey(key: string): Token | undefined
  /** Draws a key when none is given. */
  create(fields: TokenFields): Token
  /** Throws `not_found` for an unknown id. */
  update(id: number, fields: Partial<Token>): Token
  /** Destroys the keys and keeps the records, which the ledger's rows belong to; returns how many. */
  remove(ids: readonly number[]): number
}

const KEY_LENGTH = 48

/** The tokens of a state; their keys are opened and sealed on the way. */
export function createTokens(state: State, box: SecretBox): Tokens {
  const sealed = createSealedText(box)
  let byKey = new Map<string, Token>()
  const toToken = readOnce(
    (stored: StoredToken): Token =>
      Object.freeze({ ...stored, key: sealed.open(stored.key) ?? '' }),
    () => box.version,
  )
  const index = new RecordIndex(
    'token',
    box,
    () => state.data.tokens,
    toToken,
    (all) => {
      // A token whose key cannot be opened must not answer to the empty key.
      byKey = new Map(all.filter(({ key }) => key !== '').map((token) => [token.key, token]))
    },
  )

  return {
    all: () => index.all(),
    byId: (id) => index.byId(id),

    byKey(key) {
      index.refresh()
      return byKey.get(key)
    },

    create({ key, ...fields }) {
      return index.find(
        state.update((draft) => {
          const id = draft.nextId.token++
          draft.tokens.push({
            ...blank,
            createdTime: unixSeconds(),
            ...structuredClone(omitUndefined(fields)),
            id,
            key: sealed.seal(key || randomText(KEY_LENGTH)),
            deletedAt: null,
          })
          return id
        }),
      )
    },

    update(id, { id: _id, deletedAt: _deleted, key, ...fields }) {
      index.find(id)
      state.update((draft) => {
        const stored = draft.tokens.find((token) => token.id === id)
        if (!stored) return
        Object.assign(stored, structuredClone(omitUndefined(fields)))
        if (key) stored.key = sealed.seal(key, stored.key)
      })
      return index.find(id)
    },

    remove(ids) {
      const gone = new Set(ids.filter((id) => index.byId(id)))
      if (gone.size === 0) return 0
      state.update((draft) => {
        for (const [index, { id }] of state.data.tokens.entries()) {
          const stored = gone.has(id) ? draft.tokens[index] : undefined
          if (stored) Object.assign(stored, { key: '', deletedAt: unixSeconds() })
        }
      })
      return gone.size
    },
  }
}

const blank: Omit<StoredToken, 'id' | 'userId' | 'key' | 'createdTime' | 'deletedAt'> = {
  status: 1,
  name: '',
  expiredTime: -1,
  grantedQuota: 0,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: [],
  modelAliases: {},
  allowIps: [],
  group: '',
  crossGroupRetry: false,
  dayBudget: null,
  monthBudget: null,
  budgetWarning: 80,
  requestsPerMinute: null,
  tokensPerMinute: null,
}
