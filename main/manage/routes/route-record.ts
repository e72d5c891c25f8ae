import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { allTargets, isOfTarget } from '../../relay/channel/route-targets.ts'
import type { RouteConditions, RouteRule, RouteTarget } from '../../store/records/routes.ts'
import type { StoredRoute } from '../../store/state/state.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { flag, integer, line, recordId, recordIds } from '../operation/input-fields.ts'

const MOST_TARGETS = 20
const MOST_RULES = 20
const MOST_WEIGHT = 1000
const MOST_TOKENS = 100_000_000

const target = z.strictObject({
  model: line(255).min(1, fieldProblems.field_empty).describe('As channels list it; no route.'),
  channel_id: recordId.nullish().describe('The only channel that may serve it; null for any.'),
  tag: line(255).nullish().describe('Only channels with this tag; null for any.'),
  weight: integer
    .refine((weight) => weight >= 0 && weight <= MOST_WEIGHT, fieldProblems.field_target_weight)
    .default(0)
    .describe('Adjacent targets with a weight split the calls by it; 0: tried in order.'),
})

const tokens = integer.refine(
  (count) => count >= 0 && count <= MOST_TOKENS,
  fieldProblems.field_token_count,
)

const conditions = z
  .strictObject({
    min_input_tokens: tokens.optional().describe('Input tokens, counted roughly, at least.'),
    max_input_tokens: tokens.optional().describe('The same, at most.'),
    images: flag.optional().describe('Does it contain an image?'),
    tools: flag.optional().describe('Does it have tools that run at the client?'),
    web_search: flag.optional().describe("Does it use the vendor's web search?"),
    reasoning: flag.optional().describe('Does it request reasoning?'),
    background: flag.optional().describe('Is it a background task of a coding agent?'),
    clients: z
      .array(line(100).min(1, fieldProblems.field_empty))
      .min(1, fieldProblems.field_empty)
      .max(20)
      .optional()
      .describe("Any of these: an agent's name, or a part of the `User-Agent`."),
    token_ids: recordIds(100).optional().describe('Called with any of these tokens.'),
  })
  .refine((when) => Object.values(when).some((value) => value !== undefined), {
    message: fieldProblems.field_no_condition,
  })
  .refine(({ min_input_tokens: least = 0, max_input_tokens: most = Infinity }) => least <= most, {
    message: fieldProblems.field_token_range,
    path: ['max_input_tokens'],
  })

const targets = z
  .array(target)
  .min(1, fieldProblems.field_no_target)
  .max(MOST_TARGETS, `can name at most ${MOST_TARGETS} targets`)

const rule = z.strictObject({
  name: line(60).min(1, fieldProblems.field_empty),
  when: conditions,
  targets,
})

/** The fields of a route that a client sends. */
export const routeFields = {
  name: line(100)
    .min(1, fieldProblems.field_empty)
    .regex(/^[^\s,]*$/, fieldProblems.field_route_name)
    .regex(/^\P{C}*$/u, fieldProblems.field_invisible)
    .describe('Clients ask for it as a model. It hides a model of the same name.'),
  status: z
    .literal([1, 2], fieldProblems.field_status)
    .default(1)
    .describe('1 enabled, 2 disabled.'),
  targets: targets.describe('Tried in order where no rule holds.'),
  rules: z
    .array(rule)
    .max(MOST_RULES, `can hold at most ${MOST_RULES} rules`)
    .default([])
    .describe('The first of which all conditions hold chooses its own targets.'),
}

export type RouteInput = z.infer<z.ZodObject<typeof routeFields>>

type TargetInput = RouteInput['targets'][number]

const toTarget = ({ model, channel_id = null, tag = null, weight }: TargetInput): RouteTarget => ({
  model,
  channelId: channel_id,
  tag: tag || null,
  weight,
})

type ConditionsInput = RouteInput['rules'][number]['when']

/** Each condition of the wire under its stored name. */
const conditionNames = {
  min_input_tokens: 'minInputTokens',
  max_input_tokens: 'maxInputTokens',
  images: 'images',
  tools: 'tools',
  web_search: 'webSearch',
  reasoning: 'reasoning',
  background: 'background',
  clients: 'clients',
  token_ids: 'tokenIds',
} as const satisfies Record<keyof ConditionsInput, keyof RouteConditions>

const names = Object.entries(conditionNames) as [keyof ConditionsInput, keyof RouteConditions][]

const toConditions = (input: ConditionsInput): RouteConditions =>
  Object.fromEntries(
    names.flatMap(([name, stored]) => (input[name] === undefined ? [] : [[stored, input[name]]])),
  )

const toRule = ({ name, when, targets: own }: RouteInput['rules'][number]): RouteRule => ({
  name,
  when: toConditions(when),
  targets: own.map(toTarget),
})

/** What a client sent, as it is stored. */
export const toRouteFields = ({ name, status, targets: own, rules }: RouteInput) => ({
  name,
  status,
  targets: own.map(toTarget),
  rules: rules.map(toRule),
})

const targetRecord = z.strictObject({
  model: z.string(),
  channel_id: z.int().nullable(),
  tag: z.string().nullable(),
  weight: z.int(),
  channels: z.int().describe('Enabled channels that serve it, in any group; 0: it is passed over.'),
})

const conditionsRecord = z.strictObject({
  min_input_tokens: z.int().optional(),
  max_input_tokens: z.int().optional(),
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  web_search: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  background: z.boolean().optional(),
  clients: z.array(z.string()).optional(),
  token_ids: z.array(z.int()).optional(),
})

/** A route as lists show it. */
export const routeRecord = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.literal([1, 2]).describe('1 enabled, 2 disabled.'),
  targets: z.array(targetRecord),
  rules: z.array(
    z.strictObject({
      name: z.string(),
      when: conditionsRecord,
      targets: z.array(targetRecord),
      missing_tokens: z.array(z.int()).describe('Of its `token_ids`, those of no token any more.'),
    }),
  ),
  created_time: z.int().describe('Unix seconds.'),
  hides_model: z
    .boolean()
    .describe('Channels list a model of the same name, which none of its targets leads to.'),
})

export type RouteRecord = z.infer<typeof routeRecord>

/** Conditions under their names on the wire. */
export const fromConditions = (when: RouteConditions): z.infer<typeof conditionsRecord> =>
  Object.fromEntries(
    names.flatMap(([name, stored]) => (when[stored] === undefined ? [] : [[name, when[stored]]])),
  )

/** A route as a client sees it. */
export function toRouteRecord(
  route: StoredRoute,
  { channels, tokens }: Pick<GatewayParts, 'channels' | 'tokens'>,
): RouteRecord {
  const enabled = channels.all().filter(({ status }) => status === 1)
  const toTargetRecord = (one: RouteTarget) => ({
    model: one.model,
    channel_id: one.channelId,
    tag: one.tag,
    weight: one.weight,
    channels: enabled.filter(
      (channel) => channel.models.includes(one.model) && isOfTarget(channel, one),
    ).length,
  })
  return {
    id: route.id,
    name: route.name,
    status: route.status,
    targets: route.targets.map(toTargetRecord),
    rules: route.rules.map(({ name, when, targets: own }) => ({
      name,
      when: fromConditions(when),
      targets: own.map(toTargetRecord),
      missing_tokens: (when.tokenIds ?? []).filter((id) => !tokens.byId(id)),
    })),
    created_time: route.createdTime,
    hides_model:
      enabled.some(({ models }) => models.includes(route.name)) &&
      !allTargets(route).some(({ model }) => model === route.name),
  }
}
