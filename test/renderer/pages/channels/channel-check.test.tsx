import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { channelHealth, channelRecord, pageOf } from './channel-records.ts'

const preset = {
  ...{ id: 'openai', name: 'OpenAI', type: 1, base_url: 'https://api.openai.com/v1' },
  ...{ endpoint_types: ['openai'], key_url: '', needs_key: true, models: ['old-1', 'gpt-mini'] },
}

const passed = {
  ...{ ok: true, models: ['gpt-large', 'gpt-mini'], tested_model: 'gpt-mini' },
  ...{ ms: 320, status: 200, problem: null, step: 'call', keys: 1 },
}
const refused = {
  ...{ ok: false, models: null, tested_model: null, ms: 90, status: 401 },
  ...{ problem: 'No such key.', step: 'models' },
}

const namesOf = (calls: readonly { name: string }[]) =>
  calls.map(({ name }) => name).filter((name) => /^channel\.(check|create|update)$/.test(name))

/** The form of a channel that is there, whose check the vendor refuses. */
function openStored() {
  const stored = channelRecord({ id: 7, name: 'Work' })
  const gateway = createFakeGateway({
    'channel.search': () => pageOf([stored]),
    'channel.get': () => stored,
    'channel.presets': () => [preset],
    'channel.check': () => refused,
  })
  return { gateway, user: renderConsole(gateway, '/channels?open=7') }
}

