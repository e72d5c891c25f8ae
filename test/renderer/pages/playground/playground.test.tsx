import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { bodyOf, bookedCall, say, send, type } from './chat-stage.ts'
import { chunk, end, events, text } from './streamed-reply.ts'

describe('the playground', () => {
  test('shows the reply as it comes, then its figures and its place in the inspector', async () => {
    const gateway = createFakeGateway()
    gateway.answer('call.one', () => ({ ...bookedCall }))
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Good **mor'), text('ning**'))
    expect(screen.getByText('morning').tagName).toBe('STRONG')
    await send(
      gateway,
      0,
      chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      chunk({ choices: [], usage: { prompt_tokens: 1423, completion_tokens: 88 } }),
      ...end,
    )
    const foot = screen.getByRole('region', { name: 'Conversation' })
    await within(foot).findByText('1,423')
    expect(within(foot).getByText('88')).toBeTruthy()
    await within(foot).findByText('Work account')
    expect(within(foot).getByText('$0.002')).toBeTruthy()
    expect(within(foot).getByText('1 loss in conversion')).toBeTruthy()
    const link = within(foot).getByRole('link', { name: 'Open in inspector' })
    expect(link.getAttribute('href')).toBe('/console/calls?open=req-1')
  })

  test('sends only the parameters that were set', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    expect(gateway.streams[0]?.input).toEqual({
      model: 'echo',
      format: 'chat',
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    })
  })

  test('Esc cancels the call and keeps what had come', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Half an ans'))
    await user.keyboard('{Escape}')
    expect(gateway.streams[0]?.cancelled).toBe(true)
    await send(gateway, 0, text('wer'), { type: 'end' })
    expect(screen.getByText('Half an ans')).toBeTruthy()
    expect(screen.getByText('stopped')).toBeTruthy()
  })

  test('a refusal shows the vendor’s own sentence, and Try again keeps it as an earlier version', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    const error = { message: 'Your credit balance is too low.', code: 'insufficient_quota' }
    await send(
      gateway,
      0,
      { type: 'start', status: 429, headers: { 'content-type': 'application/json' } },
      { type: 'chunk', bytes: new TextEncoder().encode(JSON.stringify({ error })) },
      { type: 'end' },
    )
    expect(screen.getByText('Your credit balance is too low.')).toBeTruthy()
    expect(screen.getByText(/429 · insufficient_quota/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await send(gateway, 1, events, text('Now it works.'), ...end)
    expect(gateway.streams[1]?.input).toEqual(gateway.streams[0]?.input)
    expect(screen.queryByText('Your credit balance is too low.')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Earlier version' }))
    expect(screen.getByText('Your credit balance is too low.')).toBeTruthy()
    expect(screen.queryByText('Now it works.')).toBeNull()
  })

  test('a reply that breaks off is not passed off as whole', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Half an ans'), { type: 'end' })
    expect(screen.getByText('Reply interrupted')).toBeTruthy()
  })

  test('a second message carries the first turn and its reply', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await type(user, 'Two')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(bodyOf(gateway, 1)).toEqual({
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'First' },
        { role: 'user', content: 'Two' },
      ],
    })
  })

  test('pictures in a reply are linked, not fetched', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('![map](https://tracker.example/x.png)'))
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: 'Image: map' })).toBeTruthy()
  })

  test('links of a reply that lead nowhere outside are its text: a path would open the console', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    const links = '[docs](https://docs.example) [main.ts](src/main.ts) [run](javascript:alert())'
    await send(gateway, 0, events, text(links))
    const reply = within(screen.getAllByRole('article').at(-1) as HTMLElement)
    expect(reply.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['docs'])
    expect(reply.getByText(/main\.ts run/)).toBeTruthy()
  })

  test('code in a reply is named as such to a screen reader', async () => {
    const gateway = createFakeGateway()
    await say(gateway, 'Hello')
    await send(gateway, 0, events, text('```ts\nconst a = 1\n```'))
    expect(screen.getByRole('button', { name: 'Copy: Code' })).toBeTruthy()
  })

  test('an edited message is another version: the first stays, and what followed it', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const field = screen.getByRole('textbox', { name: 'Edit' })
    await user.clear(field)
    await user.type(field, 'Uno')
    await user.click(screen.getByRole('button', { name: 'Send edited' }))
    await send(gateway, 1, events, text('Primo'), ...end)
    expect(bodyOf(gateway, 1)).toEqual({ messages: [{ role: 'user', content: 'Uno' }] })
    expect(screen.getByText('2 of 2')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Earlier version' }))
    expect(screen.getByText('First')).toBeTruthy()
    expect(screen.queryByText('Primo')).toBeNull()
  })

  test('a branch is a conversation of its own that begins with the turns up to there', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    await type(user, 'Two')
    await send(gateway, 1, events, text('Second'), ...end)
    const [first] = screen.getAllByRole('article', { name: 'echo' })
    if (!first) throw new Error('There is no reply.')
    await user.click(within(first).getByRole('button', { name: 'Branch from here' }))
    await waitFor(() => expect(screen.queryByText('Second')).toBeNull())
    await type(user, 'Three')
    await waitFor(() => expect(gateway.streams).toHaveLength(3))
    expect(JSON.stringify(bodyOf(gateway, 2))).not.toContain('Two')
    expect(JSON.stringify(bodyOf(gateway, 2))).toContain('First')
  })

  test('a branch, and a branch of it, have names of their own in the list', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Conversation name' })
    const branch = () =>
      user.click(screen.getAllByRole('button', { name: 'Branch from here' }).at(-1) as HTMLElement)
    await branch()
    await waitFor(() => expect(name().value).toBe('One (2)'))
    await branch()
    await waitFor(() => expect(name().value).toBe('One (3)'))
  })

  test('a branch that comes late doesn’t take the place of a conversation begun meanwhile', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'One')
    await send(gateway, 0, events, text('First'), ...end)
    const [branch] = screen.getAllByRole('button', { name: 'Branch from here' })
    fireEvent.click(branch as HTMLElement)
    fireEvent.click(screen.getByRole('button', { name: 'New conversation' }))
    await type(user, 'Two')
    await waitFor(() => expect(gateway.streams).toHaveLength(2))
    expect(bodyOf(gateway, 1)).toEqual({ messages: [{ role: 'user', content: 'Two' }] })
  })
})
