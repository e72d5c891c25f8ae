import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { toolView } from '../connect/tool-views.ts'

const key = (id: string, fields: object = {}) => ({
  ...{ id, where: `Codex: /home/me/.codex/${id}.json`, vendor_type: 1, name: `Vendor ${id}` },
  ...{ masked_key: 'sk-…0001', base_url: 'https://api.example.com/v1', channel: null, needs: [] },
  ...fields,
})

const passed = {
  ...{ ok: true, models: ['m'], tested_model: 'm', ms: 40, status: 200, problem: null },
  ...{ step: 'call', keys: 1, refused_key: null },
}
const refused = {
  ...{ ok: false, models: null, tested_model: null, ms: 40, status: 401, step: 'models' },
  ...{ problem: 'Incorrect API key provided.', keys: 1, refused_key: null },
}

/** A gateway with an owner, no channel, and keys on its machine; the key `wrong` is refused. */
function firstRun(found: object[]) {
  let channels = 0
  return createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 1, total: channels, items: [] }),
    'transfer.found': () => ({ found }),
    'transfer.take': ({ ids, check }: { ids: string[]; check: boolean }) => {
      const [id = ''] = ids
      const isFine = id !== 'wrong'
      if (isFine || !check) channels++
      return {
        ids: isFine || !check ? [channels] : [],
        checks: check ? [{ id, name: id, check: isFine ? passed : refused }] : [],
      }
    },
  })
}

test('the first run offers the keys of the machine by their place, none ticked, and checks the ticked ones', async () => {
  const client = firstRun([key('a'), key('b', { channel: 'Mine' }), key('c')])
  const user = renderConsole(client, '/welcome')
  const list = await screen.findByRole('list', { name: 'Keys on this machine' })
  const boxes = within(list).getAllByRole('checkbox')
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([false, false, false])
  within(list).getByText(/Codex: \/home\/me\/\.codex\/a\.json/)
  // It is a channel already.
  expect(boxes[1]).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Check and add' })).toHaveProperty('disabled', true)
  await user.click(boxes[0] as HTMLElement)
  await user.click(screen.getByRole('button', { name: 'Check and add 1 key' }))
  await screen.findByText(/^Vendor a works: m answered in/)
  const taken = client.calls.filter(({ name }) => name === 'transfer.take')
  expect(taken).toMatchObject([{ input: { ids: ['a'], check: true } }])
  await screen.findByRole('link', { name: 'Try it in the playground' })
})

test('a refused key shows the vendor’s sentence and stays out until it is added anyway', async () => {
  const client = firstRun([key('wrong'), key('a')])
  const user = renderConsole(client, '/welcome')
  for (const box of await screen.findAllByRole('checkbox')) await user.click(box)
  await user.click(screen.getByRole('button', { name: 'Check and add 2 keys' }))
  await screen.findByText('Incorrect API key provided.')
  // The one that was refused doesn't keep the other out, and isn't passed over without a word.
  await screen.findByText('m answered in 40 ms.')
  expect(screen.queryByRole('link', { name: 'Try it in the playground' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Continue without the others' }))
  await screen.findByRole('link', { name: 'Try it in the playground' })
})

test('a key without an address and models asks for both before it can be taken', async () => {
  const client = firstRun([key('azure', { base_url: null, needs: ['base_url', 'models'] })])
  const user = renderConsole(client, '/welcome')
  await user.click(await screen.findByRole('checkbox'))
  const take = () => screen.getByRole('button', { name: 'Check and add 1 key' })
  expect(take()).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Base URL'), 'https://res.openai.azure.com')
  expect(take()).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('Models'), 'mine')
  await user.click(take())
  await waitFor(() =>
    expect(client.calls).toContainEqual({
      name: 'transfer.take',
      input: {
        ...{ ids: ['azure'], check: true },
        ...{ base_url: 'https://res.openai.azure.com', models: 'mine' },
      },
    }),
  )
})

test('the last step lists the tools that are installed, and the playground is the way on', async () => {
  const client = createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 1, total: 1, items: [] }),
    'connect.tools': () => ({
      local: true,
      tools: [
        toolView({ id: 'codex', name: 'Codex', installed: true, status: 'elsewhere' }),
        toolView({ id: 'aider', name: 'Aider', installed: false, status: 'not_found' }),
      ],
    }),
  })
  renderConsole(client, '/welcome')
  const link = await screen.findByRole('link', { name: 'Connect Codex…' })
  expect(link.getAttribute('href')).toBe('/console/connect?tool=codex')
  expect(screen.queryByText('Aider')).toBeNull()
  const onward = screen.getByRole('link', { name: 'Try it in the playground' })
  expect(onward.getAttribute('data-variant')).toBeNull()
})

