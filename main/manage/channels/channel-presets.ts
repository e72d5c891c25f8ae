import { z } from 'zod'
import type { ChannelTarget, EndpointType } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { type Preset, presetRecord, presets } from '../../adaptor/presets.ts'
import { GatewayError } from '../../base/errors.ts'
import { integer } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { draftFields, draftTarget } from './channel-models.ts'

const listPresets = defineOperation({
  name: 'channel.presets',
  summary: 'Lists the vendors that a channel can be made from, with their addresses.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/presets' },
  input: z.object({}),
  output: z.array(presetRecord),
  run: (): Preset[] => presets.map((preset) => ({ ...preset })),
})

/** Where a call of one wire format would be sent. */
const previewedUrl = z.strictObject({
  format: z.enum(['chat', 'messages', 'generate-content', 'responses']),
  url: z.string(),
})

/** The same as a type. */
export type PreviewedUrl = z.infer<typeof previewedUrl>

const formats: Readonly<Partial<Record<EndpointType, PreviewedUrl['format']>>> = {
  openai: 'chat',
  anthropic: 'messages',
  gemini: 'generate-content',
}

const MODEL = 'MODEL'

function previewUrls(target: ChannelTarget): PreviewedUrl[] {
  const adaptor = adaptorOf(target.type)
  if (!adaptor || adaptor.local) return []
  return adaptor.endpointTypes(target).flatMap((type): PreviewedUrl[] => {
    const format = formats[type]
    if (!format) return []
    const call = {
      verb: 'generate',
      model: MODEL,
      stream: false,
      altSse: false,
      query: '',
    } as const
    const { url } = adaptor.target(target, { ...call, format })
    return [{ format, url }]
  })
}

const previewUrl = defineOperation({
  name: 'channel.preview-url',
  summary: 'Shows where the calls of a channel with these settings would be sent.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/preview_url' },
  // No key: a URL's query is no place for one, and none is needed.
  input: z.object({
    ...draftFields,
    type: integer.pipe(draftFields.type),
    key: z.never().optional(),
  }),
  output: z.strictObject({ urls: z.array(previewedUrl) }),
  run(input, { parts }): { urls: PreviewedUrl[] } {
    try {
      return { urls: previewUrls(draftTarget(input, parts)) }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const { message, field = 'base_url' } = error
      throw new GatewayError('invalid_params', {
        message,
        field,
        cause: error,
        reason: error.reason,
      })
    }
  },
})

export const channelPresetOperations = [listPresets, previewUrl] as const
