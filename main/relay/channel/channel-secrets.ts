import type { ChannelTarget } from '../../adaptor/adaptor.ts'
import { SecretFinder } from '../../base/log/secret-finder.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { WithheldSecrets } from '../../upstream/withheld-secrets.ts'
import type { Call } from '../call/call.ts'

/** A field, header or query parameter whose name says that its value is nobody else's business. */
export const SECRET_NAME = /auth|key|token|secret|cookie|password/i

/** How a value begins that is one, whatever its header is called. */
const SCHEME = /^(?:basic|bearer|token|apikey)\s+/i

/** A placeholder is filled in with each call, so it is no secret of the override's. */
const PLACEHOLDER = /\{(?:api_key|client_header:[^}]+)\}/g

/** The secret in a header override's value, without its scheme; '' where it has none. */
export function secretInHeader(name: string, value: string): string {
  if (name === '*' || name.startsWith('re:')) return ''
  if (!SECRET_NAME.test(name) && !SCHEME.test(value)) return ''
  const own = value.replace(SCHEME, '')
  return own.replaceAll(PLACEHOLDER, '').trim() === '' ? '' : own
}

/** The secrets in a channel's header override; none in a value that each call completes. */
export function* overrideSecrets({
  headerOverride,
}: Pick<Channel, 'headerOverride'>): Generator<string> {
  for (const [name, value] of Object.entries(headerOverride)) {
    const [secret] = secretInHeader(name, value).split(/\s+/)
    if (secret && !secret.includes('{')) yield secret
  }
}

// Made once per stored version of a channel and key.
const known = new WeakMap<ChannelTarget, readonly SecretFinder[]>()

/** The secrets with which a channel is called: its key, and what its header override holds. */
export function channelSecrets(channel: Channel, target: ChannelTarget): readonly SecretFinder[] {
  let secrets = known.get(target)
  if (!secrets) {
    const texts = new Set([target.key, ...overrideSecrets(channel)])
    secrets = [...texts].filter(SecretFinder.isSecret).map((text) => new SecretFinder(text))
    known.set(target, secrets)
  }
  return secrets
}

/**
 * The secrets that the answer must not tell the caller. A secret that stands in the call itself is none to the caller:
 * an agent that edits the file where its owner keeps the key has to get it back.
 */
export function withheldFrom(call: Call, channel: Channel, target: ChannelTarget): WithheldSecrets {
  return {
    secrets: channelSecrets(channel, target),
    isSaid: (secret) => call.form === null && secret.isIn(Buffer.concat(call.body.pieces)),
  }
}
