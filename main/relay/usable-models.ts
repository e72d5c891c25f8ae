import { adaptorOf } from '../adaptor/adaptors.ts'
import type { Caller, RelayParts } from './call.ts'

/** A model as callers may see it. */
export interface UsableModel {
  id: string
  /** The vendor of the first channel that serves it. */
  owner: string
  /** What its channels' upstreams speak. */
  endpointTypes: readonly string[]
}

/** The models that a caller may use: those of its group's enabled channels within its token's limits. */
export function usableModels(caller: Caller, parts: RelayParts): UsableModel[] {
  const group = caller.token?.group || caller.user.group || 'default'
  const limits = caller.token?.modelLimitsEnabled ? new Set(caller.token.modelLimits) : null
  const models = parts.channels.models(group).filter((id) => !limits || limits.has(id))
  return models.map((id) => {
    const serving = parts.channels.serving(group, id)
    const types = serving.flatMap(
      (channel) => adaptorOf(channel.type)?.endpointTypes(channel) ?? [],
    )
    const first = serving[0] && adaptorOf(serving[0].type)
    return {
      id,
      owner: first?.name.toLowerCase() ?? 'switchyard',
      endpointTypes: [...new Set(types)],
    }
  })
}
