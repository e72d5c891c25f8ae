import type { Sentence } from '../base/reason.ts'
import { type Connection, type Json, type KeyEdit, PROVIDER_ID, type ReadKey } from './tool.ts'

/** Id of the file in the tools of this shape. */
const file = 'config'

/**
 * Without it, an image is taken out of the call before it is sent. `attachment` is what its window asks,
 * `modalities` what its calls are made by.
 */
const takesImages = {
  attachment: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
}

/** Keys of OpenCode and of what was made of it: a provider of our own, where every model is listed. */
export const opencodeShape = {
  edits({
    address,
    token,
    models: { main, small = main, subagent },
    facts,
  }: Connection): KeyEdit[] {
    const names = [...new Set([main, small, subagent ?? main])]
    const listed = names.map((name): [string, Json] => {
      const { context, output, images } = facts(name)
      const isKnown = context !== null && output !== null
      return [
        name,
        {
          name,
          ...(isKnown && { limit: { context, output } }),
          ...(images && takesImages),
        },
      ]
    })
    const set = (path: string[], value: Json) => ({ file, path, value })
    return [
      set(['provider', PROVIDER_ID], {
        npm: '@ai-sdk/openai-compatible',
        name: 'Switchyard',
        options: { baseURL: `${address}/v1`, apiKey: token },
        models: Object.fromEntries(listed),
      }),
      set(['model'], `${PROVIDER_ID}/${main}`),
      set(['small_model'], `${PROVIDER_ID}/${small}`),
      ...(subagent === undefined
        ? []
        : ['general', 'explore'].map((agent) =>
            set(['agent', agent, 'model'], `${PROVIDER_ID}/${subagent}`),
          )),
    ]
  },

  pointsTo(read: ReadKey): string | null {
    const model = read(file, ['model'])
    const [provider = ''] = typeof model === 'string' ? model.split('/') : []
    const url = read(file, ['provider', provider, 'options', 'baseURL'])
    return typeof url === 'string' ? url : null
  },

  warnings(read: ReadKey): Sentence[] {
    const disabled = read(file, ['disabled_providers'])
    const enabled = read(file, ['enabled_providers'])
    const isHidden =
      (Array.isArray(disabled) && disabled.includes(PROVIDER_ID)) ||
      (Array.isArray(enabled) && !enabled.includes(PROVIDER_ID))
    return isHidden
      ? [
          {
            message: `Its lists of enabled and disabled providers hide "${PROVIDER_ID}". Allow it there.`,
            reason: { code: 'opencode_hidden', id: PROVIDER_ID },
          },
        ]
      : []
  },
}
