import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const session = (id: string, fields: object = {}) => ({
  ...{
    id,
    user_id: 1,
    username: 'ada',
    token_name: 'laptop',
    client: 'agent/1',
    title: `On ${id}`,
  },
  ...{ started_at: 1_764_000_000, ended_at: 1_764_000_060, calls: 2, errors: 0, models: ['m'] },
  ...{ prompt_tokens: 10, cached_tokens: 5, completion_tokens: 3, cache_hit_rate: 0.5 },
  ...{ quota: 500_000, unpriced: 0, estimated: 0, ...fields },
})

const page = (...sessions: object[]) => ({ sessions, next: null })

const titles = () =>
  screen.getAllByRole('link', { name: /^On / }).map(({ textContent }) => textContent)
const search = () => new URLSearchParams(location.search)

test('the list stands still while calls come; figures change in place, new sessions are counted', async () => {
  const gateway = createFakeGateway({
    'agent-session.list': () => page(session('a'), session('b')),
  })
  const user = renderConsole(gateway, '/calls/sessions')
  await screen.findByRole('link', { name: 'On a' })
  const busy = session('b', { calls: 9 })
  gateway.answer('agent-session.list', () => page(session('c'), busy, session('d'), session('a')))
  gateway.push('calls')
  const news = await screen.findByRole('button', { name: '2 new' })
  expect(titles()).toEqual(['On a', 'On b'])
  const row = screen.getByRole('link', { name: 'On b' }).closest('tr') as HTMLElement
  expect(within(row).getByText('9')).toBeTruthy()
  await user.click(news)
  expect(titles()).toEqual(['On c', 'On b', 'On d', 'On a'])
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
})

test('filter and page are in the URL, and are there after a reload', async () => {
  const gateway = createFakeGateway({
    'agent-session.list': (({ q, cursor }: { q: string; cursor: string }) => ({
      sessions: [session(`${q || 'all'} ${cursor || 'first'}`)],
      next: cursor === 'two' ? null : cursor === '' ? 'one' : 'two',
    })) as never,
  })
  const user = renderConsole(gateway, '/calls/sessions')
  await screen.findByRole('link', { name: 'On all first' })
  await user.type(screen.getByRole('textbox', { name: 'Filter sessions' }), 'codex')
  await screen.findByRole('link', { name: 'On codex first' })
  expect(search().get('q')).toBe('codex')
  await user.click(screen.getByRole('button', { name: 'Older' }))
  await screen.findByRole('link', { name: 'On codex one' })
  await user.click(screen.getByRole('button', { name: 'Older' }))
  await screen.findByRole('link', { name: 'On codex two' })
  await user.click(screen.getByRole('button', { name: 'Newer' }))
  await screen.findByRole('link', { name: 'On codex one' })
  expect(search().get('pages')).toBe('one')
  // A page further back only gains what the one before it loses.
  gateway.answer('agent-session.list', () =>
    page(session('pushed back'), session('codex one', { calls: 9 })),
  )
  gateway.push('calls')
  await screen.findByText('9')
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
})

test('a page and its filter are opened by their address', async () => {
  const gateway = createFakeGateway({
    'agent-session.list': (({ q, cursor }: { q: string; cursor: string }) => ({
      sessions: [session(`${q} ${cursor}`)],
      next: null,
    })) as never,
  })
  renderConsole(gateway, '/calls/sessions?q=codex&pages=one.two')
  await screen.findByRole('link', { name: 'On codex two' })
  expect(screen.getByRole('textbox', { name: 'Filter sessions' })).toHaveProperty('value', 'codex')
})

test('an open session shows the calls that its agent makes', async () => {
  const gateway = createFakeGateway({
    'agent-session.get': () => ({ session: session('a'), calls: [] }),
    'agent-session.doctor': () => ({ ...{ summary: '', compared: 0, findings: [], causes: [] } }),
  })
  renderConsole(gateway, '/calls/sessions?id=a&user=1')
  await screen.findByRole('heading', { name: 'On a' })
  gateway.answer('agent-session.get', () => ({
    ...{ session: session('a', { title: 'On more', calls: 3 }), calls: [] },
  }))
  gateway.push('calls')
  await waitFor(() => screen.getByRole('heading', { name: 'On more' }))
})

test('what a session cost is never more certain than its calls: unpriced, at least, about', async () => {
  const sessions = page(
    session('failed', { quota: 0, errors: 2, unpriced: 2 }),
    session('part', { quota: 500_000, unpriced: 1 }),
    session('free', { quota: 0 }),
    session('silent', { quota: 500_000, estimated: 1 }),
    session('both', { quota: 500_000, estimated: 1, unpriced: 1 }),
  )
  renderConsole(createFakeGateway({ 'agent-session.list': () => sessions }), '/calls/sessions')
  await screen.findByRole('link', { name: 'On failed' })
  const costs = ['failed', 'part', 'free', 'silent', 'both'].map((id) => {
    const row = screen.getByRole('link', { name: `On ${id}` }).closest('tr') as HTMLElement
    return within(row).getAllByRole('cell').at(-1)?.textContent
  })
  expect(costs).toEqual(['unpriced', '≥ $1.00', '$0.00', '≈ $1.00', '≥ ≈ $1.00'])
  expect(screen.getByTitle('1 estimated, + 1 unpriced call').textContent).toBe('≥ ≈ $1.00')
})

test('a session’s duration is told as it is booked, by the second, and long ones in hours', async () => {
  const lasting = (seconds: number) => ({ ended_at: 1_764_000_000 + seconds })
  const sessions = page(
    session('short', lasting(0)),
    session('some', lasting(22)),
    session('long', lasting(3 * 3600 + 240)),
  )
  renderConsole(createFakeGateway({ 'agent-session.list': () => sessions }), '/calls/sessions')
  await screen.findByRole('link', { name: 'On short' })
  for (const duration of ['< 1 s', '22 s', '3 h 4 min']) screen.getByText(duration)
})

test.each([
  ['Gemini CLI', 'GeminiCLI-tui/0.61.0/gpt-5.5 (linux; x64; terminal)'],
  ['Qwen Code', 'QwenCode/0.24.4 (linux; x64)'],
  ['constructor', 'constructor/1'],
])('the client %s has its name', async (name, client) => {
  renderConsole(
    createFakeGateway({ 'agent-session.list': () => page(session('calls:1', { client })) }),
    '/calls/sessions',
  )
  expect(await screen.findByText(name)).toBeTruthy()
})
