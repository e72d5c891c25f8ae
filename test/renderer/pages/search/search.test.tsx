import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import type { GatewayClient } from '../../../../renderer/gateway/client.ts'
import { liveClient } from '../../../support/gateway/live-client.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import { createFakeGateway, shared } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const space = { count: 0, bytes: 0, cap: 1 }
const refusedId = /^\d{14}[0-9a-f]{12}$/
let pair: Pair
let client: GatewayClient
/** Of a request with a wrong key. */
let requestId: string

beforeAll(async () => {
  pair = await startPair({ empty: true })
  const { gateway } = pair
  for (let index = 0; index <= 200; index++) {
    const name = `Relay ${String(index).padStart(3, '0')}`
    gateway.addChannel({ name, models: [`model-${index}`] })
    if (index < 150) gateway.addToken({ name: `Editor ${index}` })
  }
  const any = { channelId: null, tag: null, weight: 0 }
  gateway.parts.routes.create({ name: 'nightly', targets: [{ ...any, model: 'model-1' }] })
  requestId = (await pair.send('/v1/chat/completions', { withoutKey: true, body: {} })).id
  client = await liveClient(gateway)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await pair.close()
})

const here = () => window.location.pathname + window.location.search

async function openSearch(of: GatewayClient, path = '/redeem') {
  const user = renderConsole(of, path)
  await screen.findByRole('heading', { level: 1 })
  await user.keyboard('{Control>}k{/Control}')
  return { user, field: await screen.findByRole('combobox', { name: 'Search' }) }
}

test.each([
  [
    'a channel beyond the first hundred',
    'relay 034',
    /^Relay 034/,
    /^\/console\/channels\?open=35$/,
  ],
  [
    'a token beyond the first hundred',
    'editor 3',
    /^Editor 3\b/,
    /^\/console\/connect\/tokens\?open=5$/,
  ],
  ['a route', 'nightly', /^nightly #1/, /^\/console\/routes\?open=1$/],
  ['a model', 'model-177', /^model-177/, /^\/console\/playground\?model=model-177$/],
  [
    'an option by its key',
    'UpstreamIdle',
    /^Idle timeout/,
    /settings\/options\?find=UpstreamIdleSeconds$/,
  ],
  ['an option by its hint', 'sealed on disk', /^Capture requests/, /options\?find=CaptureLevel$/],
  ['a setting outside the options', 'access tok', /^Access token/, /settings\/security$/],
  ['a page', 'prices', /^Prices/, /usage\/prices$/],
  ['an action', 'add a chan', /^Add a channel/, /channels\?new=1$/],
])('the search finds %s and opens it', async (_what, text, name, address) => {
  const { user, field } = await openSearch(client)
  await user.type(field, text)
  const found = await screen.findByRole('option', { name })
  expect(found.getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  expect(here()).toMatch(address)
})

test('a blank lists what no text lists, the pages and the actions', async () => {
  const { user, field } = await openSearch(createFakeGateway())
  const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
  const before = names()
  await user.type(field, ' ')
  expect(field).toHaveProperty('value', ' ')
  expect(names()).toEqual(before)
})

test('a request id leads to its call, a part of it too', async () => {
  expect(requestId).toMatch(refusedId)
  const { user, field } = await openSearch(client)
  await user.type(field, requestId.slice(8, 22))
  await user.click(await screen.findByRole('option', { name: new RegExp(requestId) }))
  expect(here()).toBe(`/console/calls?open=${requestId}`)
})

test('an option that is found stands alone in Options', async () => {
  const { user, field } = await openSearch(client)
  await user.type(field, 'max failovers')
  await screen.findByRole('option', { name: /^Max failovers/ })
  await user.keyboard('{Enter}')
  expect(await screen.findByLabelText('Max failovers')).toHaveProperty('value', '2')
  expect(screen.queryByLabelText('Custom retry rules')).toBeNull()
})

test('the filter of the channel list finds one of 201', async () => {
  const user = renderConsole(client, '/channels')
  await user.click(await screen.findByLabelText('Search channels'))
  await user.paste('relay 034')
  expect(await screen.findByText('Relay 034')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Relay 200')).toBeNull())
  // Fifty rows take long without a browser.
})

test('nothing is asked while somebody types, and a question that typing overtook is given up', async () => {
  const asked: { keyword: string; signal: AbortSignal | undefined }[] = []
  const fake = createFakeGateway()
  const slow: GatewayClient = {
    ...fake,
    call(name, input, signal) {
      if (name !== 'channel.search') return fake.call(name, input, signal)
      asked.push({ keyword: (input as { keyword: string }).keyword, signal })
      return new Promise(() => {})
    },
  }
  const { user, field } = await openSearch(slow)
  await user.type(field, 'relay')
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.getByText('Searching…')).toBeTruthy()
  await user.type(field, ' 034')
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked.map(({ keyword }) => keyword)).toEqual(['relay', 'relay 034'])
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual([true, false])
})

test('a search that failed says so, and is tried again', async () => {
  let isBroken = true
  const fake = createFakeGateway({
    'channel.search': () => {
      if (isBroken)
        throw new CallFailure({ code: 'internal', message: 'The file is locked.', status: 500 })
      return { page: 1, page_size: 8, total: 1, items: [{ id: 7, name: 'Work account' }] }
    },
  })
  const { user, field } = await openSearch(fake)
  await user.type(field, 'work acc')
  expect(await screen.findByText('Channels couldn’t be searched: The file is locked.')).toBeTruthy()
  expect(screen.queryByText(/^No match/)).toBeNull()
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('option', { name: /^Work account/ })).toBeTruthy()
})

