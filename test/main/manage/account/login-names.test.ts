import { describe, expect, test } from 'vitest'
import { startManagement } from '../management.ts'
import { PASSWORD } from '../users/people.ts'

describe('a new user name', () => {
  test.each([
    ['full-width letters', 'ｂｏｂ'],
    ['capitals', 'BOB'],
    ['Cyrillic letters', 'вов'],
    ['an e-mail of somebody else', 'eve@example.org'],
    ['that e-mail in capitals', 'EVE@example.org'],
  ])('that passes for another one by %s is taken', async (_, username) => {
    const { owner, gateway } = await startManagement()
    gateway.parts.users.create({ username: 'bob' })
    gateway.parts.users.create({ username: 'carol', email: 'eve@example.org' })
    const { status, body } = await owner.send('POST', '/api/user', { username, password: PASSWORD })
    expect([status, body.code, body.field]).toEqual([409, 'conflict', 'username'])
  })

  test.each([
    ['a zero-width space', 'bob\u200b', /invisible/],
    ['a soft hyphen', 'bo\u00adb', /invisible/],
    ['a mark that turns the reading round', '\u202ebob', /invisible/],
    ['letters of two scripts', 'pаypal', /mix Latin, Cyrillic and Greek/],
  ])('with %s is refused, wherever it is given', async (_, username, words) => {
    const { owner, visitor, gateway } = await startManagement()
    gateway.parts.settings.update({ RegisterEnabled: true })
    const named = { username, password: PASSWORD }
    for (const answer of [
      await owner.send('POST', '/api/user', named),
      await owner.send('PUT', '/api/user/self', { username }),
      await visitor().send('POST', '/api/user/register', named),
    ]) {
      expect([answer.status, answer.body.field]).toEqual([400, 'username'])
      expect(answer.body.message).toMatch(words)
    }
  })

  test.each(['боб', 'Ελένη', '小明', 'josé', 'bob1', 'がか'])(
    '%s is a good one',
    async (username) => {
      const { owner, gateway } = await startManagement()
      gateway.parts.users.create({ username: 'bob' })
      gateway.parts.users.create({ username: 'jose' })
      const { status } = await owner.send('POST', '/api/user', { username, password: PASSWORD })
      expect(status).toBe(200)
    },
  )
})

test("an e-mail that is somebody's user name is taken; that of a deleted user is free", async () => {
  const { owner, gateway } = await startManagement()
  gateway.parts.users.create({ username: 'eve@example.org' })
  const carol = gateway.parts.users.create({ username: 'carol', email: 'carol@example.org' })
  gateway.parts.users.remove(carol.id)
  const make = (email: string) =>
    owner.send('POST', '/api/user', { username: 'dan', password: PASSWORD, email })
  const taken = await make('Eve@example.org')
  expect([taken.status, taken.body.field]).toEqual([409, 'email'])
  expect((await make('carol@example.org')).status).toBe(200)
})

test('an e-mail that two users have since long lets in neither, and each by the own name', async () => {
  const { gateway } = await startManagement()
  const { users, state } = gateway.parts
  users.create({ username: 'eve', email: 'shared@example.org' })
  users.create({ username: 'dan' })
  state.update((draft) => {
    for (const user of draft.users) if (user.username === 'dan') user.email = 'shared@example.org'
  })
  expect(users.byLogin('shared@example.org')).toBeUndefined()
  expect(users.byLogin('dan')?.username).toBe('dan')
})
