import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { tokenRecord } from './token-records.ts'

const record = tokenRecord()

const list = (items: unknown[]) => ({ page: 1, page_size: 50, total: items.length, items })

test('a new token’s key is shown once, to be copied and in a ready command, and is gone after Done', async () => {
  const key = 'sk-0123456789abcdef'
  const gateway = createFakeGateway({
    'token.list': () => list([record]),
    'token.create': () => ({ ...record, key }),
  })
  const user = renderConsole(gateway, '/connect/tokens?new=1')
  await user.type(await screen.findByLabelText('Name'), 'laptop')
  const drawer = screen.getByRole('dialog')
  await user.click(within(drawer).getByRole('button', { name: 'Create token' }))

  expect((await screen.findByLabelText('Key')).textContent).toBe(key)
  await user.click(screen.getByRole('button', { name: 'Copy: Key' }))
  expect(await navigator.clipboard.readText()).toBe(key)
  const command = screen.getByLabelText('Command for Claude Code').textContent
  expect(command).toContain(`export ANTHROPIC_AUTH_TOKEN="${key}"`)
  expect(command).toContain('export ANTHROPIC_BASE_URL="http://127.0.0.1:4747"')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(document.body.textContent).not.toContain(key))
})

test('after the dialog with a new token’s key the focus is where it was before the form', async () => {
  const gateway = createFakeGateway({
    'token.list': () => list([record]),
    'token.create': () => ({ ...record, key: 'sk-0123456789abcdef' }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  const create = await screen.findByRole('button', { name: 'Create token' })
  await user.click(create)
  await user.type(await screen.findByLabelText('Name'), 'laptop{Enter}')
  await screen.findByLabelText('Key')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(create))
})

test('what a token has used is never more certain than its calls: unpriced, at least, about', async () => {
  const used = (id: number, name: string, fields: object) =>
    tokenRecord({ id, name, accessed_time: 1_764_000_000, ...fields })
  const tokens = [
    used(1, 'failed', {}),
    used(2, 'local', { unpriced_calls: 3 }),
    used(3, 'mixed', { used_quota: 500_000, unpriced_calls: 1 }),
    used(4, 'silent', { used_quota: 500_000, estimated_calls: 1 }),
  ]
  renderConsole(createFakeGateway({ 'token.list': () => list(tokens) }), '/connect/tokens')
  const costs = []
  for (const { name } of tokens) {
    const row = (await screen.findByRole('button', { name })).closest('tr') as HTMLElement
    costs.push(/unpriced|(≥ |≈ )?\$[\d.]+/.exec(row.textContent ?? '')?.[0])
  }
  expect(costs).toEqual(['$0.00', 'unpriced', '≥ $1.00', '≈ $1.00'])
})

test('Codex gets a command with a provider of its own', async () => {
  const gateway = createFakeGateway({
    'token.list': () => list([record]),
    'token.reveal': () => ({ key: 'sk-whole' }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('button', { name: 'Show key of laptop' }))
  await user.click(await screen.findByRole('tab', { name: 'Codex' }))
  const command = (await screen.findByLabelText('Command for Codex')).textContent
  expect(command).toContain('export SWITCHYARD_TOKEN="sk-whole"')
  expect(command).toContain('wire_api=responses')
  expect(command).toContain('base_url=http://127.0.0.1:4747/v1')
})

test.each([
  [true, 'gpt-5'],
  [false, 'echo'],
])('a command names a model of the token’s limits only while they count (%s)', async (...row) => {
  const [isLimited, model] = row
  const limited = tokenRecord({ model_limits_enabled: isLimited, model_limits: 'gpt-5,glm-5' })
  const gateway = createFakeGateway({
    'token.list': () => list([limited]),
    'token.reveal': () => ({ key: 'sk-whole' }),
  })
  const user = renderConsole(gateway, '/connect/tokens')
  await user.click(await screen.findByRole('button', { name: 'Show key of laptop' }))
  await user.click(await screen.findByRole('tab', { name: 'cURL' }))
  const command = await screen.findByLabelText('Command for cURL')
  await waitFor(() => expect(command.textContent).toContain(`"model":"${model}"`))
})

test('limits are sent in the wire’s units', async () => {
  const gateway = createFakeGateway({ 'token.create': () => record })
  const user = renderConsole(gateway, '/connect/tokens?new=1')
  await user.type(await screen.findByLabelText('Name'), 'ci')
  await user.click(screen.getByLabelText('Limit spending'))
  const quota = await screen.findByLabelText('Remaining quota')
  await user.clear(quota)
  await user.type(quota, '2.5')
  const drawer = screen.getByRole('dialog')
  await user.click(within(drawer).getByRole('button', { name: 'Create token' }))
  await waitFor(() => expect(gateway.calls.some(({ name }) => name === 'token.create')).toBe(true))
  expect(gateway.calls.find(({ name }) => name === 'token.create')?.input).toMatchObject({
    name: 'ci',
    unlimited_quota: false,
    remain_quota: 1_250_000,
    expired_time: -1,
  })
})

test('a refusal at a field names it by its label, in the language of the console', async () => {
  const gateway = createFakeGateway({
    'token.create': () =>
      refuse('The field "name" cannot be empty.', 'name', 400, undefined, { code: 'field_empty' }),
  })
  const user = renderConsole(gateway, '/connect/tokens?new=1', undefined, 'zh')
  const drawer = await screen.findByRole('dialog')
  await user.click(within(drawer).getByRole('button', { name: '创建令牌' }))
  const name = within(drawer).getByLabelText('名称')
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
  expect(within(drawer).getByText('名称不能为空。')).toBeTruthy()
})

test('a name that is too long is told, and not cut', async () => {
  const user = renderConsole(createFakeGateway(), '/connect/tokens?new=1')
  const name = await screen.findByLabelText('Name')
  expect(screen.getByText('At most 50 characters.')).toBeTruthy()
  await user.click(name)
  await user.paste('n'.repeat(53))
  expect(name).toHaveProperty('value', 'n'.repeat(53))
  expect(screen.getByText('At most 50 characters: remove 3.')).toBeTruthy()
})

test('a name of the full length is not told to be too long', async () => {
  const user = renderConsole(createFakeGateway(), '/connect/tokens?new=1')
  const name = await screen.findByLabelText('Name')
  await user.click(name)
  await user.paste('n'.repeat(50))
  expect(name.getAttribute('aria-invalid')).not.toBe('true')
  expect(screen.queryByText(/remove/)).toBeNull()
})

test('a refused address list stays in its field', async () => {
  const gateway = createFakeGateway({
    'token.create': () => refuse('holds "nowhere", which is no address', 'allow_ips'),
  })
  const user = renderConsole(gateway, '/connect/tokens?new=1')
  const addresses = await screen.findByLabelText('Allowed addresses')
  await user.type(addresses, 'nowhere')
  const drawer = screen.getByRole('dialog')
  await user.click(within(drawer).getByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('holds "nowhere", which is no address')).toBeTruthy()
  expect(addresses).toHaveProperty('value', 'nowhere')
})

test.each([
  ['en', 'Allowed addresses', 'Create token'],
  ['zh', '允许的地址', '创建令牌'],
] as const)(
  'a refused address names the label of its field, not the field (%s)',
  async (...words) => {
    const [language, label, button] = words
    const gateway = createFakeGateway({
      'token.create': () => {
        throw new CallFailure({
          ...{ status: 400, code: 'invalid_params', field: 'allow_ips' },
          message: 'The field "allow_ips" holds "nowhere", which is no IPv4 or IPv6 address.',
          reason: { code: 'field_no_address', entry: 'nowhere' },
        })
      },
    })
    const user = renderConsole(gateway, '/connect/tokens?new=1', undefined, language)
    await user.type(await screen.findByLabelText(label), 'nowhere')
    const drawer = screen.getByRole('dialog')
    await user.click(within(drawer).getByRole('button', { name: button }))
    const said = await screen.findByText(/“nowhere”/)
    expect(said.textContent).toContain(label)
    expect(drawer.textContent).not.toContain('allow_ips')
  },
)

test('an edit sends only what was changed, also after the record was read again', async () => {
  // Half a minute past: the field of the form has no seconds.
  const stored = {
    ...record,
    unlimited_quota: false,
    remain_quota: 5_000_000,
    expired_time: 1_900_000_030,
  }
  let left = stored.remain_quota
  let isFull = true
  const gateway = createFakeGateway({
    'token.list': () => list([stored]),
    'token.get': () => ({ ...stored, remain_quota: left }),
    'token.update': () => (isFull ? refuse('The disk is full.', undefined, 507) : stored),
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  const drawer = await screen.findByRole('dialog')
  await user.type(await within(drawer).findByLabelText('Name'), ' 2')
  const save = () => user.click(within(drawer).getByRole('button', { name: 'Save' }))
  const inputs = (name: string) =>
    gateway.calls.filter((call) => call.name === name).map((call) => call.input)
  left = 1_000_000
  const reads = inputs('token.get').length
  await save()
  await within(drawer).findByText('The disk is full.')
  // After such a failure the record is read again.
  await waitFor(() => expect(inputs('token.get').length).toBeGreaterThan(reads))
  isFull = false
  await save()
  await waitFor(() => expect(inputs('token.update')).toHaveLength(2))
  expect(inputs('token.update').at(-1)).toEqual({ id: 3, name: 'laptop 2' })
})

test('a token that is opened again shows what it is now, not what it was at its last opening', async () => {
  const gateway = createFakeGateway({
    'token.list': () => list([record]),
    'token.get': () => record,
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  await screen.findByDisplayValue(record.name)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  gateway.answer('token.get', () => ({ ...record, name: 'changed elsewhere' }))
  await user.click(screen.getByRole('button', { name: record.name }))
  await screen.findByDisplayValue('changed elsewhere')
})

test('an emptied field of what is left is not sent as nothing left', async () => {
  const stored = { ...record, unlimited_quota: false, remain_quota: 5_000_000 }
  const gateway = createFakeGateway({
    'token.list': () => list([stored]),
    'token.get': () => stored,
    'token.update': () => stored,
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  await user.clear(await screen.findByLabelText('Remaining quota'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const update = () => gateway.calls.find(({ name }) => name === 'token.update')?.input
  await waitFor(() => expect(update()).toEqual({ id: 3 }))
})

test('an alias that a tool left behind is removed with its button, once the token is saved', async () => {
  const aliases = { 'claude-via-gpt-5': 'gpt-5', 'claude-via-glm-5': 'glm-5' }
  const gateway = createFakeGateway({
    'token.list': () => list([tokenRecord({ model_aliases: aliases })]),
    'token.get': () => tokenRecord({ model_aliases: aliases }),
    'token.update': () => record,
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  const drawer = within(await screen.findByRole('dialog'))
  await user.click(await drawer.findByRole('button', { name: 'Remove alias claude-via-gpt-5' }))
  expect(drawer.queryByText(/claude-via-gpt-5/)).toBeNull()
  const other = drawer.getByRole('button', { name: 'Remove alias claude-via-glm-5' })
  expect(document.activeElement).toBe(other)
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(gateway.calls.find(({ name }) => name === 'token.update')?.input).toEqual({
      id: 3,
      remove_aliases: ['claude-via-gpt-5'],
    }),
  )
})

test('a token that lost its last alias says so, and the focus stays there', async () => {
  const aliases = { one: 'gpt-5', two: 'glm-5' }
  const gateway = createFakeGateway({
    'token.list': () => list([tokenRecord({ model_aliases: aliases })]),
    'token.get': () => tokenRecord({ model_aliases: aliases }),
  })
  const user = renderConsole(gateway, '/connect/tokens?open=3')
  await user.click(await screen.findByRole('button', { name: 'Remove alias two' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove alias one' }))
  await user.keyboard('{Enter}')
  const group = screen.getByRole('group', { name: 'Aliases' })
  expect(group.textContent).toBe('No aliases left.')
  expect(document.activeElement).toBe(group)
})