test('a new token stands beside the address that the gateway says, not the one of this page', async () => {
  const client = createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 1, total: 1, items: [] }),
    'connect.tools': () => ({ local: true, tools: [] }),
    'server.get': () => ({ url: 'http://127.0.0.1:4848', ledger_problem: null, started_at: 1 }),
    'token.create': () => ({ id: 1, key: 'sk-made' }),
  })
  const user = renderConsole(client, '/welcome')
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('http://127.0.0.1:4848')).toBeTruthy()
})

test('a gateway on another machine offers no tool, since those that it finds are not the reader’s', async () => {
  const tools = [toolView({ id: 'codex', name: 'Codex', installed: true, status: 'elsewhere' })]
  const client = createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 1, total: 1, items: [] }),
    'connect.tools': () => ({ local: false, tools }),
  })
  renderConsole(client, '/welcome')
  await screen.findByRole('link', { name: 'Try it in the playground' })
  await waitFor(() => expect(client.calls.map(({ name }) => name)).toContain('connect.tools'))
  expect(screen.queryByText('Codex')).toBeNull()
})

test('the first channel’s drawer asks before Esc throws away what was typed', async () => {
  const client = firstRun([])
  client.answer('channel.presets', () => [
    {
      ...{ id: 'openai', type: 1, name: 'OpenAI', base_url: 'https://api.openai.com', models: [] },
      ...{ needs_key: true, key_url: null, note: null, group: 'vendor' },
    } as never,
  ])
  const user = renderConsole(client, '/welcome')
  await user.click(await screen.findByRole('button', { name: 'Choose a vendor' }))
  const drawer = await screen.findByRole('dialog')
  await user.click(await within(drawer).findByRole('button', { name: /OpenAI/ }))
  const field = await within(drawer).findByLabelText('Channel key')
  await user.type(field, 'sk-1{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(field).toHaveProperty('value', 'sk-1')
})

test('closing the tab asks while the owner’s name or password is typed, going on does not', async () => {
  let isSetUp = false
  const client = createFakeGateway({
    'channel.list': () => ({ page: 1, page_size: 1, total: 0, items: [] }),
    'transfer.found': () => ({ found: [] }),
    'setup.status': () => ({ status: isSetUp }),
    'setup.run': () => {
      isSetUp = true
    },
  })
  const user = renderConsole(client, '/')
  const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const name = await screen.findByLabelText('User name')
  expect(closes()).toBe(true)
  await user.type(name, ' ada ')
  expect(closes()).toBe(false)
  expect(name).toHaveProperty('value', ' ada ')
  await user.click(screen.getByRole('button', { name: 'Create owner' }))
  await waitFor(() => expect(window.location.pathname).toBe('/console/welcome'))
  // A name with blanks would be another one at the next sign-in.
  const setup = client.calls.find(({ name: operation }) => operation === 'setup.run')
  expect(setup?.input).toMatchObject({ username: 'ada' })
  await waitFor(() => expect(screen.queryByLabelText('User name')).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(closes()).toBe(true)
})
