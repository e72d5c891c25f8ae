import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority } from '../../../support/network/own-authority.ts'
import { startTlsFront } from '../../../support/network/tls-front.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { OWNER, startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'

const { ca, server } = makeAuthority()
/** From 2020, for "Old authority"; nobody has its key. */
const expired = `-----BEGIN CERTIFICATE-----
MIIBTzCB96ADAgECAgEBMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDU9sZCBhdXRo
b3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAYMRYwFAYDVQQD
DA1PbGQgYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJTk6WpeF
EvDakghrzf3yZKiaT5vmI03+/WYi7VKQtNkXwwjVFRq4OB7EEYdS9bf5QkdtlJST
hIMrPfHQrVuCRqMyMDAwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUSJU5e7FC
TQNZHcLKC5nm9gpcYcswCgYIKoZIzj0EAwIDRwAwRAIgfrl664X6xZVK0ZQx882W
vLdX+OU01OVf7wVLylxhCZgCIBQSARDWKIdETejreQhlAyZJudf6eSSYT4vdny7S
TiXe
-----END CERTIFICATE-----
`

const put = (visitor: Visitor, value: unknown) =>
  visitor.send('PUT', '/api/option/', { key: 'ExtraCaCertificates', value })

const verify = (visitor: Visitor) =>
  visitor.send('POST', '/api/verify', { method: 'password', code: OWNER.password })

function file(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('only the owner says who is trusted with the keys, and shows the password first', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const admin = await signInAs(management, { username: 'bob', role: 10 })
  expect((await put(admin, ca)).body.code).toBe('forbidden')
  expect((await put(owner, ca)).body.code).toBe('VERIFICATION_REQUIRED')
  const { data: token } = (await owner.get('/api/user/token')).body
  const script = await management.visitor().send(
    'PUT',
    '/api/option/',
    { key: 'ExtraCaCertificates', value: ca },
    {
      authorization: `Bearer ${token}`,
    },
  )
  expect(script.status).toBe(403)
  expect(gateway.parts.settings.current.ExtraCaCertificates).toBe('')
  await verify(owner)
  expect((await put(owner, ca)).status).toBe(200)
  expect(gateway.parts.settings.current.ExtraCaCertificates).toBe(ca)
})

const cutOff = ca.slice(0, ca.length / 2)
const garbled = ca.replace(/\n[A-Za-z]{4}/, '\nAAAA')

test.each([
  ['a word', 'certificates', /must be the absolute path of a file, or certificates in PEM/],
  ['a relative path', './ca.pem', /must be the absolute path/],
  ['a file that is not there', '/nowhere/ca.pem', /^The file \/nowhere\/ca.pem .* does not exist/],
  ['a folder', tmpdir(), /is not a file: enter the path of a file/],
  ['PEM that is cut off', cutOff, /holds a certificate that is cut off/],
  ['PEM that is garbled', garbled, /its certificate cannot be read/],
  ['one that is garbled behind a good one', ca + garbled, /certificate 2 of 2 cannot be read/],
  ['a key', `${server.key}${ca}`, /holds a private key: enter only the certificates/],
  ['other PEM', '-----BEGIN PUBLIC KEY-----\n', /holds no certificate/],
  [
    'a server’s certificate',
    server.cert,
    /holds only a server's certificate \(vendor\).*Test authority/,
  ],
  ['one that has expired', expired, /only expired certificates: Old authority \(until 20/],
])('%s is refused, and why is said', async (_, value, sentence) => {
  const { owner, gateway } = await startManagement()
  await verify(owner)
  const { status, body } = await put(owner, value)
  expect([status, body.code, body.field]).toEqual([400, 'invalid_params', 'ExtraCaCertificates'])
  expect(body.message).toMatch(sentence)
  expect(gateway.parts.settings.current.ExtraCaCertificates).toBe('')
})

test('a file in binary form is taken, and one that is gone or expires later is told of', async () => {
  const path = file('authority.cer', new X509Certificate(ca).raw)
  const { owner, gateway } = await startManagement()
  await verify(owner)
  expect((await put(owner, path)).status).toBe(200)
  const warnings = async (): Promise<string[]> =>
    (await owner.get('/api/diagnostics/health')).body.data.warnings
      .filter(({ code }: { code: string }) => code === 'extra_certificates')
      .map(({ message }: { message: string }) => message)
  expect(await warnings()).toEqual([])
  gateway.parts.settings.update({ ExtraCaCertificates: '/nowhere/ca.pem' })
  expect(await warnings()).toEqual([expect.stringContaining('does not exist')])
  expect((await put(owner, `${ca}${expired}`)).status).toBe(200)
  expect(await warnings()).toEqual([
    expect.stringMatching(/^Expired certificates .*Old authority \(until/),
  ])
})

test('vendors’ model lists and payment providers are asked under the same certificates', async () => {
  const upstream = await startUpstream(({ url }) =>
    url.includes('/models') ? { body: { data: [{ id: 'gpt-a' }] } } : { body: { id: 'x' } },
  )
  const front = await startTlsFront(upstream.url, server)
  onTestFinished(async () => void (await Promise.all([upstream.close(), front.close()])))
  const payments = { stripeUrl: front.url, creemUrl: front.url }
  const { owner, gateway } = await startManagement({ payments })
  gateway.parts.settings.update({
    ...{ StripeApiSecret: 'sk_test_1', StripePriceId: 'price_1', CreemApiKey: 'creem_1' },
    CreemProducts: [
      { productId: 'prod_1', name: 'Ten', price: 10, currency: 'USD', quota: 5_000_000 },
    ],
  })
  const ask = async () => {
    const draft = { type: 1, key: 'vendor-key', base_url: front.url }
    await owner.send('POST', '/api/channel/fetch_models', draft)
    await owner.send('POST', '/api/user/stripe/pay', { amount: 2, payment_method: 'stripe' })
    await owner.send('POST', '/api/user/creem/pay', { product_id: 'prod_1' })
    return upstream.requests.map(({ url }) => url.replace(/\?.*/, ''))
  }
  expect(await ask()).toEqual([])
  gateway.parts.settings.update({ ExtraCaCertificates: ca })
  expect(new Set(await ask())).toEqual(
    new Set(['/v1/models', '/v1/checkout/sessions', '/v1/checkouts']),
  )
})
