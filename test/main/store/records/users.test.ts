import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSessions } from '../../../../main/store/records/sessions.ts'
import { createUsers } from '../../../../main/store/records/users.ts'
import { createSettings } from '../../../../main/store/state/settings.ts'
import { records } from './records.ts'

test('a user is found by name and access token, which is not readable in the file', () => {
  const first = records()
  const users = createUsers(first.state, first.box)
  const owner = users.create({ username: 'owner', role: 100 })
  expect(owner).toMatchObject({
    id: 1,
    displayName: 'owner',
    passwordHash: null,
    accessToken: null,
  })
  users.update(1, { accessToken: 'tok-plain', email: undefined })
  expect(users.byAccessToken('tok-plain')?.id).toBe(1)
  expect(users.byUsername('owner')?.email).toBe('')
  expect(readFileSync(join(first.folder, 'state.json'), 'utf8')).not.toContain('tok-plain')
  const lost = records(first.folder)
  expect(createUsers(lost.state, lost.box).byId(1)?.accessToken).toBeNull()
  expect(users.update(1, { accessToken: null }).accessToken).toBeNull()
  expect(users.byAccessToken('tok-plain')).toBeUndefined()
})

test('a name is taken once', () => {
  const { state, box } = records()
  const users = createUsers(state, box)
  users.create({ username: 'a' })
  users.create({ username: 'b' })
  expect(() => users.create({ username: 'a' })).toThrow('is taken')
  expect(() => users.update(2, { username: 'a' })).toThrow('is taken')
  expect(users.update(2, { username: 'b' }).username).toBe('b')
  for (const alike of ['A', '\uff21']) {
    expect(() => users.create({ username: alike })).toThrow('is taken')
  }
  expect(users.update(2, { username: 'B' }).username).toBe('B')
  expect(users.byUsername('b')?.id).toBe(2)
  // Older data may hold two names that differ only in case: each is found by its own.
  state.update((draft) => {
    Object.assign(draft.users[1] ?? {}, { username: 'A' })
  })
  expect([users.byUsername('a')?.id, users.byUsername('A')?.id]).toEqual([1, 2])
  expect(users.update(2, { username: 'A', remark: 'x' }).remark).toBe('x')
})

test('an import of many users reads each once, and not all of them anew for each', () => {
  const { state, box } = records()
  const open = vi.fn(box.open)
  const users = createUsers(state, { ...box, version: box.version, open })
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const count = 200
  state.together(() => {
    for (let index = 0; index < count; index++) {
      users.create({ username: `user${index}`, email: `${index}@example.com` })
    }
    expect(() => users.create({ username: 'USER7' })).toThrow('is taken')
    expect(() => users.create({ username: 'other', email: '7@Example.com' })).toThrow('e-mail')
    users.update(8, { email: 'new@example.com' })
    expect(users.create({ username: 'next', email: '7@example.com' }).id).toBe(count + 1)
  })
  expect(users.byUsername('user150')?.id).toBe(151)
  expect(users.all()).toHaveLength(count + 1)
  expect(open.mock.calls.length).toBeLessThan(3 * count)
  expect(normalize.mock.calls.length).toBeLessThan(30 * count)
})

test('a new password and the end of the sessions are one change, which a crash cannot part', () => {
  const { state, box } = records()
  const [users, sessions] = [createUsers(state, box), createSessions(state)]
  users.create({ username: 'ada' })
  const later = Math.floor(Date.now() / 1000) + 1000
  const kept = { userId: 1, data: {}, expiresAt: later }
  for (const id of ['here', 'elsewhere']) sessions.put({ ...kept, id })
  sessions.put({ ...kept, id: 'half', userId: 0, data: { pendingUserId: 1 } })
  sessions.put({ ...kept, id: 'of another', userId: 2 })
  let changes = 0
  state.onChange(() => changes++)
  users.update(1, { passwordHash: 'new' }, { exceptId: 'here' })
  expect(changes).toBe(1)
  const left = ['here', 'elsewhere', 'half', 'of another'].filter((id) => sessions.get(id))
  expect(left).toEqual(['here', 'of another'])
})

test('a session is kept over a start, its id only as a hash, and ends when it should', () => {
  const first = records()
  const sessions = createSessions(first.state)
  const later = Math.floor(Date.now() / 1000) + 1000
  sessions.put({ id: 'secret-1', userId: 1, data: { verifiedUntil: 5 }, expiresAt: later })
  sessions.put({ id: 'secret-2', userId: 1, data: {}, expiresAt: later })
  sessions.put({ id: 'secret-3', userId: 2, data: {}, expiresAt: later })
  expect(readFileSync(join(first.folder, 'state.json'), 'utf8')).not.toContain('secret-1')
  const again = createSessions(records(first.folder, first.key).state)
  expect(again.get('secret-1')).toMatchObject({
    id: 'secret-1',
    userId: 1,
    data: { verifiedUntil: 5 },
  })
  again.removeOfUser(1, 'secret-2')
  expect(again.get('secret-1')).toBeUndefined()
  expect(again.get('secret-2')?.userId).toBe(1)
  again.remove('secret-3')
  expect(again.get('secret-3')).toBeUndefined()
  again.put({ id: 'secret-2', userId: 1, data: {}, expiresAt: 1 })
  expect(again.get('secret-2')).toBeUndefined()
  again.removeExpired()
})

test('a session that only moves its end a little is not written again', () => {
  const { state } = records()
  const sessions = createSessions(state)
  const later = Math.floor(Date.now() / 1000) + 1000
  sessions.put({ id: 's', userId: 1, data: {}, expiresAt: later })
  const before = state.data
  sessions.put({ id: 's', userId: 1, data: {}, expiresAt: later + 5 })
  expect(state.data).toBe(before)
  sessions.put({ id: 's', userId: 1, data: { more: 1 }, expiresAt: later + 5 })
  expect(state.data).not.toBe(before)
})

test('settings have defaults, take right values, name wrong ones and keep unknown ones', () => {
  const first = records()
  first.state.update((draft) => {
    draft.settings.FromTheFuture = [1]
  })
  const settings = createSettings(first.state, first.box)
  expect(settings.current).toMatchObject({ RetryTimes: 2, SystemName: 'Switchyard', LogDays: 0 })
  settings.update({ RetryTimes: 4, AutomaticRetryStatusCodes: '429, 500-599', LogDays: undefined })
  expect(settings.current).toMatchObject({ RetryTimes: 4, LogDays: 0 })
  expect(settings.current).not.toHaveProperty('FromTheFuture')
  const refused = [
    { RetryTimes: -1 },
    { SystemName: 'a\r\nb' },
    { AutomaticRetryStatusCodes: 'all' },
  ]
  for (const fields of refused) {
    expect(() => settings.update(fields)).toThrow(Object.keys(fields)[0])
  }
  expect(() => settings.update({ Nonsense: 1 } as object)).toThrow('no option "Nonsense"')
  expect(first.state.data.settings).toEqual({
    ...{ FromTheFuture: [1], RetryTimes: 4 },
    AutomaticRetryStatusCodes: '429, 500-599',
  })
})
