import type { HostedToolDefinition } from '../exchange.ts'
import { asObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'

/** Says what the tool is, or nothing beyond what its equal does by itself. */
const silent = ['type', 'name', 'cache_control', 'container.type']

const isSaid = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

/**
 * Notes each setting of a vendor's own tool that its equal at another has no word for. `taken` are those it
 * has, by their last name; those of filters and containers are looked at one by one.
 */
export function noteLostOptions(
  tool: HostedToolDefinition,
  taken: readonly string[],
  loss: Loss,
): void {
  const { value, at, name } = tool
  const options = Object.entries(asObject(value[name]) ?? value).flatMap(([key, one]) => {
    const inside = key === 'filters' || key === 'container' ? asObject(one) : undefined
    if (!inside) return [[key, one] as const]
    return Object.entries(inside).map(([inner, part]) => [`${key}.${inner}`, part] as const)
  })
  for (const [path, one] of options) {
    const isTaken = taken.includes(path.slice(path.indexOf('.') + 1))
    if (isTaken || silent.includes(path) || !isSaid(one)) continue
    loss.drop(`${at ?? loss.field('tools')}.${path}`, 'tool_has_no_setting')
  }
}
