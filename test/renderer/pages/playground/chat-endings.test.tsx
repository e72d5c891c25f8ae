import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { bodyOf, open, say, send, type } from './chat-stage.ts'
import { chunk, end, events, text } from './streamed-reply.ts'

const finish = (reason: string) => chunk({ choices: [{ delta: {}, finish_reason: reason }] })

describe('a reply', () => {
  test.each([
    ['length', /^Cut short: the reply reached its output limit/],
    ['content_filter', 'Cut short by the vendor’s content filter.'],
  ])('that ended by %s says so, and one that was through does not', async (reason, note) => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Once upon a'), finish(reason), ...end)
    expect(await screen.findByText(note)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await send(gateway, 1, events, text('Once upon a time.'), finish('stop'), ...end)
    await screen.findByText('Once upon a time.')
    expect(screen.queryByText(note)).toBeNull()
  })

  test('without a word says that the model sent none', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events)
    expect(screen.queryByText('The model sent no text.')).toBeNull()
    await send(gateway, 0, finish('stop'), ...end)
    expect(await screen.findByText('The model sent no text.')).toBeTruthy()
  })
})

test('an invalid parameter isn’t left out when a message is sent again: nothing is sent', async () => {
  const gateway = createFakeGateway()
  const user = await say(gateway, 'Hello')
  await send(gateway, 0, events, text('Hi.'), ...end)
  const panel = screen.getByRole('complementary', { name: 'Parameters' })
  await user.click(within(panel).getByLabelText('More fields'))
  await user.paste('{"top_k": 5')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/A parameter of this column is invalid/)).toBeTruthy()
  expect(gateway.streams).toHaveLength(1)
  await user.click(within(panel).getByLabelText('More fields'))
  await user.paste('}')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(gateway.streams).toHaveLength(2))
  expect(gateway.streams[1]?.input).toMatchObject({ extra: { top_k: 5 } })
})

test('the keyboard stays in the thread when a reply is asked for again', async () => {
  const gateway = createFakeGateway()
  const user = await say(gateway, 'Hello')
  await send(gateway, 0, events, text('Hi.'), ...end)
  screen.getByRole('button', { name: 'Try again' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(gateway.streams).toHaveLength(2))
  expect(document.activeElement).toBe(screen.getByRole('log'))
  await send(gateway, 1, events, text('Hi again.'), ...end)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await send(gateway, 2, events, text('Hi once more.'), ...end)
  screen.getByRole('button', { name: 'Earlier version' }).focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Hi again.')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Earlier version' }))
  await user.keyboard('{Enter}')
  await screen.findByText('Hi.')
})

test('a file that was removed can be chosen again', async () => {
  const gateway = createFakeGateway()
  const user = await open(gateway)
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) throw new Error('There is no field for files.')
  await user.upload(field, new File(['a,b'], 'a.csv', { type: 'text/csv' }))
  await screen.findByText('a.csv')
  // A browser tells only of a choice that differs from what the field holds.
  expect(field.value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Remove a.csv' }))
  await user.upload(field, new File(['a,b'], 'a.csv', { type: 'text/csv' }))
  await screen.findByText('a.csv')
  await type(user, 'Look')
  await waitFor(() => expect(gateway.streams).toHaveLength(1))
  expect(JSON.stringify(bodyOf(gateway, 0).messages)).toContain('a.csv')
})

test('each file that can’t be sent is told of, also a text that would be garbled', async () => {
  const gateway = createFakeGateway()
  const user = await open(gateway)
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) throw new Error('There is no field for files.')
  await user.upload(field, [
    new File([new Uint8Array([0, 1])], 'a.heic', { type: 'image/heic' }),
    new File([new Uint8Array([0xc4, 0xe3, 0xba, 0xc3])], 'gbk.txt', { type: 'text/plain' }),
    new File([], 'empty.txt', { type: 'text/plain' }),
    new File(['你好'], 'utf-8.txt', { type: 'text/plain' }),
  ])
  await screen.findByText('utf-8.txt')
  expect(screen.getByText(/^a\.heic can’t be sent: only images/)).toBeTruthy()
  expect(screen.getByText(/^gbk\.txt can’t be sent: its text isn’t UTF-8/)).toBeTruthy()
  expect(screen.queryByText('gbk.txt')).toBeNull()
  expect(screen.getByText('empty.txt can’t be sent: it’s empty.')).toBeTruthy()
  expect(screen.queryByText('empty.txt')).toBeNull()
})

test('files that are too large together are not all attached', async () => {
  const gateway = createFakeGateway()
  const user = await open(gateway)
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) throw new Error('There is no field for files.')
  const files = ['first.png', 'second.png'].map((name) => {
    const file = new File([new Uint8Array([1])], name, { type: 'image/png' })
    Object.defineProperty(file, 'size', { value: 30 * 1024 * 1024 })
    return file
  })
  await user.upload(field, files)
  await screen.findByText(/^second\.png is too large: attachments are limited to 45 MiB/)
  expect(screen.getByText('first.png')).toBeTruthy()
  expect(screen.queryByText('second.png')).toBeNull()
})
