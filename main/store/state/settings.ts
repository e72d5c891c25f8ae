import { GatewayError } from '../../base/errors.ts'
import { createSealedText } from '../secret-key/sealed-text.ts'
import type { SecretBox } from '../secret-key/secret-box.ts'
import { defaultSettings } from './default-settings.ts'
import { type Settings, secretSettings, settingsSchema } from './settings-schema.ts'
import type { State } from './state.ts'

export type { Settings } from './settings-schema.ts'

export interface SettingsStore {
  /**
   * Defaults with what was changed over them; the same object until the next change. Secrets are plain in
   * it, and '' when they cannot be opened any more.
   */
  readonly current: Readonly<Settings>
  /** Changes some settings; a wrong value or an unknown name throws `invalid_params` with its field. */
  update(fields: Partial<Settings>): void
  /** Gives a setting its default again; a secret is forgotten. */
  reset(name: keyof Settings): void
}

const known = Object.keys(settingsSchema.shape)
const updateSchema = settingsSchema.strict().partial()

/** Is it sealed in the file, and never shown? */
export const isSecretSetting = (name: string): boolean =>
  (secretSettings as readonly string[]).includes(name)

/** The settings of a state, typed and checked; stored names that are not known here are left alone. */
export function createSettings(state: State, box: SecretBox): SettingsStore {
  const sealed = createSealedText(box)
  let seen: unknown
  let version: unknown
  let current: Readonly<Settings> = defaultSettings

  // A function of its own: closures in the getter would cost each of its many calls some memory.
  function read(stored: State['data']['settings']): void {
    const changed = known
      .filter((name) => name in stored)
      .map((name) => [
        name,
        isSecretSetting(name) ? (sealed.open(String(stored[name])) ?? '') : stored[name],
      ])
    current = Object.freeze({ ...defaultSettings, ...Object.fromEntries(changed) })
    seen = stored
    version = box.version
  }

  return {
    get current() {
      const stored = state.data.settings
      // A key that is there stays the same to the end.
      if (stored !== seen || (version === null && box.version !== null)) read(stored)
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
            ? `There is no option "${unknown}".`
            : `The option ${field} cannot have this value: ${issue?.message ?? 'it is wrong'}.`,
          field,
          reason: unknown
            ? { code: 'no_option', option: unknown }
            : { code: 'field_wrong', problem: issue?.message ?? '' },
        })
      }
      state.update((draft) => {
        for (const [name, value] of Object.entries(parsed.data)) {
          if (value === undefined) continue
          draft.settings[name] = isSecretSetting(name) ? sealed.seal(String(value)) : value
        }
      })
    },

    reset(name) {
      if (!Object.hasOwn(state.data.settings, name)) return
      state.update((draft) => {
        delete draft.settings[name]
      })
    },
  }
}
