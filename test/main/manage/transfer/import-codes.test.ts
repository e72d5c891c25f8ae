import { expect, test } from 'vitest'
import { spendCode } from '../../../../main/store/payment/redemption-codes.ts'
import { type Management, startManagement, verifyOwner } from '../management.ts'
import { previewed } from './filled-gateway.ts'

const code = (digit: string, quota = 500) => ({ code: digit.repeat(32), name: 'gift', quota })

/** An export with these codes, and a setting beside them. */
const fileOf = (...codes: object[]) =>
  JSON.stringify({
    ...{ kind: 'switchyard-export', version: 1, exported_at: '', switchyard: '', parts: [] },
    data: { codes, settings: { RetryTimes: 7 } },
  })

const apply = ({ owner }: Management, { preview_id, items }: { preview_id: string; items: [] }) =>
  owner.send('POST', '/api/transfer/apply', {
    preview_id,
    items: items.map(({ id }: { id: string }) => id),
  })

async function start() {
  const management = await startManagement()
  await verifyOwner(management.owner)
  const { ledger, settings } = management.gateway.parts
  const codes = () =>
    ledger.read('SELECT code, quota FROM redemption_codes WHERE deleted_at = 0 ORDER BY id')
  return { management, codes, settings }
}

test('a code that was deleted here stays so, and the rest of the file is imported', async () => {
  const { management, codes, settings } = await start()
  const { owner } = management
  const first = await previewed(management, fileOf(code('a'), code('b')))
  await apply(management, first.data)
  await owner.send('PUT', '/api/redemption?status_only=1', { id: 1, status: 2 })
  await owner.send('DELETE', '/api/redemption/1')
  settings.update({ RetryTimes: 2 })
  const { data } = await previewed(management, fileOf(code('a'), code('c')))
  expect(data.items).toMatchObject([
    { part: 'settings' },
    { state: 'same', detail: 'deleted here: stays deleted' },
    { state: 'new', detail: '' },
  ])
  expect((await apply(management, data)).body.message).toBe('')
  expect(codes().map((row) => row.code)).toEqual(['b'.repeat(32), 'c'.repeat(32)])
  expect(settings.current.RetryTimes).toBe(7)
})

test('a code that was redeemed here is told as used, also after it was cleared away', async () => {
  const { management, codes } = await start()
  const { owner, gateway } = management
  await apply(management, (await previewed(management, fileOf(code('a'), code('b')))).data)
  gateway.parts.ledger.transact((transaction) => {
    spendCode(transaction, { id: 1, usedUserId: 1, now: 1000 })
  })
  expect((await owner.send('DELETE', '/api/redemption/invalid', {})).body.data).toBe(1)
  const { data } = await previewed(management, fileOf(code('a')))
  expect(data.items.at(-1)).toMatchObject({ state: 'same', detail: 'already used' })
  expect(codes().map((row) => row.code)).toEqual(['b'.repeat(32)])
})

test('a code that is here and can be redeemed is the same, with nothing to tell of it', async () => {
  const { management, codes } = await start()
  await apply(management, (await previewed(management, fileOf(code('a')))).data)
  const { data } = await previewed(management, fileOf(code('a')))
  expect(data.items.at(-1)).toMatchObject({ state: 'same', detail: '' })
  expect(codes()).toHaveLength(1)
})

test('of a code that a file holds twice the first counts', async () => {
  const { management, codes } = await start()
  const { data } = await previewed(management, fileOf(code('a', 5), code('a', 900)))
  expect(data.items.at(-1)).toMatchObject({
    ...{ state: 'same', detail: 'twice in the file: the first counts' },
  })
  expect((await apply(management, data)).status).toBe(200)
  expect(codes()).toEqual([{ code: 'a'.repeat(32), quota: 5 }])
})

test('codes that another preview brought in meanwhile are told as such', async () => {
  const { management, codes } = await start()
  const text = JSON.stringify({ ...JSON.parse(fileOf()), data: { codes: [code('a')] } })
  const [one, other] = [await previewed(management, text), await previewed(management, text)]
  expect((await apply(management, one.data)).status).toBe(200)
  const { status, body } = await apply(management, other.data)
  expect([status, body.reason]).toEqual([409, { code: 'changed_since_preview' }])
  // It may have been pasted: no file is asked for.
  expect(body.message).not.toContain('file')
  expect(codes()).toHaveLength(1)
})
