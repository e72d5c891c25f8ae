import { z } from 'zod'
import type { ModelRoute, RouteTarget } from '../../../store/records/routes.ts'
import { routeDraft } from '../../../transfer/draft-schemas.ts'
import type { RouteDraft, RuleConditionsDraft, TargetDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { fromConditions, routeFields, toRouteFields } from '../../routes/route-record.ts'
import { changesOf } from './changes.ts'
import { type ItemNote, note } from './item-notes.ts'
import { freeName, type Plan, planEach } from './plan.ts'

type Names = Pick<GatewayParts, 'channels' | 'tokens'>

const toTargetDraft = (
  { model, channelId, tag, weight }: RouteTarget,
  { channels }: Names,
): TargetDraft | [] => {
  const channel = channelId === null ? null : channels.byId(channelId)
  // It leads nowhere any more.
  if (channel === undefined) return []
  return { model, channel: channel?.name ?? null, tag, weight }
}

/** A route as an export has it: with the names of channels and tokens in place of their numbers. */
export function toRouteDraft(route: ModelRoute, parts: Names): RouteDraft {
  const toTargets = (targets: readonly RouteTarget[]) =>
    targets.flatMap((target) => toTargetDraft(target, parts))
  return {
    name: route.name,
    disabled: route.status === 2,
    targets: toTargets(route.targets),
    rules: route.rules.map(({ name, when, targets }) => {
      const { token_ids: ids, ...others } = fromConditions(when)
      const tokens = ids?.flatMap((id) => parts.tokens.byId(id)?.name ?? [])
      return { name, when: { ...others, ...(tokens && { tokens }) }, targets: toTargets(targets) }
    }),
  }
}

const idOf = (list: readonly { id: number; name: string }[], name: string): number | undefined =>
  list.find((one) => one.name === name)?.id

const inputSchema = z.strictObject(routeFields)

/** Checked by the rules of the form, with the channels and tokens that are there by now. */
function readFields(draft: RouteDraft, { channels, tokens }: Names) {
  const toTargets = (targets: readonly TargetDraft[]) =>
    targets.flatMap(({ channel, ...target }) => {
      const id = channel === null ? null : idOf(channels.all(), channel)
      return id === undefined ? [] : { ...target, channel_id: id }
    })
  const toWhen = ({ tokens: names, ...when }: RuleConditionsDraft) => ({
    ...when,
    ...(names && { token_ids: names.flatMap((name) => idOf(tokens.all(), name) ?? []) }),
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
  const channels = new Set(targets.flatMap(({ channel }) => channel ?? []))
  const tokens = new Set(draft.rules.flatMap(({ when }) => when.tokens ?? []))
  const isMissing =
    (list: readonly { id: number; name: string }[], others: ReadonlySet<string>) =>
    (name: string) =>
      idOf(list, name) === undefined && !others.has(name)
  return [
    ...[...channels]
      .filter(isMissing(here.channels.all(), coming.channels))
      .map((name) => note('channel_missing', name)),
    ...[...tokens]
      .filter(isMissing(here.tokens.all(), coming.tokens))
      .map((name) => note('token_missing', name)),
  ]
}

/** Names of what the same import brings. */
export interface Coming {
  channels: ReadonlySet<string>
  tokens: ReadonlySet<string>
}

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
    const here = parts.routes.all().find(({ name }) => name === draft.name)
    const changes = here ? changesOf(toRouteDraft(here, parts), draft) : []
    return {
      name: draft.name,
      state: !here ? 'new' : changes.length === 0 ? 'same' : 'changed',
      changes,
      notes: missing(draft, parts, coming),
      write(how, { parts: now }) {
        const fields = readFields(draft, now)
        const same = now.routes.all().find(({ name }) => name === draft.name)
        if (same && how === 'replace') now.routes.update(same.id, fields)
        else if (same) {
          const isTaken = (name: string) => now.routes.all().some((one) => one.name === name)
          now.routes.create({ ...fields, name: freeName(draft.name, isTaken) })
        } else now.routes.create(fields)
      },
    }
  })
}
