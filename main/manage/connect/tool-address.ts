import type { GatewayParts } from '../gateway-parts.ts'

/** Address for programs on this machine, whatever the gateway listens on. */
export function toolAddress(parts: Pick<GatewayParts, 'address'>): string {
  const { host, port, url } = parts.address()
  return ['0.0.0.0', '::', 'localhost', '127.0.0.1'].includes(host)
    ? `http://127.0.0.1:${port}`
    : url
}
