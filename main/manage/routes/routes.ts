import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { ModelRoute, RouteTarget } from '../../store/records/routes.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import {
  type RouteInput,
  type RouteRecord,
  routeFields,
  routeRecord,
  toRouteFields,
  toRouteRecord,
} from './route-record.ts'

/** Every target with its place in the input. */
function* placedTargets({ targets, rules }: Pick<ModelRoute, 'targets' | 'rules'>) {
  for (const [index, target] of targets.entries()) yield { target, at: `targets[${index}]` }
  for (const [number, rule] of rules.entries()) {
    for (const [index, target] of rule.targets.entries())
      yield { target, at: `rules[${number}].targets[${index}]` }
  }
}

function requireChannel({ channelId }: RouteTarget, at: string, parts: GatewayParts): void {
  if (channelId === null || parts.channels.byId(channelId)) return
  throw new GatewayError('invalid_params', {
    message: `There is no channel ${channelId}. It may have been deleted: reload the list.`,
    field: `${at}.channel_id`,
    reason: { code: 'no_channel', id: channelId },
  })
}

/** A token that was deleted since may stay: what else is changed must not be refused for it. */
function requireTokens(
  { rules }: Pick<ModelRoute, 'rules'>,
  own: ModelRoute | null,
  parts: GatewayParts,
): void {
  const known = new Set(own?.rules.flatMap(({ when }) => when.tokenIds ?? []))
  for (const [number, { when }] of rules.entries()) {
    for (const [index, id] of (when.tokenIds ?? []).entries()) {
      if (known.has(id) || parts.tokens.byId(id)) continue
      throw new GatewayError('invalid_params', {
        message: `There is no token ${id}. It may have been deleted: reload the list.`,
        field: `rules[${number}].when.token_ids[${index}]`,
        reason: { code: 'no_token', id },
      })
    }
  }
}

/**
 * The stored form of what was sent. Throws for a name that is taken, a channel or token that is not there, and a route
 * to routes.
 */
function checked(input: RouteInput, own: ModelRoute | null, parts: GatewayParts) {
  const fields = toRouteFields(input)
  const { routes } = parts
  const isOther = (name: string) =>
    routes.all().some((route) => route.name === name && route.id !== own?.id)
  if (isOther(fields.name)) {
    throw new GatewayError('conflict', {
      message: `There is already a route "${fields.name}". Choose another name.`,
      field: 'name',
      reason: { code: 'route_name_taken', name: fields.name },
    })
  }
  requireTokens(fields, own, parts)
  for (const { target, at } of placedTargets(fields)) {
    requireChannel(target, at, parts)
    const isModel = parts.channels.all().some(({ models }) => models.includes(target.model))
    if (isModel || !isOther(target.model)) continue
    throw new GatewayError('invalid_params', {
      message: `"${target.model}" is a route itself. A target is a model.`,
      field: `${at}.model`,
      reason: { code: 'target_is_route', model: target.model },
    })
  }
  return fields
}

const list = defineOperation({
  name: 'route.list',
  summary: 'Lists the routes: names that stand for several models.',
  access: 'admin',
  http: { method: 'GET', path: '/api/route' },
  input: z.object({}),
  output: z.array(routeRecord),
  run: (_input, { parts }): RouteRecord[] =>
    parts.routes.all().map((route) => toRouteRecord(route, parts)),
})

const create = defineOperation({
  name: 'route.create',
  summary: 'Adds a route; its name can be called at once.',
  access: 'admin',
  http: { method: 'POST', path: '/api/route' },
  input: z.strictObject(routeFields),
  output: routeRecord,
  run(input, { parts }): RouteRecord {
    return toRouteRecord(parts.routes.create(checked(input, null, parts)), parts)
  },
})

const update = defineOperation({
  name: 'route.update',
  summary: 'Replaces a route by what is sent; its number stays.',
  access: 'admin',
  http: { method: 'PUT', path: '/api/route' },
  input: z.strictObject({ id: recordId, ...routeFields }),
  output: routeRecord,
  run({ id, ...input }, { parts }): RouteRecord {
    const fields = checked(input, parts.routes.find(id), parts)
    return toRouteRecord(parts.routes.update(id, fields), parts)
  },
})

const remove = defineOperation({
  name: 'route.delete',
  summary: 'Deletes a route. Calls to its name then fail.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/route/:id' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  run({ id }, { parts }): undefined {
    parts.routes.find(id)
    parts.routes.remove(id)
  },
})

export const routeOperations = [list, create, update, remove] as const
