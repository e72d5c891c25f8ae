import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An authority that nobody knows, and the certificate of a server that it signed. */
export interface OwnAuthority {
  /** PEM of the authority. */
  ca: string
  /** PEM of the server for 127.0.0.1, localhost and vendor.test. */
  server: { key: string; cert: string }
}

/** Made by openssl, for two days. */
export function makeAuthority(name = 'Test authority'): OwnAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-authority-'))
  const at = (file: string) => join(folder, file)
  const read = (file: string) => readFileSync(at(file), 'utf8')
  const openssl = (...words: string[]) =>
    execFileSync('openssl', words, { stdio: 'ignore', cwd: folder })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:vendor.test\n')
    openssl(
      ...['req', '-x509', ...newKey, '-subj', `/CN=${name}`, '-days', '2'],
      ...['-keyout', 'ca.key', '-out', 'ca.pem'],
    )
    openssl('req', ...newKey, '-subj', '/CN=vendor', '-keyout', 'key.pem', '-out', 'request.pem')
    openssl(
      ...['x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
      ...['-CAcreateserial', '-days', '2', '-extfile', 'names', '-out', 'cert.pem'],
    )
    return { ca: read('ca.pem'), server: { key: read('key.pem'), cert: read('cert.pem') } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
