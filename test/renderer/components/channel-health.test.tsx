import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Reason } from '../../../preload/contract.ts'
import { createFakeGateway, type FakeGateway, refuse } from '../fake-client.ts'
import { channelHealth, channelRecord, pageOf } from '../pages/channels/channel-records.ts'
import { renderConsole } from '../render-console.tsx'

const good = channelHealth({ id: 7 })
const work = channelRecord({ id: 7, name: 'Work' })

const gatewayOf = (health: object, channel: object = work): FakeGateway =>
  createFakeGateway({
    'channel.search': () => pageOf([channel]),
    'channel.get': () => channel,
    'channel.health': () => [{ ...good, ...health }],
    'channel.reset-health': () => undefined,
  })

const rowOf = async (name: string) =>
  (await screen.findByRole('button', { name })).closest('tr') as HTMLElement

describe('a channel in the list', () => {
  test('nothing is said of one that nothing is against', async () => {
    renderConsole(gatewayOf({}), '/channels')
    const row = await rowOf('Work')
    expect(within(row).queryByText(/cooling|probe|healthy/)).toBeNull()
  })

  test('one that cools down counts the seconds, and says why', async () => {
    const until = Date.now() + 95_000
    renderConsole(gatewayOf({ state: 'open', until, reason: 'Overloaded.' }), '/channels')
    const row = await rowOf('Work')
    const timer = await within(row).findByRole('timer')
    expect(timer.textContent).toMatch(/^1:[0-3]\d$/)
    expect(within(row).getByText('Overloaded.')).toBeTruthy()
    const before = timer.textContent
    await waitFor(() => expect(timer.textContent).not.toBe(before))
  })

  test('when its time has come the gateway is asked again', async () => {
    const gateway = gatewayOf({})
    // Asked again before its row was seen, there is still time.
    gateway.answer('channel.health', () => [
      { ...good, state: 'open', until: Date.now() + 300, reason: 'Overloaded.' },
    ])
    renderConsole(gateway, '/channels')
    const row = await rowOf('Work')
    await within(row).findByRole('timer')
    gateway.answer('channel.health', () => [{ ...good, state: 'half-open', reason: 'Overloaded.' }])
    expect(await within(row).findByText('next call is a probe')).toBeTruthy()
  })

  test('when the time of its next test has come the gateway is asked again', async () => {
    const off = channelRecord({ id: 7, name: 'Work', status: 3 })
    const gateway = gatewayOf({}, off)
    gateway.answer('channel.health', () => [{ ...good, retest_at: Date.now() + 300 }])
    renderConsole(gateway, '/channels')
    const row = await rowOf('Work')
    await within(row).findByRole('timer')
    gateway.answer('channel.health', () => [good])
    await waitFor(() => expect(within(row).queryByRole('timer')).toBeNull())
  })

  test('a key or a model alone is named', async () => {
    const until = Date.now() + 42_000
    const parts = [
      {
        key: 1,
        model: 'gpt-mini',
        state: 'open',
        probing: false,
        until,
        reason: 'Limit.',
        failures: 3,
      },
    ]
    renderConsole(gatewayOf({ parts }), '/channels')
    const row = await rowOf('Work')
    expect(await within(row).findByText(/^partly cooling down/)).toBeTruthy()
    const part = within(row).getByRole('listitem').textContent
    expect(part).toContain('key 2 · gpt-mini')
    expect(part).toContain('Limit.')
  })

  test('one that the gateway switched off counts down to its next test', async () => {
    const off = channelRecord({
      id: 7,
      name: 'Work',
      status: 3,
      other_info: '{"status_reason":"Key refused.","status_time":1795000000}',
    })
    renderConsole(gatewayOf({ retest_at: Date.now() + 200_000 }, off), '/channels')
    const row = await rowOf('Work')
    expect(await within(row).findByText(/Key refused\./)).toBeTruthy()
    expect((await within(row).findByRole('timer')).textContent).toMatch(/^[23]:\d\d$/)
  })

  test('one that was disabled for no known reason shows no lone time', async () => {
    const note = '{"status_reason":"","status_time":1795000000}'
    const off = channelRecord({ id: 7, name: 'Work', status: 3, other_info: note })
    renderConsole(gatewayOf({}, off), '/channels')
    const row = await rowOf('Work')
    await within(row).findByText('auto-disabled')
    expect(row.textContent).not.toMatch(/\d\d:\d\d:\d\d/)
  })

  test('“Try again now” ends it, and is offered only where there is something to end', async () => {
    const gateway = gatewayOf({ failures: 2 })
    const user = renderConsole(gateway, '/channels')
    await waitFor(() => expect(gateway.calls.map(({ name }) => name)).toContain('channel.health'))
    await user.click(await screen.findByRole('button', { name: 'More actions for Work' }))
    gateway.answer('channel.health', () => [good])
    await user.click(await screen.findByRole('menuitem', { name: 'Try again now' }))
    expect(await screen.findByText('Calls can use it again.')).toBeTruthy()
    const asked = gateway.calls.find(({ name }) => name === 'channel.reset-health')
    expect(asked?.input).toEqual({ id: 7 })
    await user.click(await screen.findByRole('button', { name: 'More actions for Work' }))
    await screen.findByRole('menuitem', { name: 'Duplicate' })
    expect(screen.queryByRole('menuitem', { name: 'Try again now' })).toBeNull()
  })
})

