import type { GatewayParts } from '../gateway-parts.ts'
import { toolAddress } from './tool-address.ts'

/** Lets `npm run connect` in until the returned function runs. Without it everything else works. */
export function openLocalAccess(
  parts: Pick<GatewayParts, 'address' | 'localAccess' | 'log'>,
): () => void {
  const { localAccess, log } = parts
  const without = 'npm run connect will ask for an access token'
  try {
    const isOpen = localAccess.open(toolAddress(parts))
    if (!isOpen) log.warn(`other users could read local-access.json: ${without}`)
  } catch (err) {
    log.warn({ err }, `local-access.json could not be written: ${without}`)
  }
  return () => localAccess.close()
}
