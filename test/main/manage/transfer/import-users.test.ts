import { expect, test } from 'vitest'
import { startManagement, verifyOwner } from '../management.ts'
import { previewed } from './filled-gateway.ts'

const user = (username: string, email = '', fields: object = {}) => ({
  ...{ username, display_name: username, role: 1, disabled: false, email, group: 'default' },
  ...{ quota: 0, language: '', remark: '', password_hash: null, ...fields },
})

const fileOf = (...users: object[]) =>
  JSON.stringify({
    ...{ kind: 'switchyard-export', version: 1, exported_at: '', switchyard: '', parts: [] },
    data: { users },
  })

async function start(...here: { username: string; email?: string }[]) {
  const management = await startManagement()
  const { owner, gateway } = management
  await verifyOwner(owner)
  for (const one of here) gateway.parts.users.create(one)
  const plan = async (...users: object[]) => (await previewed(management, fileOf(...users))).data
  const apply = async ({ preview_id, items }: { preview_id: string; items: { id: string }[] }) =>
    (
      await owner.send('POST', '/api/transfer/apply', {
        preview_id,
        items: items.map(({ id }) => id),
      })
    ).body.message
  const emails = () =>
    gateway.parts.users
      .all()
      .flatMap((one) => (one.role === 100 ? [] : [[one.username, one.email]]))
  return { plan, apply, emails, users: gateway.parts.users }
}

const refusal = (name: string, code: string) => ({ refused: { name, reason: { code } } })

test('a name or e-mail that another user has is left out with the reason, and the rest is imported', async () => {
  const { plan, apply, emails } = await start({ username: 'bob', email: 'bob@example.com' })
  const preview = await plan(
    user('Carol', 'carol@example.com'),
    user('carol'),
    user('dave', 'bob@example.com'),
    user('erin', 'Carol@Example.com'),
    user('bob', 'carol@example.com'),
    user('frank', 'frank@example.com'),
  )
  expect(preview.left_out).toMatchObject([
    refusal('carol', 'name_taken'),
    refusal('dave', 'email_taken'),
    refusal('erin', 'email_taken'),
    refusal('bob', 'email_taken'),
  ])
  expect(preview.items.map(({ name }: { name: string }) => name)).toEqual(['Carol', 'frank'])
  expect(await apply(preview)).toBe('')
  expect(emails()).toEqual([
    ['bob', 'bob@example.com'],
    ['Carol', 'carol@example.com'],
    ['frank', 'frank@example.com'],
  ])
})

test('an e-mail that its user gives up in the same file is free', async () => {
  const { plan, apply } = await start({ username: 'bob' })
  const first = await plan(user('bob', 'team@example.com'))
  expect(await apply(first)).toBe('')
  const preview = await plan(user('bob'), user('dave', 'team@example.com'))
  expect(preview.left_out).toEqual([])
  expect(preview.items).toMatchObject([{ state: 'conflict' }, { state: 'new' }])
})

test('only the name of a deleted user is called reserved', async () => {
  const { plan, users } = await start({ username: 'peace' }, { username: 'gone' })
  users.remove(users.byUsername('gone')?.id ?? 0)
  // In Cyrillic letters.
  const { left_out } = await plan(user('gone'), user('реасе'))
  expect(left_out).toMatchObject([refusal('gone', 'name_reserved'), refusal('реасе', 'name_taken')])
})
