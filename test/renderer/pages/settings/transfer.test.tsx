import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { itemNotes } from '../../../../main/manage/transfer/part/item-notes.ts'
import { leftOutBecause } from '../../../../main/transfer/from/report/left-out-because.ts'
import { reasonTexts, subjectTexts } from '../../../../main/transfer/from/report/left-out-texts.ts'
import { TRANSFER_PARTS } from '../../../../main/transfer/transfer.ts'
import { importReport } from '../../../../renderer/i18n/english/settings/import-report.ts'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const change = (field: string, from: string, to: string) => ({ field, from, to })
const changing = (...changes: object[]) => ({ detail: '', changes, notes: [] })

const preview = {
  from: 'switchyard',
  preview_id: 'one',
  items: [
    {
      ...{ id: '0', part: 'channels', name: 'Local', state: 'changed', ticked: true },
      ...changing(change('priority', '3', '9')),
    },
    {
      ...{ id: '1', part: 'channels', name: 'Vendor', state: 'conflict', ticked: false },
      ...changing(change('base_url', 'https://a.example.com', 'https://b.example.com')),
    },
    {
      ...{ id: '2', part: 'tokens', name: 'laptop', state: 'same', ticked: false },
      ...changing(),
    },
  ],
  left_out: [{ name: 'settings: Old', reason: 'This version has no such setting.', coded: null }],
}
const restore = 'npm run gateway -- --data-dir /data --restore FILE'
const backups = { folder: '/data/backups', key: 'file', restore, backups: [] }

const last = { undo_id: 'back', at: 1_790_000_000, from: 'switchyard', added: 0, changed: 2 }

test('an import shows what it would do, and sends what was chosen', async () => {
  let isApplied = false
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => preview,
    'transfer.apply': () => {
      isApplied = true
      return { applied: [{ part: 'channels', added: 0, changed: 2 }], undo_id: 'back' }
    },
    'transfer.last': () => (isApplied ? { ...last, blocked: null } : null),
    'transfer.undo': () => undefined,
  })
  const user = renderConsole(client, '/settings/transfer')
  fireEvent.change(await screen.findByLabelText('File contents'), { target: { value: '{}' } })
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText(/This version has no such setting/)
  screen.getByText(/: 3 → 9/)
  const boxes = ['Local', 'Vendor'].map((name) =>
    screen.getByRole('checkbox', { name: `Import ${name}` }),
  )
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, false])
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Conflict of Vendor' }),
    'Replace mine',
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

test('an import of before is there to be undone, or says why it can’t be', async () => {
  let blocked: string | null = null
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.last': () => ({ ...last, blocked }),
  })
  const first = renderConsole(client, '/settings/transfer')
  await screen.findByText('Imported: 0 added, 2 changed.')
  await first.click(screen.getByRole('link', { name: 'Overview' }))
  blocked = 'channels'
  await waitFor(() => expect(screen.queryByText('Imported: 0 added, 2 changed.')).toBeNull())
  await first.click(screen.getByRole('link', { name: 'Settings' }))
  await first.click(await screen.findByRole('radio', { name: 'Import and export' }))
  await screen.findByText(/Can’t be undone: channels were changed since/)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('an export offers each part, routes too', async () => {
  const sent: string[][] = []
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.last': () => null,
    'transfer.export': ({ parts }: { parts: string[] }) => {
      sent.push(parts)
      return { name: 'switchyard.json', text: '{}', left_out: [] }
    },
  })
  const user = renderConsole(client, '/settings/transfer')
  await screen.findByText(restore)
  await user.click(screen.getByRole('checkbox', { name: 'Users' }))
  await user.type(screen.getByLabelText('Passphrase'), 'long enough')
  await user.click(screen.getByRole('checkbox', { name: 'Codes' }))
  await user.click(screen.getByRole('button', { name: 'Save file' }))
  await waitFor(() => expect(sent[0]?.toSorted()).toEqual(TRANSFER_PARTS.toSorted()))
})