test('“No match” comes only after the answers', async () => {
  const { user, field } = await openSearch(client)
  await user.type(field, 'zebra')
  expect(screen.queryByText(/^No match/)).toBeNull()
  expect(await screen.findByText('No match for “zebra”.')).toBeTruthy()
})

test('everything is captured for ten minutes, and a refusal keeps the search open', async () => {
  let isRefused = true
  const fake = createFakeGateway({
    'capture.status': () => ({ level: 'memory', burst_until: null, memory: space, disk: space }),
    'capture.burst': () => {
      if (isRefused)
        throw new CallFailure({ code: 'internal', message: 'The disk is full.', status: 500 })
    },
  })
  const { user, field } = await openSearch(fake)
  await user.type(field, 'capture every{Enter}')
  expect(await screen.findByText('The disk is full.')).toBeTruthy()
  isRefused = false
  await user.click(screen.getByRole('option', { name: 'Capture everything for 10 minutes' }))
  await waitFor(() => expect(here()).toBe('/console/calls'))
  expect(fake.calls.filter(({ name }) => name === 'capture.burst').at(-1)?.input).toEqual({
    minutes: 10,
  })
})

test('theme and language change from the search', async () => {
  const { user, field } = await openSearch(createFakeGateway())
  await user.type(field, 'theme dark{Enter}')
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'language{Enter}')
  expect(await screen.findByRole('heading', { name: '兑换' })).toBeTruthy()
})

test('sharing asks as on its panel; a gateway that is shared offers it no more', async () => {
  const { user, field } = await openSearch(createFakeGateway())
  await user.type(field, 'share{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Share this gateway' })
  await user.click(within(dialog).getByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(here()).toBe('/console/settings'))
})

test('a shared gateway has the settings of sharing, and nothing to share', async () => {
  const { user, field } = await openSearch(createFakeGateway(shared))
  await user.type(field, 'open registration')
  expect(await screen.findByRole('option', { name: /^Open registration/ })).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'share this')
  await waitFor(() =>
    expect(screen.queryByRole('option', { name: 'Share this gateway' })).toBeNull(),
  )
})

test('who is not the owner finds no option of the gateway, but their own password', async () => {
  const of = createFakeGateway({
    ...shared,
    'user.self': () => ({ id: 2, username: 'ada', role: 10, has_password: true }),
  })
  const { user, field } = await openSearch(of)
  await user.type(field, 'RetryTimes')
  expect(await screen.findByText(/^No match/)).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'password')
  expect(await screen.findByRole('option', { name: /password/i })).toBeTruthy()
})

test('an edit is not lost by signing out, from the search or the sidebar', async () => {
  const { user, field } = await openSearch(
    createFakeGateway({ 'option.list': () => [{ key: 'RetryTimes', value: '2' }] }),
    '/settings/options',
  )
  await user.type(field, 'sign out')
  await user.keyboard('{Escape}')
  await user.type(await screen.findByLabelText('Max failovers'), '9')
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'sign out{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(screen.getByLabelText('Max failovers')).toHaveProperty('value', '29')
})
