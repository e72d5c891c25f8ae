import https from 'node:https'
import tls, { type SecureContext } from 'node:tls'
import { readCertificates } from './read-certificates.ts'

/** PEM of the certificates that are trusted besides the usual ones, by their source. */
const named = new Map<object, readonly string[]>()
let version = 0
/** Null: the usual certificates are all that there is. Undefined: not made yet. */
let context: SecureContext | null | undefined

/** Another number after every change of what is trusted: connections of before are not used for new calls. */
export const trustVersion = (): number => version

/**
 * Trusts these authorities (PEM) as well, in the place of those that `owner` named before. It holds for every
 * connection of this process that is made from now on.
 */
export function trustAlso(owner: object, certificates: readonly string[]): void {
  const before = named.get(owner) ?? []
  if (before.join() === certificates.join()) return
  if (certificates.length > 0) named.set(owner, certificates)
  else named.delete(owner)
  context = undefined
  version++
}

// Not there before Node 22.15.
const listCertificates = tls.getCACertificates as typeof tls.getCACertificates | undefined

/** None where they cannot be listed. Node keeps the list once it has read it. */
function systemCertificates(): readonly string[] {
  try {
    return listCertificates?.('system') ?? []
  } catch {
    return []
  }
}

/** From NODE_EXTRA_CA_CERTS; Node itself warns at start about a file it can't read. */
function environmentCertificates(): string[] {
  try {
    return readCertificates(process.env.NODE_EXTRA_CA_CERTS ?? '').map((one) => one.toString())
  } catch {
    return []
  }
}

/**
 * Node's own list with NODE_EXTRA_CA_CERTS. Before 22.15 it is put together here, without the certificates that
 * `--use-openssl-ca` stands for: Node does not name them.
 */
const usualCertificates = (): readonly string[] =>
  listCertificates?.('default') ?? [...tls.rootCertificates, ...environmentCertificates()]

function makeContext(): SecureContext | null {
  const usual = new Set(usualCertificates())
  const all = new Set([...usual, ...systemCertificates(), ...[...named.values()].flat()])
  return all.size === usual.size ? null : tls.createSecureContext({ ca: [...all] })
}

/**
 * Authorities for TLS connections to other servers: Node's own list with NODE_EXTRA_CA_CERTS, the
 * system's, and those that were named. Undefined where Node's own list is all; the first call may take 0.2 s.
 */
export function trustContext(): SecureContext | undefined {
  if (context === undefined) context = makeContext()
  return context ?? undefined
}

/** For libraries that make their connections themselves; undefined where Node's own way will do. */
export function trustingAgent(): https.Agent | undefined {
  const secureContext = trustContext()
  return secureContext && new https.Agent({ secureContext })
}
