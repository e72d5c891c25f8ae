import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallFailure } from '../../../../renderer/gateway/call-failure.ts'
import { createFakeGateway, type FakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const today = Math.floor(Date.now() / 1000)

const row = (fields: Record<string, unknown>) => ({
  key: 'gpt-mini',
  label: 'gpt-mini',
  time: today,
  calls: 4,
  errors: 0,
  unpriced: 0,
  quota: 0,
  prompt_tokens: 100,
  completion_tokens: 20,
  cached_tokens: 25,
  estimated: 0,
  ...fields,
})

const summary = (rows: unknown[]) => ({ start: today - 1, end: today, step: 'day', rows })

const inputsOf = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map(({ input }) => input)

const rowOf = async (name: string) =>
  (await screen.findByRole('cell', { name })).closest('tr') as HTMLElement

test('calls without a price are told of and never shown as $0', async () => {
  const gateway = createFakeGateway({
    'usage.summary': () =>
      summary([
        row({ quota: 250_000 }),
        row({ key: 'local', label: 'local', unpriced: 4 }),
        row({ key: 'mixed', label: 'mixed', quota: 500_000, unpriced: 1 }),
      ]),
  })
  renderConsole(gateway, '/usage')
  expect((await rowOf('gpt-mini')).textContent).toContain('$0.50')
  expect((await rowOf('gpt-mini')).textContent).toContain('25%')
  const local = await rowOf('local')
  expect(within(local).getByText('unpriced')).toBeTruthy()
  expect(local.textContent).not.toContain('$')
  expect((await rowOf('mixed')).textContent).toContain('$1.00+ 1 unpriced call')
  expect(screen.getByText('5 calls have no known price and aren’t in these costs.')).toBeTruthy()
})

test('sums with estimated usage carry ≈, and say of how many calls', async () => {
  const gateway = createFakeGateway({
    'usage.summary': () =>
      summary([
        row({ quota: 250_000 }),
        row({ key: 'silent', label: 'silent', quota: 500_000, estimated: 2 }),
      ]),
  })
  renderConsole(gateway, '/usage')
  const silent = await rowOf('silent')
  expect(within(silent).getByText('≈ $1.00')).toBeTruthy()
  expect(within(silent).getByText('≈ 100')).toBeTruthy()
  expect((await rowOf('gpt-mini')).textContent).not.toContain('≈')
  const total = screen.getByLabelText('Total')
  const figureOf = (name: string) => within(total).getByText(name).nextSibling?.textContent
  expect(figureOf('Cost')).toBe('≈ $1.502 estimated')
  expect(figureOf('Calls')).toBe('8')
  expect(
    screen.getByText('For 2 calls the vendors reported no usage: their tokens are estimates here.'),
  ).toBeTruthy()
})

test('the sum of calls that all have no price is no sum, and a share of no cached token is 0', async () => {
  const gateway = createFakeGateway({
    'usage.summary': () => summary([row({ unpriced: 4, cached_tokens: 0 })]),
  })
  renderConsole(gateway, '/usage')
  const total = await screen.findByLabelText('Total')
  const figureOf = (name: string) => within(total).getByText(name).nextSibling?.textContent
  expect(figureOf('Cost')).toBe('unpriced')
  expect(figureOf('From cache')).toBe('0%')
})

test('a change of range or split asks again, and the address keeps the choice', async () => {
  const gateway = createFakeGateway({ 'usage.summary': () => summary([row({})]) })
  const user = renderConsole(gateway, '/usage')
  await user.click(await screen.findByText('30 days'))
  await user.click(screen.getByText('By token'))
  await waitFor(() =>
    expect(inputsOf(gateway, 'usage.summary').at(-1)).toMatchObject({ by: 'token', step: 'day' }),
  )
  const { start_timestamp: start, end_timestamp: end } = inputsOf(gateway, 'usage.summary').at(
    -1,
  ) as { start_timestamp: number; end_timestamp: number }
  expect(Math.round((end - start) / 86_400)).toBe(30)
  expect(window.location.search).toContain('range=days30')
  expect(window.location.search).toContain('by=token')
})

test('calls of the console itself have a name, a deleted channel its number', async () => {
  const gateway = createFakeGateway({
    'usage.summary': ({ by }: { by: string }) =>
      summary(
        by === 'token'
          ? [row({ key: '0', label: '' }), row({ key: '3', label: 'laptop' })]
          : [row({ key: '12', label: '' })],
      ),
  })
  const user = renderConsole(gateway, '/usage?by=token')
  expect(await rowOf('Playground and tests')).toBeTruthy()
  expect(await rowOf('laptop')).toBeTruthy()
  await user.click(screen.getByText('By channel'))
  expect(await rowOf('#12')).toBeTruthy()
})

test('a common user sees only what is their own', async () => {
  const gateway = createFakeGateway({
    'user.self': () => ({ id: 2, username: 'ada', role: 1, has_password: true }),
    'usage.summary-self': () => summary([row({})]),
  })
  renderConsole(gateway, '/usage?by=user')
  expect(await rowOf('gpt-mini')).toBeTruthy()
  expect(inputsOf(gateway, 'usage.summary')).toEqual([])
  expect(screen.queryByText('By user')).toBeNull()
  expect(inputsOf(gateway, 'usage.summary-self')[0]).toMatchObject({ by: 'model' })
})

test('charts that are switched off say so, with the way to switch them on', async () => {
  const sentence = 'The option DataExportEnabled is off.'
  const gateway = createFakeGateway({
    'usage.summary': () => {
      throw new CallFailure({ code: 'forbidden', message: sentence, status: 403 })
    },
  })
  renderConsole(gateway, '/usage')
  expect(await screen.findByText('Usage charts are off')).toBeTruthy()
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open settings' })).toBeTruthy()
})

test('a range without calls says what to do', async () => {
  renderConsole(createFakeGateway({ 'usage.summary': () => summary([]) }), '/usage')
  expect(await screen.findByText('No calls in this range')).toBeTruthy()
})
