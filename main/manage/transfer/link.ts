import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { switchyardLink } from '../../transfer/from/switchyard-link.ts'
import { previewOf } from '../channels/channel-record.ts'
import { defineOperation } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { planForeign } from './import-plan.ts'
import { importPreview, keepPreview } from './import-preview.ts'

const linkRecord = z.strictObject({
  problem: z.string().nullable().describe('Why the link can’t be read, or null.'),
  problem_reason: reasonOutput.nullable().describe('The problem by code; null: none.'),
  channels: z.array(
    z.strictObject({
      name: z.string(),
      base_url: z.string().nullable().describe("Null: the vendor's own address."),
      masked_key: z.string(),
      models: z.array(z.string()),
    }),
  ),
  preview: importPreview.nullable(),
})

const link = defineOperation({
  name: 'transfer.link',
  summary:
    "Shows the channels that a `switchyard://` link would add, which the desktop was opened with; nothing is added. From the desktop's own window only.",
  access: 'root',
  proof: 'session',
  http: { method: 'GET', path: '/api/transfer/link' },
  input: z.object({ id: z.coerce.number().int().describe('As the window was told.') }),
  output: linkRecord,
  run({ id }, { parts, via }): z.output<typeof linkRecord> {
    const text = via === 'ipc' ? (parts.desktop?.readLink(id) ?? null) : null
    if (text === null) {
      throw new GatewayError('not_found', {
        message: 'This link is no longer kept. Open it again.',
        field: 'id',
        reason: { code: 'link_gone' },
      })
    }
    try {
      const foreign = switchyardLink.read(text)
      const channels = (foreign.transfer.channels ?? []).map(
        ({ name, base_url, keys, models }) => ({
          name,
          base_url,
          masked_key: previewOf(keys[0] ?? ''),
          models,
        }),
      )
      const preview = keepPreview(planForeign(switchyardLink.id, foreign, parts), parts)
      return { problem: null, problem_reason: null, channels, preview }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const { message, reason } = error
      return { problem: message, problem_reason: reason ?? null, channels: [], preview: null }
    }
  },
})

export const linkOperations = [link] as const
