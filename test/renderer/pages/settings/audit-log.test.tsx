import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const event = {
  ...{ id: 7, user_id: 2, username: 'bob', created_at: 1_767_225_600, ip: '127.0.0.1' },
  ...{ content: '"bob" was disabled.', kind: 'admin', quota: 0, request_id: 'r7', by: 'ada' },
}
const pageOf = (items: object[], total = items.length) => ({
  ...{ page: 1, page_size: 20, total, items },
})

test('a few entries are listed with who did it, and without a filter that nobody needs', async () => {
  renderConsole(createFakeGateway({ 'audit.list': () => pageOf([event]) }), '/settings/security')
  const row = (await screen.findByText('"bob" was disabled.')).closest('tr')
  expect(row?.textContent).toContain('by ada')
  expect(row?.textContent).toContain('127.0.0.1')
  expect(screen.queryByRole('textbox', { name: 'Search the audit log' })).toBeNull()
})

test('to an administrator a credit says whose balance it changed, also after the user was deleted', async () => {
  const credit = { ...event, kind: 'top-up', content: 'Redeemed the code 1.', by: '' }
  const gone = { ...credit, id: 8, username: '', content: 'Paid with Stripe.' }
  const gateway = createFakeGateway({ 'audit.list': () => pageOf([credit, gone]) })
  renderConsole(gateway, '/settings/security')
  const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')?.textContent
  expect(await rowOf('Redeemed the code 1.')).toContain('Balance of bob')
  expect(await rowOf('Paid with Stripe.')).toContain('Balance of #2')
})

test('a user’s own credits need no name', async () => {
  const credit = { ...event, kind: 'claw-back', content: 'Taken back.', by: '' }
  const gateway = createFakeGateway({
    'user.self': () => ({ id: 2, username: 'bob', role: 1, has_password: true }),
    'audit.list': () => pageOf([credit]),
  })
  renderConsole(gateway, '/settings/security')
  const row = (await screen.findByText('Taken back.')).closest('tr')
  expect(row?.textContent).not.toContain('Balance of')
})

test('many entries can be searched, and words that fit none can be cleared', async () => {
  const gateway = createFakeGateway({
    'audit.list': (input) =>
      (input as { text: string }).text === '' ? pageOf([event], 40) : pageOf([]),
  })
  const user = renderConsole(gateway, '/settings/security')
  await user.type(await screen.findByRole('textbox', { name: 'Search the audit log' }), 'nothing')
  await screen.findByText('No entry matches')
  const asked = gateway.calls.filter(({ name }) => name === 'audit.list').at(-1)
  expect(asked?.input).toMatchObject({ text: 'nothing', p: 1 })
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(screen.queryByText('"bob" was disabled.')).toBeTruthy())
})
