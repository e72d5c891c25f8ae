import { secretSettings } from '../../store/state/settings-schema.ts'
import type { State } from '../../store/state/state.ts'

/** How much is sealed under the data key. It is lost when that key is forgotten. */
export interface SealedCounts {
  channels: number
  tokens: number
  access_tokens: number
  second_factors: number
  preferences: number
  payment_secrets: number
}

const count = (values: readonly unknown[]): number => values.filter(Boolean).length

export function countSealed({ data }: Pick<State, 'data'>): SealedCounts {
  const users = data.users.filter(({ deletedAt }) => deletedAt === null)
  const tokens = data.tokens.filter(({ deletedAt }) => deletedAt === null)
  return {
    channels: count(
      data.channels.map(
        ({ key, setting, headerOverride }) =>
          key !== '' || setting.proxy || Object.keys(headerOverride).length > 0,
      ),
    ),
    tokens: count(tokens.map(({ key }) => key)),
    access_tokens: count(users.map(({ accessToken }) => accessToken)),
    second_factors: count(users.map(({ twoFactor }) => twoFactor)),
    preferences: count(users.map(({ setting }) => setting)),
    payment_secrets: count(secretSettings.map((name) => data.settings[name])),
  }
}
