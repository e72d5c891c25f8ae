import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeGateway, goodHealth, refuse } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'
import { channelHealth, channelRecord } from './channels/channel-records.ts'

const warning = { code: 'disk_low', message: 'Only 120 MiB are free.', since: 1_795_000_000 }
const figureOf = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent

describe('the page', () => {
  test('says in words that all is well, and shows no number that nobody knows', async () => {
    const memory = { rss: 2_147_483_648, heap_used: 60_000_000 }
    const gateway = createFakeGateway({
      'diagnostics.health': () => ({ ...goodHealth, memory }),
    })
    const user = renderConsole(gateway, '/health')
    expect(await screen.findByText('Everything works')).toBeTruthy()
    expect(screen.queryByText('Memory')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Details' }))
    expect(figureOf('Running calls')).toBe('3limit 1,000')
    expect(figureOf('Uptime')).toBe('1 day 2:03:04')
    expect(figureOf('Memory')).toBe('2 GiBheap 57.2 MiB')
    expect(figureOf('Free disk space')).toBe('5 GiB')
    expect(figureOf('Upstream connections')).toBe('–')
    expect(figureOf('Ledger')).toBe('4 MiBall rows written')
  })

  test('lists each warning once, and does not repeat it above the page', async () => {
    const health = { ...goodHealth, status: 'warning', warnings: [warning] }
    renderConsole(createFakeGateway({ 'diagnostics.health': () => health }), '/health')
    expect(await screen.findByText('Works, with problems')).toBeTruthy()
    expect(screen.getAllByText(/Only 120 MiB are free/)).toHaveLength(1)
  })

  test('leaves warnings to their banners above the page', async () => {
    const warnings = ['paused', 'keychain_locked'].map((code) => ({ ...warning, code }))
    const health = { ...goodHealth, status: 'failing', warnings }
    renderConsole(createFakeGateway({ 'diagnostics.health': () => health }), '/health')
    expect(await screen.findByText('Something isn’t working')).toBeTruthy()
    expect(screen.queryByText(/120 MiB/)).toBeNull()
    expect(screen.queryByText('No problems found.')).toBeNull()
  })

  test('channels that something is against come first, with the end of it at hand', async () => {
    const gateway = createFakeGateway({
      'channel.list': () => ({
        page: 1,
        page_size: 100,
        total: 2,
        items: [channelRecord({ id: 1, name: 'Calm' }), channelRecord({ id: 2, name: 'Busy' })],
      }),
      'channel.health': () => [
        channelHealth({ id: 1, success_rate: 1, latency_ms: 420, calls: 12 }),
        channelHealth({
          id: 2,
          state: 'open',
          until: Date.now() + 30_000,
          reason: 'Overloaded.',
        }),
      ],
      'channel.reset-health': () => undefined,
    })
    const user = renderConsole(gateway, '/health')
    await screen.findByRole('link', { name: 'Busy' })
    const [, first, second] = screen.getAllByRole('row') as HTMLElement[]
    expect(first?.textContent).toContain('Busy')
    expect(first?.textContent).toContain('Overloaded.')
    expect(second?.textContent).toContain('100%of 12 calls420 ms')
    expect(within(second as HTMLElement).queryByRole('button')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Try again now: Busy' }))
    await waitFor(() =>
      expect(gateway.calls.find(({ name }) => name === 'channel.reset-health')?.input).toEqual({
        id: 2,
      }),
    )
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Try again now: Busy'),
    )
  })

  test('a disabled channel beyond the first hundred comes first too', async () => {
    const all = Array.from({ length: 150 }, (_, index) =>
      channelRecord({
        ...{ id: index + 1, name: `Relay ${index}`, status: index === 149 ? 3 : 1 },
      }),
    )
    const gateway = createFakeGateway({
      'channel.list': ({ p }: { p: number }) => ({
        ...{ page: p, page_size: 100, total: 150 },
        items: all.slice((p - 1) * 100, p * 100),
      }),
      'channel.health': () => all.map(({ id }) => channelHealth({ id })),
    })
    renderConsole(gateway, '/health')
    await screen.findByRole('link', { name: 'Relay 149' })
    const [, first] = screen.getAllByRole('row')
    expect(first?.textContent).toMatch(/^Relay 149/)
  })

  test('without a channel the next step is said', async () => {
    renderConsole(createFakeGateway(), '/health')
    expect(await screen.findByRole('link', { name: 'Add a channel' })).toBeTruthy()
  })
})

describe('the diagnostic bundle', () => {
  let saved: Blob[]
  beforeEach(() => {
    saved = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:test'
    })
    // Here a click on a link would leave the page; a browser saves the file.
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  })
  afterEach(() => vi.restoreAllMocks())

  test('it says what it holds before it is saved as a file', async () => {
    const gateway = createFakeGateway({ 'diagnostics.bundle': () => ({ options: { a: 1 } }) })
    const user = renderConsole(gateway, '/health')
    await user.click(await screen.findByRole('button', { name: 'Save diagnostic bundle' }))
    expect(screen.getByText(/without keys, passwords/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/^Saved as switchyard-diagnostics-.*\.json\.$/)).toBeTruthy()
    expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual({ options: { a: 1 } })
  })

  test('a failure is said, and nothing is saved', async () => {
    const gateway = createFakeGateway({
      'diagnostics.bundle': () => refuse('The log cannot be read.', undefined, 500),
    })
    const user = renderConsole(gateway, '/health')
    await user.click(await screen.findByRole('button', { name: 'Save diagnostic bundle' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The log cannot be read.')).toBeTruthy()
    expect(saved).toEqual([])
  })

  test('an administrator who is not the owner is not offered it', async () => {
    const self = { id: 2, username: 'ada', role: 10, has_password: true }
    renderConsole(createFakeGateway({ 'user.self': () => self }), '/health')
    await screen.findByText('Everything works')
    expect(screen.queryByRole('button', { name: 'Save diagnostic bundle' })).toBeNull()
  })
})

describe('the banner of every page', () => {
  const failing = {
    ...goodHealth,
    status: 'failing',
    ledger: { problem: 'disk full', rows_waiting: 12, size: 4096 },
    warnings: [
      { code: 'ledger', message: 'Calls cannot be written: disk full.', since: null },
      warning,
    ],
  }

  test('trouble with the ledger is shown once, whichever part reports it first', async () => {
    const server = { url: 'http://127.0.0.1:4747', ledger_problem: 'disk full', started_at: 1 }
    const gateway = createFakeGateway({
      'server.get': () => server,
      'diagnostics.health': () => failing,
    })
    renderConsole(gateway, '/connect/tokens')
    const alert = await screen.findByText('Calls cannot be written: disk full.')
    expect(alert.closest('[role=alert]')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/to the ledger: disk full/)).toBeNull())
    expect(screen.getByRole('link', { name: 'and 1 more' })).toBeTruthy()
  })

  test('the server’s own word of it is enough', async () => {
    const server = { url: 'http://127.0.0.1:4747', ledger_problem: 'disk full', started_at: 1 }
    renderConsole(createFakeGateway({ 'server.get': () => server }), '/connect/tokens')
    expect(await screen.findByText('Calls can’t be written to the ledger: disk full')).toBeTruthy()
  })

  test('a mere warning can be put away, and another one shows again', async () => {
    const gateway = createFakeGateway({
      'diagnostics.health': () => ({ ...goodHealth, status: 'warning', warnings: [warning] }),
    })
    const user = renderConsole(gateway, '/connect/tokens')
    const words = await screen.findByText('Only 120 MiB are free.')
    const banner = words.closest('[role=status]') as HTMLElement
    await user.click(within(banner).getByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Only 120 MiB are free.')).toBeNull()
    const other = { code: 'keys_unreadable', message: 'A key cannot be read.', since: null }
    gateway.answer('diagnostics.health', () => ({
      ...goodHealth,
      status: 'warning',
      warnings: [other],
    }))
    gateway.push('server')
    expect(await screen.findByText('A key cannot be read.')).toBeTruthy()
  })

  test('a channel that cools down for a moment is no matter of every page', async () => {
    const cooling = { code: 'channels_cooling', message: '1 channel left alone.', since: null }
    const gateway = createFakeGateway({
      'diagnostics.health': () => ({
        ...goodHealth,
        status: 'warning',
        warnings: [cooling, warning],
      }),
    })
    renderConsole(gateway, '/connect/tokens')
    expect(await screen.findByText('Only 120 MiB are free.')).toBeTruthy()
    expect(screen.queryByText('1 channel left alone.')).toBeNull()
    expect(screen.getByRole('link', { name: 'Details' })).toBeTruthy()
  })

  test('who is no administrator is neither told nor asked for', async () => {
    const self = { id: 3, username: 'bob', role: 1, has_password: true }
    const gateway = createFakeGateway({
      'user.self': () => self,
      'diagnostics.health': () => failing,
    })
    renderConsole(gateway, '/connect/tokens')
    await screen.findByText('No tokens yet')
    expect(gateway.calls.map(({ name }) => name)).not.toContain('diagnostics.health')
    expect(screen.queryByText(/cannot be written/)).toBeNull()
  })
})
