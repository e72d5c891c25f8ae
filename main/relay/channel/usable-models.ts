import type { EndpointType } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Caller } from '../call/call.ts'
import { type Capability, capabilitiesOf } from '../pricing/model-capabilities.ts'
import { type ModelFacts, modelFacts } from '../pricing/model-facts.ts'
import { allowsUnpriced, priceOf } from '../pricing/model-price.ts'
import { endpointsOf } from './channel-format.ts'
import { groupsOf, servingIn } from './groups.ts'
import { mapModel } from './map-model.ts'
import { allTargets, type NamingServices, servingTarget } from './route-targets.ts'

/** A model as callers may see it. */
export interface UsableModel extends ModelFacts {
  id: string
  /** The vendor of the first channel that serves it. */
  owner: string
  /** Endpoint types of its channels' upstreams. */
  endpointTypes: readonly EndpointType[]
  /** Its uses here. */
  capabilities: readonly Capability[]
}

interface Asking {
  caller: Caller
  group?: string | null
}

/** The name at the upstream; a mapping that loops is for a call to report. */
function upstreamName(id: string, channel: Channel | undefined): string {
  try {
    return channel ? mapModel(id, channel) : id
  } catch {
    return id
  }
}

/** A mapped model has the facts of the upstream's, but keeps the name that its owner gave it. */
function factsOf(id: string, mapped: string): ModelFacts {
  const own = modelFacts(id)
  if (mapped === id) return own
  const behind = modelFacts(mapped)
  const isKnown = behind.contextWindow !== null || behind.callsTools !== null
  return isKnown ? { ...behind, displayName: own.displayName } : own
}

/**
 * Names of the models that a caller may use, sorted: those of enabled channels in its groups, or in the one
 * that it asks for, without those that have no price where that keeps them from being called; and of the routes that
 * lead to any of these.
 */
export function usableNames(asking: Asking, services: NamingServices): string[] {
  const { channels, settings, routes } = services
  const groups = groupsOf(asking, settings.current)
  const [only] = groups
  const names =
    groups.length === 1 && only !== undefined
      ? channels.models(only)
      : [...new Set(groups.flatMap((group) => channels.models(group)))].sort()
  const takesAll = allowsUnpriced(asking.caller.user, settings.current)
  const isCallable = (id: string) => takesAll || priceOf(id, settings.current) !== null
  const isRoute = (id: string) => routes.byName(id) !== undefined
  const models = names.filter((id) => isCallable(id) && !isRoute(id))
  const named = routes
    .all()
    .filter(
      (route) =>
        isRoute(route.name) &&
        allTargets(route).some(
          (target) =>
            isCallable(target.model) && servingTarget(target, asking, services).length > 0,
        ),
    )
  return named.length === 0 ? models : [...models, ...named.map(({ name }) => name)].sort()
}

/** The channels that a name leads to, and the model that it stands for there: of a route its first target's that is served. */
export function servedBy(
  id: string,
  asking: Asking,
  services: NamingServices,
): { serving: readonly Channel[]; model: string } {
  const route = services.routes.byName(id)
  if (!route) return { serving: servingIn({ ...asking, model: id }, services), model: id }
  const { user } = asking.caller
  const settings = services.settings.current
  const takesAll = allowsUnpriced(user, settings)
  for (const target of allTargets(route)) {
    if (!takesAll && priceOf(target.model, settings) === null) continue
    const serving = servingTarget(target, asking, services)
    if (serving.length > 0) return { serving, model: target.model }
  }
  return { serving: [], model: id }
}

/** The models that a caller may use: those of its groups' enabled channels within its token's limits, and its aliases of them. */
export function usableModels(caller: Caller, services: NamingServices): UsableModel[] {
  const limits = caller.token?.modelLimitsEnabled ? new Set(caller.token.modelLimits) : null
  const models = usableNames({ caller }, services).filter((id) => !limits || limits.has(id))
  const usable = models.map((id): UsableModel => {
    const { serving, model } = servedBy(id, { caller }, services)
    const [first] = serving
    const mapped = upstreamName(model, first)
    const endpointTypes = [...new Set(serving.flatMap(endpointsOf))]
    return {
      ...factsOf(id, mapped),
      // A route that sends images elsewhere takes them, whatever its first target does.
      ...(services.routes.byName(id)?.rules.some(({ when }) => when.images) && {
        takesImages: true,
      }),
      id,
      owner: (first && adaptorOf(first.type)?.name.toLowerCase()) ?? 'switchyard',
      endpointTypes,
      capabilities: capabilitiesOf([mapped, model], endpointTypes),
    }
  })
  const aliases = caller.token?.modelAliases ?? {}
  return [
    ...usable.filter(({ id }) => !Object.hasOwn(aliases, id)),
    ...Object.entries(aliases).flatMap(([id, name]) => {
      const model = usable.find((one) => one.id === name)
      return model ? [{ ...model, id, displayName: name }] : []
    }),
  ]
}
