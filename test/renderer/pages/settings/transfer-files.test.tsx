import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const left = { name: 'settings: Old', reason: 'This version has no such setting.', coded: null }
const preview = { from: 'switchyard', preview_id: 'one', items: [], left_out: [left] }

const emptyGateway = () =>
  createFakeGateway({
    'backup.list': () => ({ folder: '/data/backups', key: 'file', restore: '', backups: [] }),
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => preview,
  })

test('a file that can’t be imported says why, and is not read where it is too large', async () => {
  const client = emptyGateway()
  renderConsole(client, '/settings/transfer')
  const place = await screen.findByText('File or link')
  const drop = (file: File) => fireEvent.drop(place, { dataTransfer: { files: [file] } })
  drop(new File(['\n'], 'nothing.json'))
  await screen.findByText('nothing.json is empty.')
  const huge = new File([''], 'huge.json')
  const text = vi.spyOn(huge, 'text')
  vi.spyOn(huge, 'size', 'get').mockReturnValue(31 * 1024 * 1024)
  drop(huge)
  await screen.findByText('huge.json is larger than 30 MiB, the most that can be imported.')
  expect(text).not.toHaveBeenCalled()
  const folder = new File([], 'folder')
  vi.spyOn(folder, 'text').mockRejectedValue(new DOMException('', 'NotFoundError'))
  drop(folder)
  await screen.findByText('folder can’t be read. Choose a file, not a folder.')
  expect(screen.getByRole('button', { name: 'Preview' })).toHaveProperty('disabled', true)
})

test('a long file isn’t put into the field, which would stop the page, and is read whole', async () => {
  const client = emptyGateway()
  const user = renderConsole(client, '/settings/transfer')
  const text = 'model_list: []\n'.repeat(40_000)
  fireEvent.drop(await screen.findByText('File or link'), {
    dataTransfer: { files: [new File([text], 'config.yaml')] },
  })
  await screen.findByText('config.yaml')
  const field = screen.getByPlaceholderText('Too long to show. Preview reads all of it.')
  expect(field).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText(/This version has no such setting/)
  const { calls } = client
  expect(calls.findLast(({ name }) => name === 'transfer.preview')?.input).toEqual({
    ...{ text, filename: 'config.yaml' },
  })
})

test('a file that is dropped on the page is read, and one that is a database is pointed to its place', async () => {
  const client = emptyGateway()
  const user = renderConsole(client, '/settings/transfer')
  const drop = (name: string, text: string) =>
    fireEvent.drop(screen.getByText('File or link'), {
      dataTransfer: { files: [new File([text], name)] },
    })
  await screen.findByText('File or link')
  drop('config.yaml', 'model_list: []')
  await screen.findByText('config.yaml')
  expect(screen.getByLabelText('File contents')).toHaveProperty('value', 'model_list: []')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await waitFor(() =>
    expect(client.calls).toContainEqual({
      name: 'transfer.preview',
      input: { text: 'model_list: []', filename: 'config.yaml' },
    }),
  )
  drop('cc-switch.db', 'SQLite format 3\0 and so on')
  await screen.findByText(/This file is a database/)
  await user.click(screen.getByRole('radio', { name: 'Database' }))
  await user.type(
    screen.getByRole('combobox', { name: 'Path on this machine' }),
    '~/.cc-switch/cc-switch.db{Enter}',
  )
  await waitFor(() =>
    expect(client.calls).toContainEqual({
      name: 'transfer.preview',
      input: { path: '~/.cc-switch/cc-switch.db' },
    }),
  )
})
