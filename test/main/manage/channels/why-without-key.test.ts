import { expect, test } from 'vitest'
import { whyWithoutKey } from '../../../../main/manage/channels/why-without-key.ts'

const KEY = 'local-key-of-a-channel'

test('a key that a vendor quotes is taken out, however deep in the reason it stands', () => {
  const address = 'https://vendor.example'
  const said = `bad key ${KEY}`
  const why = {
    ...({ code: 'at_address', address } as const),
    why: { code: 'upstream_failed', why: said, system: '' } as const,
  }
  const cleaned = whyWithoutKey(why, KEY)
  expect(JSON.stringify(cleaned)).not.toContain(KEY)
  expect(cleaned).toMatchObject({ code: 'at_address', address, why: { code: 'upstream_failed' } })
})
