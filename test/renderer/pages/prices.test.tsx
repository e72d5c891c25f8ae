import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { splitFailure } from '../../../renderer/components/forms/split-failure.ts'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { english } from '../../../renderer/i18n/english/texts.ts'
import { startTranslation } from '../../../renderer/i18n/start-translation.ts'
import { priceLabels } from '../../../renderer/pages/prices/price-fields.ts'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const row = {
  model: 'painter',
  vendor: 'openai',
  source: 'table',
  unit: 'tokens',
  input: 5,
  output: 10,
  cached_input: 1.25,
  cache_write: null,
  audio_input: null,
  audio_output: null,
  image_input: 8,
  image_output: 32,
  call: null,
  second: null,
  character: null,
  image: null,
  search: 0.01,
  long: { above: 200_000, input: 10, output: 15 },
  next: { day: '2026-12-01', input: 6, output: 12, cached_input: null },
  tiers: { fast: 1.75 },
  as_of: '2026-01-31',
  page: null,
  checked: true,
  served: true,
}

test('what service tiers cost and what the vendor announced stand beside the other prices', async () => {
  const prices = { as_of: '2026-01-31', items: [row] }
  renderConsole(createFakeGateway({ 'price.list': () => prices }), '/prices')
  const shown = (await screen.findByRole('button', { name: 'painter' })).closest('tr')
  expect(shown?.textContent).toContain('fast: × 1.75')
  expect(shown?.textContent).toContain('from 2026-12-01: $6.00 in, $12.00 out')
})

test('a changed price goes with the record as it was read, so that nothing else is lost', async () => {
  const gateway = createFakeGateway({
    'price.list': () => ({ as_of: '2026-01-31', items: [row] }),
    'price.set': () => row,
  })
  const user = renderConsole(gateway, '/prices')
  await user.click(await screen.findByRole('button', { name: 'painter' }))
  const drawer = await screen.findByRole('dialog')
  const output = within(drawer).getByLabelText('Output')
  await user.clear(output)
  await user.type(output, '12')
  await user.clear(within(drawer).getByLabelText('Cache read'))
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  const input = () => gateway.calls.find(({ name }) => name === 'price.set')?.input
  await waitFor(() => expect(input()).toEqual({ ...row, output: 12, cached_input: null }))
})

test('only a price that nobody compared with the vendor’s page is marked as unverified', async () => {
  const items = [
    row,
    { ...row, model: 'hearsay', checked: false },
    { ...row, model: 'mine', source: 'own', checked: false },
  ]
  renderConsole(createFakeGateway({ 'price.list': () => ({ as_of: null, items }) }), '/prices')
  const marked = async (name: string) => {
    const tr = (await screen.findByRole('button', { name })).closest('tr') as HTMLElement
    return within(tr).queryByText(/unverified/) !== null
  }
  expect(await marked('hearsay')).toBe(true)
  expect(await marked('painter')).toBe(false)
  expect(await marked('mine')).toBe(false)
})

test('a refusal that names a second price names it as the form does', () => {
  const { t } = startTranslation('en', english)
  const failure = new CallFailure({
    ...{ code: 'invalid_params', message: 'No price.', status: 400, field: 'output' },
    reason: { code: 'price_needs_input', other: 'cached_input' },
  })
  const { at } = splitFailure(failure, priceLabels, t)
  expect(at.output).toContain(t('prices.cached_input'))
})
