import { expect, test } from 'vitest'
import type { GatewayParts } from '../../../../main/manage/gateway-parts.ts'
import { redirectUrl } from '../../../../main/manage/payment/redirect-url.ts'

test.each(['0.0.0.0', '::'])(
  'a buyer is sent to no address such as %s, which leads nowhere',
  (host) => {
    const address = () => ({ host, port: 8080, url: `http://${host}:8080` })
    const settings = { current: { ServerAddress: '', AllowedHosts: [] } }
    const parts = { address, settings } as unknown as GatewayParts
    expect(redirectUrl('success_url', undefined, parts)).toBe(
      'http://127.0.0.1:8080/console/payments',
    )
  },
)