test('an export names what it left out', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test')
  // Here a click on a link would leave the page; a browser saves the file.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.export': () => ({
      ...{ name: 'x.json', text: '{}' },
      left_out: [
        { part: 'channels', name: 'Vendor', field: 'header_override.X-Key', reason: 'secret' },
      ],
    }),
  })
  const user = renderConsole(client, '/settings/transfer')
  await user.click(await screen.findByRole('button', { name: 'Save file' }))
  await screen.findByText(/Vendor/)
  screen.getByText(/header_override.X-Key/)
  screen.getByText(/may be secret. A file with a passphrase has it/)
})

test('codes can be ticked only with a passphrase, and the page says where the key of a backup lies', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
  })
  const user = renderConsole(client, '/settings/transfer')
  const codes = await screen.findByRole('checkbox', { name: 'Codes' })
  expect(codes).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Passphrase'), 'long enough')
  expect(codes).toHaveProperty('disabled', false)
  await screen.findByText(/A backup contains the key/)
})

test('a running new-api is previewed by its address and access token, and a refusal stands at its field', async () => {
  let isRefused = true
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () =>
      isRefused ? refuse('new-api refused the access token.', 'access_token') : preview,
  })
  const user = renderConsole(client, '/settings/transfer')
  await user.click(await screen.findByRole('radio', { name: 'new-api or one-api' }))
  const look = screen.getByRole('button', { name: 'Preview' })
  expect(look).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Address'), 'https://gateway.example.com')
  await user.type(screen.getByLabelText('Access token'), 'token-of-mine')
  await user.type(screen.getByLabelText('User ID'), '7')
  await user.click(look)
  const field = screen.getByLabelText('Access token')
  await screen.findByText('new-api refused the access token.')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  // Typed text stays.
  expect(field).toHaveProperty('value', 'token-of-mine')
  isRefused = false
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText(/This version has no such setting/)
  expect(client.calls.findLast(({ name }) => name === 'transfer.preview')?.input).toEqual({
    ...{ from: 'new-api', address: 'https://gateway.example.com' },
    ...{ access_token: 'token-of-mine', user_id: 7 },
  })
})

async function chooseFile(name: string, text: string) {
  fireEvent.drop(await screen.findByText('File or link'), {
    dataTransfer: { files: [new File([text], name)] },
  })
  await screen.findByText(name)
}

/** Whether closing the tab asks. */
const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('leaving asks about what was ticked and chosen in a preview, and not about a preview as it came', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => preview,
    'transfer.apply': () => ({ applied: [], undo_id: 'back' }),
    'transfer.last': () => ({ ...last, blocked: null }),
  })
  const user = renderConsole(client, '/settings/transfer')
  await chooseFile('mine.json', '{}')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const box = await screen.findByRole('checkbox', { name: 'Import Local' })
  await waitFor(() => expect(asks()).toBe(false))
  await user.click(box)
  await user.click(screen.getByRole('link', { name: 'Overview' }))
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  await user.click(screen.getByRole('checkbox', { name: 'Import Local' }))
  await waitFor(() => expect(asks()).toBe(false))
  const conflict = screen.getByRole('combobox', { name: 'Conflict of Vendor' })
  await user.selectOptions(conflict, 'Replace mine')
  await waitFor(() => expect(asks()).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Import 2 items' }))
  await screen.findByText('Imported: 0 added, 2 changed.')
  await waitFor(() => expect(asks()).toBe(false))
})

test('what was imported is no edit any more, whatever source is looked at next, until it is typed anew', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => preview,
    'transfer.apply': () => ({ applied: [], undo_id: 'back' }),
    'transfer.last': () => ({ ...last, blocked: null }),
  })
  const user = renderConsole(client, '/settings/transfer')
  const text = async () => screen.findByLabelText('File contents')
  fireEvent.change(await text(), { target: { value: '{}' } })
  await waitFor(() => expect(asks()).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await user.click(await screen.findByRole('button', { name: 'Import 1 item' }))
  await screen.findByText('Imported: 0 added, 2 changed.')
  await user.click(screen.getByRole('radio', { name: 'Database' }))
  await waitFor(() => expect(asks()).toBe(false))
  await user.click(screen.getByRole('radio', { name: 'File or link' }))
  await waitFor(() => expect(asks()).toBe(false))
  fireEvent.change(await text(), { target: { value: '{ }' } })
  await waitFor(() => expect(asks()).toBe(true))
})

