import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { splitThought } from '../../../../renderer/pages/playground/chat/stream/split-thought.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { bodyOf, say, send, type } from './chat-stage.ts'
import { chunk, end, events, text } from './streamed-reply.ts'

const reply = '<think>\nThey greet me.\n</think>\n\nGood morning.'
const lastReply = () => screen.getAllByRole('article').at(-1) as HTMLElement
const thought = () => lastReply().querySelector('details')

test.each([
  [reply, 'They greet me.', 'Good morning.'],
  ['\n <think>Hm.</think>Hi', 'Hm.', 'Hi'],
  // The model didn't think.
  ['<think>\n\n</think>\n\nHi', '', 'Hi'],
  ['<think>Cut while it thou', 'Cut while it thou', ''],
  ['<think>Cut in the tag.</thi', 'Cut in the tag.', ''],
  ['<thi', '', '<thi'],
  ['Put it between <think> and </think>.', '', 'Put it between <think> and </think>.'],
  ['<thinking> is another tag', '', '<thinking> is another tag'],
  ['<think>a < b</think>One </think> more.', 'a < b', 'One </think> more.'],
])('%j is told apart', (content, reasoning, text) => {
  expect(splitThought(content)).toEqual({ reasoning, text })
})

test('however a stream is cut, no piece of a tag is ever shown', () => {
  for (let length = 0; length <= reply.length; length++) {
    const { reasoning, text } = splitThought(reply.slice(0, length), true)
    expect('They greet me.\n').toContain(reasoning)
    expect('Good morning.').toContain(text)
  }
})

describe('a thought between tags', () => {
  test('is folded above its reply, and open while nothing else has come', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('<thi'))
    expect(lastReply().textContent).not.toContain('<thi')
    await send(gateway, 0, text('nk>\nThey greet'), text(' me.\n</th'))
    expect(thought()?.open).toBe(true)
    expect(thought()?.textContent).toContain('They greet me.')
    await send(gateway, 0, text('ink>\n\nGood '), text('morning.'), ...end)
    expect(screen.getByText('Good morning.')).toBeTruthy()
    expect(thought()?.open).toBe(false)
    expect(lastReply().textContent).not.toContain('think>')
  })

  test('goes back to the model that wrote it so', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text(reply), ...end)
    await type(user, 'And now?')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(bodyOf(gateway, 1).messages).toContainEqual({ role: 'assistant', content: reply })
  })

  test('that is stopped in the middle of a tag keeps what came', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('<thi'))
    await user.keyboard('{Escape}')
    expect(screen.getByText('<thi')).toBeTruthy()
  })

  test('is text where the vendor has a field for thoughts', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    const field = chunk({ choices: [{ delta: { reasoning_content: 'They ask for a tag.' } }] })
    await send(gateway, 0, events, field, text('`a` <think>b</think>'), ...end)
    expect(lastReply().textContent).toContain('<think>b</think>')
    expect(thought()?.textContent).toContain('They ask for a tag.')
  })
})
