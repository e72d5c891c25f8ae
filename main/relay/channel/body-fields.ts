import { codecOf } from '../../convert/codecs.ts'
import { asObject } from '../../convert/json/json-value.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'
import { renamedModels } from './other-models.ts'
import { overrideFields } from './override/param-override.ts'

/** Fields to set in the outgoing body; an empty object leaves the caller's bytes alone. */
export function bodyFields(
  call: Call,
  channel: Channel,
  upstreamModel: string,
  asksUsage: boolean,
): Record<string, unknown> {
  const codec = codecOf(call.format)
  const fields: Record<string, unknown> = { ...codec.fitRequest?.(call.body) }
  if (upstreamModel !== call.model) {
    Object.assign(fields, codec.renameModel?.(call.body, upstreamModel) ?? { model: upstreamModel })
  }
  Object.assign(
    fields,
    renamedModels((field) => call.body.get(field), channel),
  )
  if (asksUsage) {
    fields.stream_options = { ...asObject(call.body.get('stream_options')), include_usage: true }
  }
  return Object.assign(fields, overrideFields(channel))
}