test('a preview that comes after another source was chosen is not shown, and counts nothing as imported', async () => {
  let give: (value: typeof preview) => void = () => {}
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => new Promise<typeof preview>((resolve) => (give = resolve)),
    'transfer.last': () => null,
  })
  const user = renderConsole(client, '/settings/transfer')
  fireEvent.change(await screen.findByLabelText('File contents'), { target: { value: '{}' } })
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await waitFor(() => expect(client.calls.map(({ name }) => name)).toContain('transfer.preview'))
  await user.click(screen.getByRole('radio', { name: 'Database' }))
  await act(async () => give(preview))
  expect(screen.queryByText(/This version has no such setting/)).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'File or link' }))
  await screen.findByLabelText('File contents')
  await waitFor(() => expect(asks()).toBe(true))
})

test('a passphrase is an edit only while its file takes one', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
  })
  const user = renderConsole(client, '/settings/transfer')
  await chooseFile('sealed.json', '{"sealed":{}}')
  const [field] = screen.getAllByLabelText('Passphrase')
  await user.type(field as HTMLElement, 'long enough')
  await waitFor(() => expect(asks()).toBe(true))
  await chooseFile('plain.json', '{}')
  await waitFor(() => expect(asks()).toBe(false))
})

test('what stays behind and what is left to do is told in Chinese too', async () => {
  const client = createFakeGateway({
    'backup.list': () => backups,
    'transfer.found': () => ({ found: [] }),
    'transfer.preview': () => ({
      ...preview,
      items: [
        {
          ...{ id: '0', part: 'channels', name: 'Relay', state: 'new' },
          ...{ ticked: true, detail: '', changes: [] },
          notes: [{ code: 'header_again', of: 'X-Key' }],
        },
      ],
      left_out: [
        leftOutBecause(['models', 'Relay'], ['some_models', { vendor: 'OpenAI' }]),
        leftOutBecause('PROXY_URL', 'enter_proxy'),
        {
          ...{ name: 'channels: Work', reason: 'The field "models" must be a list.', coded: null },
          refused: {
            ...{ part: 'channels', name: 'Work', field: 'models' },
            reason: { code: 'field_list' },
          },
        },
        {
          ...{ name: 'settings: Old', reason: 'This version has no such setting.', coded: null },
          refused: {
            ...{ part: 'settings', name: 'Old', field: null },
            reason: { code: 'setting_unknown' },
          },
        },
      ],
    }),
  })
  const user = renderConsole(client, '/settings/transfer', undefined, 'zh')
  fireEvent.change(await screen.findByLabelText('文件内容'), { target: { value: '{}' } })
  await user.click(screen.getByRole('button', { name: '预览' }))
  await screen.findByText(
    'Relay 的模型: 没有写明模型。已填入 OpenAI 的几个模型。请在渠道中获取厂商的列表。',
  )
  await screen.findByText('PROXY_URL: 请在设置或渠道中填写代理。')
  await screen.findByText('请求头 X-Key：请重新填写')
  await screen.findByText('渠道: Work: “models”必须是列表。')
  await screen.findByText('设置: Old: 此版本没有这个设置。')
})

test('the console’s words for what stays behind are the gateway’s', () => {
  const plain = (texts: object) =>
    Object.values(texts).map((text: string) => text.replace(/\{\{?(\w+)\}?\}/g, '{$1}'))
  expect(plain(importReport)).toEqual([
    ...plain(subjectTexts),
    ...plain(reasonTexts),
    ...plain(itemNotes),
  ])
})
