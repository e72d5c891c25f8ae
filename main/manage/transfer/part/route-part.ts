import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { ModelRoute, RouteTarget } from '../../../store/records/routes.ts'
import type { Token } from '../../../store/records/tokens.ts'
import { routeDraft } from '../../../transfer/draft-schemas.ts'
import type { RouteDraft, RuleConditionsDraft, TargetDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { fromConditions, routeFields, toRouteFields } from '../../routes/route-record.ts'
import { changesOf } from './changes.ts'
import { type ItemNote, note } from './item-notes.ts'
import { type Plan, planEach } from './plan.ts'

type Names = Pick<GatewayParts, 'channels' | 'tokens' | 'users'>

type NamedToken = NonNullable<RuleConditionsDraft['tokens']>[number]

const toTargetDraft = (
  { model, channelId, tag, weight }: RouteTarget,
  { channels }: Names,
): TargetDraft | [] => {
  const channel = channelId === null ? null : channels.byId(channelId)
  // It leads nowhere any more.
  if (channel === undefined) return []
  return { model, channel: channel?.name ?? null, tag, weight }
}

function toNamedToken({ name, userId }: Token, { users }: Names): NamedToken {
  const holder = users.byId(userId)
  return { user: !holder || holder.role === 100 ? null : holder.username, name }
}

/** A route as an export has it: with the names of channels and tokens in place of their numbers. */
export function toRouteDraft(route: ModelRoute, parts: Names): RouteDraft {
  const toTargets = (targets: readonly RouteTarget[]) =>
    targets.flatMap((target) => toTargetDraft(target, parts))
  const toTokens = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const token = parts.tokens.byId(id)
      return token ? toNamedToken(token, parts) : []
    })
  return {
    name: route.name,
    disabled: route.status === 2,
    targets: toTargets(route.targets),
    rules: route.rules.map(({ name, when, targets }) => {
      const { token_ids: ids, ...others } = fromConditions(when)
      const tokens = ids && toTokens(ids)
      return { name, when: { ...others, ...(tokens && { tokens }) }, targets: toTargets(targets) }
    }),
  }
}

/** The channel of that name; of several the one that lists the model. */
function channelOf(name: string, model: string, { channels }: Names): number | undefined {
  const named = channels.all().filter((one) => one.name === name)
  return (named.find(({ models }) => models.includes(model)) ?? named[0])?.id
}

const tokenOf = (wanted: NamedToken, parts: Names): number | undefined =>
  parts.tokens.all().find((token) => isDeepStrictEqual(toNamedToken(token, parts), wanted))?.id

const inputSchema = z.strictObject(routeFields)

/** Checked by the rules of the form, with the channels and tokens that are there by now. */
function readFields(draft: RouteDraft, parts: Names) {
  const toTargets = (targets: readonly TargetDraft[]) =>
    targets.flatMap(({ channel, ...target }) => {
      const id = channel === null ? null : channelOf(channel, target.model, parts)
      return id === undefined ? [] : { ...target, channel_id: id }
    })
  const toWhen = ({ tokens, ...when }: RuleConditionsDraft) => ({
    ...when,
    ...(tokens && { token_ids: tokens.flatMap((one) => tokenOf(one, parts) ?? []) }),
  })
  const rules = draft.rules
    .map(({ name, when, targets }) => ({ name, when: toWhen(when), targets: toTargets(targets) }))
    // A rule for tokens that are not here must not become one for every token.
    .filter(({ when, targets }) => when.token_ids?.length !== 0 && targets.length > 0)
  return toRouteFields(
    readInput(inputSchema, {
      name: draft.name,
      status: draft.disabled ? 2 : 1,
      targets: toTargets(draft.targets),
      rules,
    }),
  )
}

/** Its channels and tokens that are neither here nor, by their names, in the import. */
function missing(draft: RouteDraft, here: Names, coming: Coming): ItemNote[] {
  const targets = [draft.targets, ...draft.rules.map((rule) => rule.targets)].flat()
  const channels = targets.flatMap((one) =>
    isComing(one, here, coming) ? [] : (one.channel ?? []),
  )
  const tokens = draft.rules
    .flatMap(({ when }) => when.tokens ?? [])
    .filter((one) => tokenOf(one, here) === undefined && !coming.tokens.has(one.name))
  return [
    ...[...new Set(channels)].map((name) => note('channel_missing', name)),
    ...[...new Set(tokens.map(({ name }) => name))].map((name) => note('token_missing', name)),
  ]
}

const isComing = ({ channel, model }: TargetDraft, here: Names, { channels }: Coming): boolean =>
  channel === null || channels.has(channel) || channelOf(channel, model, here) !== undefined

/** Names of what the same import brings. */
export interface Coming {
  channels: ReadonlySet<string>
  tokens: ReadonlySet<string>
}

const NOTHING: Coming = { channels: new Set(), tokens: new Set() }

/** Every name of the import stands for something, so that the rules of the form can be checked before it is here. */
const withoutNames = ({ targets, rules, ...draft }: RouteDraft): RouteDraft => {
  const plain = (list: readonly TargetDraft[]) =>
    list.map((target) => ({ ...target, channel: null }))
  return {
    ...draft,
    targets: plain(targets),
    rules: rules.map((rule) => {
      const { tokens, ...when } = rule.when
      return {
        ...rule,
        when: tokens ? { ...when, clients: ['any'] } : when,
        targets: plain(rule.targets),
      }
    }),
  }
}

/** Compares the routes of an import with those that are here, by name. */
export function planRoutes(entries: readonly unknown[], parts: GatewayParts, coming: Coming): Plan {
  return planEach('routes', entries, routeDraft, (draft) => {
    readFields(withoutNames(draft), parts)
    if (!draft.targets.some((target) => isComing(target, parts, coming))) {
      throw new GatewayError('invalid_params', {
        message: 'None of its channels is here or in the file.',
        field: 'targets',
        reason: { code: 'route_channels_missing' },
      })
    }
    const here = parts.routes.all().find(({ name }) => name === draft.name)
    const changes = here ? changesOf(toRouteDraft(here, parts), draft) : []
    return {
      name: draft.name,
      state: !here ? 'new' : changes.length === 0 ? 'same' : 'changed',
      changes,
      notes: missing(draft, parts, coming),
      write(_how, { parts: now }) {
        // Where its channels were not ticked, there is nothing that it could lead to.
        if (!draft.targets.some((target) => isComing(target, now, NOTHING))) return
        const fields = readFields(draft, now)
        const same = now.routes.all().find(({ name }) => name === draft.name)
        if (same) now.routes.update(same.id, fields)
        else now.routes.create(fields)
      },
    }
  })
}
