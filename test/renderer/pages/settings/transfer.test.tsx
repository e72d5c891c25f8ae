// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const preview = {
  from: 'switchyard',
  preview_id: 'one',
  items: [
    { id: '0', part: 'channels', name: 'Local', state: 'changed', detail: 'priority' },
    { id: '1', part: 'channels', name: 'Vendor', state: 'conflict', detail: 'base_url' },
    { id: '2', part: 'tokens', name: 'laptop', state: 'same', detail: '' },
  ],
  left_out: [{ name: 'settings: Old', reason: 'This version has no such setting.' }],
}
const backups = { folder: '/data/backups', key: 'file', backups: [] }

test('an import shows what it would do, and sends what was chosen', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.preview': () => preview,
    'transfer.apply': () => ({
      applied: [{ part: 'channels', added: 0, changed: 2 }],
      undo_id: 'back',
    }),
    'transfer.undo': () => undefined,
  })
  const user = renderConsole(client, '/settings/transfer')
  fireEvent.change(await screen.findByLabelText('File contents'), { target: { value: '{}' } })
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText(/This version has no such setting/)
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Conflict of Vendor' }),
    'Conflict: replace',
  )
  await user.click(screen.getByRole('button', { name: 'Import 2 items' }))
  await screen.findByText('Imported: 0 added, 2 changed.')
  const { calls } = client
  expect(calls).toContainEqual({
    name: 'transfer.apply',
    input: { preview_id: 'one', items: ['0', '1'], conflicts: { 1: 'replace' } },
  })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(calls).toContainEqual({ name: 'transfer.undo', input: { undo_id: 'back' } }),
  )
})

test('codes can be ticked only with a passphrase, and the page says where the key of a backup lies', async () => {
  const client = createFakeGateway({ 'backup.list': () => backups })
  const user = renderConsole(client, '/settings/transfer')
  const codes = await screen.findByRole('checkbox', { name: 'Codes' })
  expect(codes).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Passphrase'), 'long enough')
  expect(codes).toHaveProperty('disabled', false)
  await screen.findByText(/A backup contains the key/)
})
