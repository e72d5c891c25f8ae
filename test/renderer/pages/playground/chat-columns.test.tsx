import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway, model } from '../../fake-client.ts'
import { addColumn, bodyOf, bookedCall, open, say, send, type } from './chat-stage.ts'
import { end, events, text } from './streamed-reply.ts'

const headers = events.type === 'start' ? events.headers : {}

describe('columns', () => {
  const models = [model('echo'), model('other'), model('third')]
  const pair = () => createFakeGateway({ 'playground.catalogue': () => models })

  test('one message goes to each model; each can be stopped alone, and one can be kept', async () => {
    const gateway = pair()
    const user = await open(gateway)
    await addColumn(user, 2, 'other')
    await type(user, 'Hello')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(gateway.streams.map(({ input }) => (input as { model: string }).model)).toEqual([
      'echo',
      'other',
    ])
    await send(gateway, 0, events, text('One half'))
    await send(gateway, 1, events, text('Other half'))
    const second = screen.getByRole('region', { name: 'Column 2' })
    await user.click(within(second).getByRole('button', { name: 'Stop' }))
    expect(gateway.streams.map(({ cancelled }) => cancelled)).toEqual([false, true])
    await send(gateway, 0, ...end)
    await user.click(within(second).getByRole('button', { name: 'Keep only this column' }))
    expect(screen.queryByText('One half')).toBeNull()
    await type(user, 'Go on')
    await waitFor(() => expect(gateway.streams).toHaveLength(3))
    expect(gateway.streams[2]?.input).toMatchObject({ model: 'other' })
  })

  test('there are four at most, each with parameters of its own', async () => {
    const gateway = pair()
    const user = await open(gateway)
    for (let more = 0; more < 3; more++) {
      await user.click(screen.getByRole('button', { name: 'Add column' }))
    }
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add column' }).disabled).toBe(
      true,
    )
    const panel = screen.getByRole('complementary', { name: 'Parameters' })
    await user.type(within(panel).getByLabelText('Temperature'), '0.3')
    await type(user, 'Hello')
    await waitFor(() => expect(gateway.streams).toHaveLength(4))
    const temperatures = gateway.streams.map((_, index) => bodyOf(gateway, index).temperature)
    expect(temperatures).toEqual([undefined, undefined, undefined, 0.3])
  })

  test('each have the tokens, the cost and the times of their own call', async () => {
    const gateway = pair()
    const own = { 'req-1': 1, 'req-2': 2 }
    gateway.answer('call.one', ({ request_id: id = '' }) => {
      const times = own[id as keyof typeof own]
      const figures = { quota: 500_000 * times, prompt_tokens: 30 * times }
      const other = JSON.stringify({ frt: 4000 * times })
      return { ...bookedCall, ...figures, other, request_id: id }
    })
    const user = await open(gateway)
    await addColumn(user, 2, 'other')
    await type(user, 'Hello')
    const second = { ...events, headers: { ...headers, 'x-switchyard-call': 'req-2' } }
    await send(gateway, 1, second, text('Other'), ...end)
    await send(gateway, 0, events, text('One'), ...end)
    const figureOf = (column: number, name: string) => {
      const place = within(screen.getByRole('region', { name: `Column ${column}` }))
      return place.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent
    }
    await waitFor(() => {
      expect([1, 2].map((column) => figureOf(column, 'Cost'))).toEqual(['$1.00', '$2.00'])
      expect([1, 2].map((column) => figureOf(column, 'In'))).toEqual(['30', '60'])
      expect([1, 2].map((column) => figureOf(column, 'First token'))).toEqual(['4.00 s', '8.00 s'])
    })
  })

  test('nothing is sent while one of them has a field that can’t be sent, and the note names it', async () => {
    const gateway = pair()
    const user = await open(gateway)
    const panel = screen.getByRole('complementary', { name: 'Parameters' })
    const fields = within(panel).getByLabelText('More fields')
    await user.click(fields)
    await user.paste('{"top_k": 5')
    await type(user, 'Hello')
    expect(screen.getByText('Column 1 has an invalid parameter.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
    expect(gateway.streams).toHaveLength(0)
    await user.click(fields)
    await user.paste('}')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(gateway.streams[0]?.input).toMatchObject({ extra: { top_k: 5 } })
  })

  test('finished replies are not rendered again while another streams', async () => {
    const gateway = pair()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('A **finished** reply'), ...end)
    const finished = screen.getByText('finished')
    await type(user, 'Two')
    await send(gateway, 1, events, text('# Head\n\nA first **block** is done.\n\n'))
    const block = screen.getByText('block')
    let changes = 0
    const observer = new MutationObserver((records) => {
      changes += records.length
    })
    for (const element of [finished, block]) {
      const options = { childList: true, subtree: true, characterData: true }
      observer.observe(element.closest('article div') ?? element, options)
    }
    const pieces = Array.from({ length: 200 }, (_, index) => text(`word${index} `))
    await send(gateway, 1, ...pieces)
    expect(screen.getByText(/word0 word1 .* word199/)).toBeTruthy()
    expect(finished.isConnected && block.isConnected).toBe(true)
    observer.disconnect()
    // One frame, and so one change of the block under way, however many tokens came.
    expect(changes).toBeLessThan(5)
  })

  test('columns that were left come back by Undo, with their replies and in their places', async () => {
    const gateway = pair()
    const user = await open(gateway)
    await addColumn(user, 2, 'other')
    await addColumn(user, 3, 'third')
    await type(user, 'Hello')
    for (const [index, said] of ['First', 'Second', 'Third'].entries()) {
      await send(gateway, index, events, text(`${said} reply`), ...end)
    }
    const second = screen.getByRole('region', { name: 'Column 2' })
    await user.click(within(second).getByRole('button', { name: 'Keep only this column' }))
    expect(screen.queryByText('First reply')).toBeNull()
    expect(screen.getByText('2 columns removed')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    for (const [index, said] of ['First', 'Second', 'Third'].entries()) {
      const column = screen.getByRole('region', { name: `Column ${index + 1}` })
      expect(within(column).getByText(`${said} reply`)).toBeTruthy()
    }
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Remove column 3' }))
    await user.click(screen.getByRole('button', { name: 'Remove column 1' }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    const names = screen.getAllByRole('combobox', { name: /^Model of column/ })
    expect(names.map((name) => name.textContent)).toEqual(['echo', 'other', 'third'])
  })

  test('the address names the model that the first column has, whichever is kept', async () => {
    const gateway = pair()
    const user = await open(gateway, '?model=echo')
    await addColumn(user, 2, 'other')
    await addColumn(user, 3, 'third')
    const model = () => new URLSearchParams(window.location.search).get('model')
    await user.click(screen.getByRole('button', { name: 'Remove column 1' }))
    await waitFor(() => expect(model()).toBe('other'))
    const last = screen.getByRole('region', { name: 'Column 2' })
    await user.click(within(last).getByRole('button', { name: 'Keep only this column' }))
    await waitFor(() => expect(model()).toBe('third'))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(model()).toBe('echo'))
    await type(user, 'Hello')
    await send(gateway, 1, events, text('Other half'), ...end)
    const [reply] = screen.getAllByRole('article', { name: 'other' })
    await user.click(within(reply as HTMLElement).getByRole('button', { name: 'Branch from here' }))
    await waitFor(() => expect(model()).toBe('other'))
    await type(user, 'Go on')
    await waitFor(() => expect(gateway.streams).toHaveLength(4))
    expect(gateway.streams[3]?.input).toMatchObject({ model: 'other' })
  })
})