describe('the drawer of a channel', () => {
  test('tells how it answered of late and what counts against it', async () => {
    const figures = { success_rate: 0.964, latency_ms: 612, calls: 56, disable_failures: 2 }
    renderConsole(gatewayOf({ ...figures, failures: 2 }), '/channels?open=7')
    const panel = await screen.findByRole('region', { name: 'Health' })
    expect(panel.textContent).toContain(
      '96.4% of 56 recent calls answered · first byte after 612 ms',
    )
    expect(panel.textContent).toContain('2 failures in a row · 2 strikes towards')
  })

  test('“Try again now” ends it there too, and is no longer offered', async () => {
    const until = Date.now() + 95_000
    const gateway = gatewayOf({ state: 'open', until, reason: 'Overloaded.' })
    const user = renderConsole(gateway, '/channels?open=7')
    const panel = await screen.findByRole('region', { name: 'Health' })
    gateway.answer('channel.health', () => [good])
    await user.click(within(panel).getByRole('button', { name: 'Try again now' }))
    await waitFor(() => expect(within(panel).queryByText('Overloaded.')).toBeNull())
    expect(within(panel).getByText('healthy')).toBeTruthy()
    expect(within(panel).queryByRole('button')).toBeNull()
  })

  test('says what is not known instead of a number', async () => {
    renderConsole(gatewayOf({}), '/channels?open=7')
    const panel = await screen.findByRole('region', { name: 'Health' })
    expect(panel.textContent).toContain('too few recent calls')
    expect(panel.textContent).not.toMatch(/\d/)
  })
})

describe('proxy and time limits of a channel', () => {
  const stored = channelRecord({
    id: 7,
    name: 'Work',
    setting: '{"proxy":"http://ada:***@proxy:3128","force_format":false}',
    settings: '{"idle_seconds":60,"upstream_stream":"never"}',
  })

  test('only what was changed is sent, and unknown settings are kept', async () => {
    const gateway = gatewayOf({}, stored)
    gateway.answer('channel.update', () => stored)
    const user = renderConsole(gateway, '/channels?open=7')
    await user.click(await screen.findByRole('button', { name: 'Advanced' }))
    expect(screen.getByLabelText('Proxy')).toHaveProperty('value', 'http://ada:***@proxy:3128')
    await user.type(screen.getByLabelText('Connect timeout'), '2')
    await user.clear(screen.getByLabelText('Idle timeout'))
    await user.type(screen.getByLabelText('Total timeout'), '0')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const sent = () => gateway.calls.find(({ name }) => name === 'channel.update')?.input
    await waitFor(() => expect(sent()).toBeTruthy())
    expect(sent()).toEqual({ id: 7, settings: expect.any(String) })
    expect(JSON.parse((sent() as { settings: string }).settings)).toEqual({
      upstream_stream: 'never',
      connect_seconds: 2,
      total_seconds: 0,
    })
  })

  test('a proxy that is taken away leaves the rest of its settings', async () => {
    const gateway = gatewayOf({}, stored)
    gateway.answer('channel.update', () => stored)
    const user = renderConsole(gateway, '/channels?open=7')
    await user.click(await screen.findByRole('button', { name: 'Advanced' }))
    await user.clear(screen.getByLabelText('Proxy'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const sent = () => gateway.calls.find(({ name }) => name === 'channel.update')?.input
    await waitFor(() => expect(sent()).toEqual({ id: 7, setting: '{"force_format":false}' }))
  })

  test.each([
    ['setting', 'The proxy must begin with http, https or socks5.', 'Proxy'],
    ['settings.first_byte_seconds', 'This must be 0 or more.', 'First-byte timeout'],
    [
      'settings',
      'Idle timeout must be a number of seconds from 0 (none) to 9.',
      'Idle timeout',
      { code: 'field_seconds', part: 'idle_seconds', most: 9 } as const,
    ],
  ])('a refusal of %s stands at its field', async (field, sentence, label, reason?: Reason) => {
    const gateway = gatewayOf({}, stored)
    gateway.answer('channel.update', () => refuse(sentence, field, 400, undefined, reason))
    const user = renderConsole(gateway, '/channels?open=7')
    await user.type(await screen.findByLabelText('Name'), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(sentence)
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getAllByText(sentence)).toHaveLength(1)
  })
})
