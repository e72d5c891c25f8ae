import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate for 127.0.0.1 and vendor.test that nobody has signed but itself, made by openssl. */
export function makeSelfSigned(days = 2): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=vendor', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:vendor.test']
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', ...kind, ...names, '-days', String(days), '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
