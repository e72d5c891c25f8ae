import { redact } from '../base/log/redact.ts'

const SECRET_KEY =
  /((?:^|[\s{,])["']?(?:[\w-]*(?:key|token|secret|password|passphrase|authorization|credential)s?)["']?\s*[:=]\s*)("(?:[^"\\\r\n]|\\.)+"|'[^'\r\n]+'|[^\s"'{[,#]+)/gim

/** Two different secrets stay different, so that a diff shows their change. */
const masked = (secret: string) =>
  secret.length < 16 ? '…masked' : `${secret.startsWith('sk-') ? 'sk-' : ''}…${secret.slice(-4)}`

/** A configuration's text without secrets, ours and others'. Layout stays. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const own = known.reduce((left, secret) => left.replaceAll(secret, masked(secret)), text)
  const named = own.replace(SECRET_KEY, (_whole, name: string, written: string) => {
    const quote = /^["']/.exec(written)?.[0] ?? ''
    const inner = quote ? written.slice(1, -1) : written
    const isPlain = /^(?:\d+|true|false|null)$/i.test(inner) || inner.includes('…')
    return isPlain ? name + written : `${name}${quote}${masked(inner)}${quote}`
  })
  return redact(named)
}