describe('Check in the channel form', () => {
  test('says which model answered, and its models replace those of the preset that are not listed', async () => {
    const gateway = createFakeGateway({
      'channel.presets': () => [preset],
      'channel.check': () => passed,
      'channel.create': () => ({ ids: [1] }),
    })
    const user = renderConsole(gateway, '/channels?new=1')
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    await user.type(await screen.findByLabelText('Channel key'), 'sk-typed')
    await user.click(screen.getByRole('button', { name: 'Check' }))
    expect(await screen.findByText('gpt-mini answered in 320 ms.')).toBeTruthy()
    expect(screen.getByText('The vendor doesn’t list 1 of these models: old-1')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Use these models' }))
    const add = screen.getAllByRole('button', { name: 'Add channel' }).at(-1) as HTMLElement
    await user.click(add)
    await waitFor(() => expect(namesOf(gateway.calls)).toEqual(['channel.check', 'channel.create']))
    const [check, create] = gateway.calls.filter(({ name }) => /check|create/.test(name))
    expect(check?.input).toMatchObject({ type: 1, key: 'sk-typed', models: 'old-1,gpt-mini' })
    expect(create?.input).toMatchObject({ channel: { models: 'gpt-mini,gpt-large' } })
  })

  test('of a stored channel sends only what was changed; the result goes away with the next edit', async () => {
    const { gateway, user } = openStored()
    const key = await screen.findByLabelText('Channel key')
    await user.type(key, 'sk-new')
    await user.click(screen.getByRole('button', { name: 'Check' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The vendor refused the model list (status 401).')
    expect(alert.textContent).toContain('No such key.')
    expect(gateway.calls.find(({ name }) => name === 'channel.check')?.input).toEqual({
      id: 7,
      key: 'sk-new',
    })
    await user.type(key, '2')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a result is no longer shown once the way to the vendor is another', async () => {
    const { user } = openStored()
    await user.click(await screen.findByRole('button', { name: 'Check' }))
    await screen.findByRole('alert')
    await user.click(screen.getByRole('button', { name: 'Advanced' }))
    await user.type(await screen.findByLabelText('Proxy'), 'http://127.0.0.1:8080')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

test('models are asked for with the stored key only at the stored address', async () => {
  const stored = channelRecord({ id: 7, name: 'Work', base_url: 'https://one.example' })
  const gateway = createFakeGateway({
    'channel.search': () => pageOf([stored]),
    'channel.get': () => stored,
    'channel.presets': () => [preset],
    'channel.fetch-models-of': () => ['m-1'],
    'channel.fetch-models': () => ['m-2'],
  })
  const user = renderConsole(gateway, '/channels?open=7')
  const fetchAll = async (listed: string) => {
    await user.click(await screen.findByRole('button', { name: 'Fetch models' }))
    await screen.findByRole('checkbox', { name: listed })
    const choice = screen.getByRole('region', { name: 'Models of this vendor' })
    await user.click(within(choice).getByRole('button', { name: 'Cancel' }))
  }
  await fetchAll('m-1')
  await user.type(await screen.findByLabelText('Base URL'), '/v2')
  await fetchAll('m-2')
  const asked = gateway.calls.find(({ name }) => name === 'channel.fetch-models')
  expect(asked?.input).toMatchObject({ base_url: 'https://one.example/v2' })
})

test('a proxy that the gateway refuses is told beside its field', async () => {
  const stored = channelRecord({ id: 7, name: 'Work' })
  const gateway = createFakeGateway({
    'channel.search': () => pageOf([stored]),
    'channel.get': () => stored,
    'channel.presets': () => [preset],
    'channel.update': () => refuse('The proxy has no port.', 'setting'),
  })
  const user = renderConsole(gateway, '/channels?open=7')
  await user.click(await screen.findByRole('button', { name: 'Advanced' }))
  const proxy = await screen.findByLabelText('Proxy')
  await user.type(proxy, 'http://127.0.0.1')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(proxy.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getAllByText('The proxy has no port.')).toHaveLength(1)
})

test.each([
  [429, 'The vendor refused a call to gpt-mini (status 429).'],
  [null, 'A call to gpt-mini got no answer.'],
])('a test call that ends with status %s reads “%s”', async (status, sentence) => {
  const failed = { ...refused, status, tested_model: 'gpt-mini', step: 'call' }
  const gateway = createFakeGateway({
    'channel.presets': () => [preset],
    'channel.check': () => failed,
  })
  const user = renderConsole(gateway, '/channels?new=1')
  await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
  await user.type(await screen.findByLabelText('Channel key'), 'sk-typed')
  await user.click(screen.getByRole('button', { name: 'Check' }))
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
})

describe('the first vendor', () => {
  test('is not saved while its check fails, but by “Save anyway”', async () => {
    const gateway = createFakeGateway({
      'channel.presets': () => [preset],
      'channel.check': () => refused,
      'channel.create': () => ({ ids: [1] }),
    })
    const user = renderConsole(gateway, '/welcome')
    await user.click(await screen.findByRole('button', { name: 'Choose a vendor' }))
    await user.click(await screen.findByRole('button', { name: /OpenAI/ }))
    await user.type(await screen.findByLabelText('Channel key'), 'sk-typed')
    await user.click(screen.getByRole('button', { name: 'Check and add' }))
    expect(await screen.findByText('No such key.')).toBeTruthy()
    expect(namesOf(gateway.calls)).toEqual(['channel.check'])
    await user.click(screen.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(namesOf(gateway.calls)).toEqual(['channel.check', 'channel.create']))
  })
})

describe('the last test in the list', () => {
  const shown = async (fields: object) => {
    const channel = channelRecord({ id: 1, name: 'Work', test_time: 1_700_000_000, ...fields })
    const gateway = createFakeGateway({
      'channel.search': () => pageOf([channel]),
      'channel.health': () => [channelHealth()],
    })
    renderConsole(gateway, '/channels')
    return (await screen.findByText('Work')).closest('tr')?.textContent ?? ''
  }

  test('that failed shows no time but its reason', async () => {
    const last_test = { model: 'gpt-mini', problem: 'Account closed.' }
    const text = await shown({ response_time: 18, last_test })
    expect(text).toContain('failed')
    expect(text).toContain('Account closed.')
    expect(text).not.toContain('18 ms')
  })

  test('that passed shows its time', async () => {
    expect(await shown({ response_time: 18, last_test: { model: 'a', problem: null } })).toContain(
      '18 ms',
    )
  })

  test('of an older version shows that its result is not known', async () => {
    const text = await shown({ response_time: 18, last_test: null })
    expect(text).toContain('result unknown')
    expect(text).not.toContain('18 ms')
  })
})
