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
