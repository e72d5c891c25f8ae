import { expect, test } from 'vitest'
import { isSameAddress } from '../../../main/connect/same-address.ts'

test.each(['http://localhost:4747', 'http://[::1]:4747/v1', 'http://127.0.0.1:4747/'])(
  'a tool that has %s points at this gateway',
  (address) => {
    expect(isSameAddress(address, 'http://127.0.0.1:4747')).toBe(true)
  },
)

test.each(['http://127.0.0.1:4748', 'https://127.0.0.1:4747', 'http://box:4747', 'no address'])(
  'a tool that has %s points elsewhere',
  (address) => {
    expect(isSameAddress(address, 'http://127.0.0.1:4747')).toBe(false)
  },
)
