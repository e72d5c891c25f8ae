import { createHmac } from 'node:crypto'
import { createSecretBox, type SecretBox } from '../../store/secret-key/secret-box.ts'
import type { GatewayParts } from '../gateway-parts.ts'

type Parts = Pick<GatewayParts, 'sessionSecrets'>

const boxOf = (secret: string): SecretBox =>
  createSecretBox({ current: createHmac('sha256', secret).update('place in a list').digest() })

/**
 * A place in a list, for a client to send back. Sealed: the ids and times of rows in it would tell users how many calls
 * others make, and when.
 */
export const sealPlace = (place: unknown, { sessionSecrets: [newest = ''] }: Parts): string =>
  boxOf(newest)
    .sealBytes(Buffer.from(JSON.stringify(place)))
    .toString('base64url')

/** The place in a sealed text; undefined where there is none, or another gateway sealed it. */
export function openPlace(text: string, { sessionSecrets }: Parts): unknown {
  const sealed = Buffer.from(text, 'base64url')
  for (const secret of sessionSecrets) {
    const opened = boxOf(secret).openBytes(sealed)
    if (opened) return JSON.parse(opened.toString('utf8'))
  }
  return undefined
}
