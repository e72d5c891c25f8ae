import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { line } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { setStatuses } from './channel-batch.ts'
import { channelFields } from './channel-fields.ts'
import { forgetChanged } from './maintenance/forget-health.ts'
import { saveChannels } from './save/save-channels.ts'
import { withKnownHeaders } from './secret-headers.ts'

const tag = line(255).min(1, fieldProblems.field_empty)

const tagged = (name: string, { channels }: GatewayParts): Channel[] =>
  channels.all().filter((channel) => channel.tag === name)

const disable = defineOperation({
  name: 'channel.tag-disable',
  summary: 'Disables all channels with exactly this tag; gives how many were not so before.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/tag/disabled' },
  input: z.strictObject({ tag }),
  output: z.int(),
  run: (input, context): number =>
    setStatuses(tagged(input.tag, context.parts), 2, signedIn(context).username, context.parts),
})

const enable = defineOperation({
  name: 'channel.tag-enable',
  summary:
    'Enables all channels with exactly this tag, those disabled by the gateway too; gives how many were not so before.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/tag/enabled' },
  input: z.strictObject({ tag }),
  output: z.int(),
  run: (input, context): number =>
    setStatuses(tagged(input.tag, context.parts), 1, signedIn(context).username, context.parts),
})

const { weight, priority, models, group, model_mapping, param_override, header_override } =
  channelFields

/** A text that is read as a channel's own field is; null changes nothing. */
const unlessNull = <Value>(field: z.ZodType<Value, string | null | undefined>) =>
  z
    .string()
    .nullable()
    .transform((text): string | null | undefined => text ?? undefined)
    .pipe(field)
    .optional()

/** The same where an empty text changes nothing either: no channel can be without, or clients send it unasked. */
const unlessEmpty = <Value>(field: z.ZodType<Value, string | null | undefined>) =>
  z
    .string()
    .nullable()
    .transform((text): string | null | undefined => text?.trim() || undefined)
    .pipe(field)
    .optional()

const update = defineOperation({
  name: 'channel.tag-update',
  summary:
    'Changes the fields that are sent in all channels with a tag; what is absent or null stays as it is. Another header override, where channels have keys, needs a verified session of the owner and is logged.',
  access: 'admin',
  http: { method: 'PUT', path: '/api/channel/tag' },
  input: z.strictObject({
    tag,
    new_tag: line(255)
      .nullable()
      .optional()
      .describe('The tag that they have from now on; empty takes it away.'),
    weight,
    priority,
    models: unlessEmpty(models),
    groups: unlessEmpty(group),
    model_mapping: unlessEmpty(model_mapping).describe('`{}` clears it.'),
    param_override: unlessNull(param_override).describe('An empty text clears it.'),
    header_override: unlessNull(header_override).describe('An empty text clears it.'),
  }),
  output: z.undefined(),
  run(input, context): undefined {
    const { parts } = context
    const channels = tagged(input.tag, parts)
    const headers = withKnownHeaders(input.header_override)
    if (channels.length === 0) {
      throw new GatewayError('not_found', {
        message: `No channel has the tag "${input.tag}".`,
        field: 'tag',
        reason: { code: 'no_channel_with_tag', tag: input.tag },
      })
    }
    const { models, groups } = input
    const fields: Partial<Channel> = {
      tag: typeof input.new_tag === 'string' ? input.new_tag || null : undefined,
      weight: input.weight ?? undefined,
      priority: input.priority ?? undefined,
      models: models?.length ? models : undefined,
      groups: groups?.length ? groups : undefined,
      modelMapping: input.model_mapping,
      paramOverride: input.param_override,
      headerOverride: headers,
    }
    const edited = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    )
    const edits = channels.map((before) => ({ before, fields: edited }))
    saveChannels(edits, { key: false, headers, isForMany: true }, context)
    forgetChanged(channels, parts)
  },
})

const listModels = defineOperation({
  name: 'channel.tag-models',
  summary: 'Gives the longest list of models among the channels with a tag, separated by commas.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/tag/models' },
  legacyStatus: { invalid_params: 400 },
  input: z.object({ tag }),
  output: z.string(),
  run(input, { parts }): string {
    const lists = tagged(input.tag, parts).map(({ models }) => models)
    const longest = lists.sort((one, other) => other.length - one.length)[0]
    return longest?.join(',') ?? ''
  },
})

export const channelTagOperations = [disable, enable, update, listModels] as const
