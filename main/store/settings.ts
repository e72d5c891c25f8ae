import { GatewayError } from '../base/errors.ts'
import { defaultSettings, type Settings, settingsSchema } from './settings-schema.ts'
import type { State } from './state.ts'

export type { Settings } from './settings-schema.ts'

export interface SettingsStore {
  /** Defaults with what was changed over them; the same object until the next change. */
  readonly current: Readonly<Settings>
  /** Changes some settings; a wrong value or an unknown name throws `invalid_params` with its field. */
  update(fields: Partial<Settings>): void
}

const known = Object.keys(settingsSchema.shape)
const updateSchema = settingsSchema.strict().partial()

/** The settings of a state, typed and checked; stored names that are not known here are left alone. */
export function createSettings(state: State): SettingsStore {
  let seen: unknown
  let current: Readonly<Settings> = defaultSettings

  return {
    get current() {
      const stored = state.data.settings
      if (stored !== seen) {
        const changed = known.filter((name) => name in stored).map((name) => [name, stored[name]])
        current = Object.freeze({ ...defaultSettings, ...Object.fromEntries(changed) })
        seen = stored
      }
      return current
    },

    update(fields) {
      const parsed = updateSchema.safeParse(fields)
      if (!parsed.success) {
        const issue = parsed.error.issues[0]
        const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
        const field = unknown ?? issue?.path.join('.') ?? ''
        throw new GatewayError('invalid_params', {
          message: unknown
            ? `There is no setting "${unknown}".`
            : `The setting ${field} cannot have this value: ${issue?.message ?? 'it is wrong'}.`,
          field,
        })
      }
      state.update((draft) => {
        for (const [name, value] of Object.entries(parsed.data)) {
          if (value !== undefined) draft.settings[name] = value
        }
      })
    },
  }
}
