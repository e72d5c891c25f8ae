import { GatewayError } from '../../base/errors.ts'
import { isSameAddress } from '../../connect/same-address.ts'
import type { Tool } from '../../connect/tool.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { toolAddress } from './tool-address.ts'

/** Milliseconds that a program on this machine has to say its name. */
const PATIENCE = 700
/** Milliseconds that an answer counts, so that a page that looks often doesn't ask often. */
const FRESH = 5_000

const isThisMachine = ({ hostname }: URL) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

async function isSwitchyard(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/api/hello`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    const { name } = (await answer.json()) as { name?: unknown }
    return name === 'Switchyard'
  } catch {
    return false
  }
}

const asked = new Map<string, { at: number; answer: Promise<boolean> }>()

/**
 * Address of another Switchyard on this machine that the tool points at; null where it points here, nowhere,
 * or at something else. Addresses of other machines are not asked.
 */
export async function otherGateway(
  pointsTo: string | null,
  parts: Pick<GatewayParts, 'address'>,
): Promise<string | null> {
  if (pointsTo === null || !URL.canParse(pointsTo)) return null
  const url = new URL(pointsTo)
  if (!isThisMachine(url) || isSameAddress(pointsTo, toolAddress(parts))) return null
  const now = performance.now()
  const before = asked.get(url.origin)
  const isFresh = before !== undefined && now - before.at < FRESH
  const answer = isFresh ? before.answer : isSwitchyard(url.origin)
  if (!isFresh) {
    for (const [origin, { at }] of asked) if (now - at >= FRESH) asked.delete(origin)
    asked.set(url.origin, { at: now, answer })
  }
  return (await answer) ? url.origin : null
}

/** The other Switchyard's own undo comes first: ours would tear a hole into its keys. */
export const pointsToOther = ({ name }: Tool, other: string): GatewayError =>
  new GatewayError('conflict', {
    message: `${name} points to another Switchyard since, at ${other}. Undo it there first, then here; or stop that one. Nothing was changed.`,
    reason: { code: 'tool_points_elsewhere', tool: name, other },
  })
