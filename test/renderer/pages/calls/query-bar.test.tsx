import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { splitTerms, termAt, withTerm } from '../../../../renderer/pages/calls/query/query-terms.ts'
import { createFakeGateway, refuse } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'
import { callRecord, listOf } from './call-records.ts'

const search = () => new URLSearchParams(location.search)
const bar = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Filter calls' })

describe('the query bar', () => {
  test('completes fields, then values, and keeps the query in the URL', async () => {
    const gateway = createFakeGateway({ 'call.timeline': listOf(callRecord()) })
    gateway.answer('call.suggest', ({ field }) => ({
      values: field === 'channel' ? [{ value: 'Work laptop', count: 7 }] : [],
    }))
    const user = renderConsole(gateway, '/calls')
    const input = await bar()
    await user.keyboard('/')
    expect(document.activeElement).toBe(input)
    await user.keyboard('cha')
    const option = await screen.findByRole('option', { name: /^channel:/ })
    expect(within(option).getByText('channel')).toBeTruthy()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(input.value).toBe('channel:')
    await screen.findByRole('option', { name: /^Work laptop/ })
    await user.keyboard('{ArrowDown}{Enter}')
    expect(input.value).toBe('channel:"Work laptop" ')
    expect(search().get('q')).toBe('channel:"Work laptop"')
    await user.keyboard('slow:>5s{Enter}')
    expect(search().get('q')).toBe('channel:"Work laptop" slow:>5s')
    await waitFor(() =>
      expect(gateway.calls.map(({ input }) => input)).toContainEqual(
        expect.objectContaining({ q: 'channel:"Work laptop" slow:>5s', sort: 'time' }),
      ),
    )
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
    expect(search().get('q')).toBeNull()
    expect(document.activeElement).toBe(input)
  })

  test('shows the gateway’s refusal under the bar and marks its term', async () => {
    const message = 'The query’s term slow:soon (character 6) can’t be read: "slow" takes a time.'
    const gateway = createFakeGateway({
      'call.timeline': () => refuse(message, 'q', 400, { place: 6, length: 9 }),
    })
    renderConsole(gateway, '/calls?q=echo+slow:soon')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe(message)
    expect(document.querySelector('mark')?.textContent).toBe('slow:soon')
    const input = await bar()
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-describedby')).toBe(alert.id)
  })

  test('takes a value that is clicked, in place of another of its field', async () => {
    const gateway = createFakeGateway({ 'call.timeline': listOf(callRecord()) })
    const user = renderConsole(gateway, '/calls?q=model:gpt+cut:no')
    const row = (await screen.findByText('laptop')).closest('tr') as HTMLElement
    await user.click(within(row).getByRole('button', { name: 'echo' }))
    expect(search().get('q')).toBe('cut:no model:echo')
    expect(search().get('open')).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'laptop' }))
    expect((await bar()).value).toBe('cut:no model:echo token:laptop')
  })

  test('a query without a match says the next step', async () => {
    const user = renderConsole(createFakeGateway(), '/calls?q=nothing')
    await screen.findByText('No call matches')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByText('No calls yet')).toBeTruthy()
  })
})

describe('the terms of a query', () => {
  test.each([
    ['a  b:c -d:"e f" "g h"', ['a', 'b:c', '-d:"e f"', '"g h"']],
    ['path:"a \\" b" c', ['path:"a \\" b"', 'c']],
    ['channel:"Work lap', ['channel:"Work lap']],
    ['', []],
  ])('%s', (query, terms) => expect(splitTerms(query)).toEqual(terms))

  test('the one at the caret is what completion goes by', () => {
    const query = 'a -channel:"Work lap" b'
    expect(termAt(query, 17)).toMatchObject({ field: 'channel', part: 'Work ', isNegated: true })
    expect(termAt(query, 2)).toMatchObject({ field: null, part: '', start: 2, end: 2 })
    expect(termAt('sta', 3)).toMatchObject({ field: null, part: 'sta' })
  })

  test('values that need it get quotation marks', () => {
    expect(withTerm('', 'channel', 'Work')).toBe('channel:Work')
    expect(withTerm('x', 'client', 'a "b" \\c')).toBe('x client:"a \\"b\\" \\\\c"')
    expect(withTerm('-model:a model:b', 'model', 'c')).toBe('-model:a model:c')
  })

  test('a value replaces that of its field, however the field’s name was typed', () => {
    expect(withTerm('Status:500 STATUS:429 cut:no', 'status', '200')).toBe('cut:no status:200')
  })
})
