import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { bodyOf, open, say, send } from './chat-stage.ts'
import { end, events, text } from './streamed-reply.ts'

const file = (name: string, type: string, content: string | Uint8Array<ArrayBuffer>) =>
  new File([content], name, { type })

const drop = (target: Element, ...files: File[]) =>
  fireEvent.drop(target, { dataTransfer: { types: ['Files'], files } })

describe('files', () => {
  test('that are dropped anywhere or pasted are sent, each as its kind', async () => {
    const gateway = createFakeGateway()
    const user = await open(gateway)
    // False: the browser doesn’t leave the page for the file.
    expect(drop(document.body, file('dot.png', 'image/png', 'PNG'))).toBe(false)
    await screen.findByText('dot.png')
    const field = screen.getByLabelText('Message')
    const clip = [file('a.pdf', 'application/pdf', 'PDF'), file('talk.wav', 'audio/wav', 'WAV')]
    fireEvent.paste(field, { clipboardData: { files: clip } })
    await screen.findByText('talk.wav')
    drop(screen.getByRole('region', { name: 'Conversation' }), file('a.csv', 'text/csv', 'a,b'))
    await screen.findByText('a.csv')
    await user.click(screen.getByRole('button', { name: 'Remove a.pdf' }))
    await user.click(field)
    await user.paste('Look')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(bodyOf(gateway, 0).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,UE5H' } },
          { type: 'input_audio', input_audio: { data: 'V0FW', format: 'wav' } },
          { type: 'text', text: 'a.csv:\n\na,b' },
          { type: 'text', text: 'Look' },
        ],
      },
    ])
    const said = screen.getByRole('article', { name: 'You' })
    expect(within(said).getByAltText('dot.png')).toBeTruthy()
  })

  test('a PDF is sent with its name', async () => {
    const gateway = createFakeGateway()
    const user = await open(gateway)
    drop(document.body, file('a.pdf', 'application/pdf', 'PDF'))
    await screen.findByText('a.pdf')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    const data = 'data:application/pdf;base64,UERG'
    expect(JSON.stringify(bodyOf(gateway, 0))).toContain(
      JSON.stringify({ filename: 'a.pdf', file_data: data }),
    )
  })

  test('are texts by what is in them: browsers take a .ts file for a film', async () => {
    await open(createFakeGateway())
    drop(document.body, file('answer.ts', 'video/mp2t', 'const answer = 42 // ·'))
    await screen.findByText('answer.ts')
    drop(document.body, file('film.ts', 'video/mp2t', new Uint8Array([0x47, 0x40, 0, 0xff])))
    await screen.findByText(/^film\.ts can’t be sent/)
    expect(screen.queryByText('film.ts')).toBeNull()
  })

  test('one that can’t be sent is told of beside those that can, until the message is sent', async () => {
    const gateway = createFakeGateway()
    const user = await open(gateway)
    const thing = file('thing.exe', '', new Uint8Array([0, 0xff]))
    drop(document.body, thing, file('a.csv', 'text/csv', 'a,b'))
    await screen.findByText('a.csv')
    expect(screen.getByText(/^thing\.exe can’t be sent/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(screen.queryByText(/^thing\.exe can’t be sent/)).toBeNull()
  })

  test('one that isn’t sent yet is there again after another page', async () => {
    const gateway = createFakeGateway()
    const user = await open(gateway)
    drop(document.body, file('a.csv', 'text/csv', 'a,b'))
    await screen.findByText('a.csv')
    await user.click(screen.getByRole('link', { name: 'Calls' }))
    await screen.findByRole('heading', { name: 'Calls' })
    await user.click(screen.getByRole('link', { name: 'Playground' }))
    await screen.findByText('a.csv')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(JSON.stringify(bodyOf(gateway, 0))).toContain('a,b')
  })

  test('text that is dropped goes where the browser puts it', async () => {
    await open(createFakeGateway())
    const dataTransfer = { types: ['text/plain'], files: [] }
    expect(fireEvent.drop(screen.getByLabelText('Message'), { dataTransfer })).toBe(true)
  })
})

describe('before sending', () => {
  const estimate = {
    ...{ input_tokens: 9, cost: null, left: null, refusal: null, losses: [], request: null },
  }

  test('files count by their size, and no byte of them is sent to be estimated', async () => {
    const gateway = createFakeGateway({ 'playground.preview': () => estimate })
    await open(gateway)
    drop(document.body, file('big.png', 'image/png', new Uint8Array(900_000)))
    await screen.findByText('≈ 9 tokens in')
    const { input } = gateway.calls.findLast(({ name }) => name === 'playground.preview') ?? {}
    expect(input).toMatchObject({ files: [{ kind: 'image', type: 'image/png', size: 900_000 }] })
    expect(JSON.stringify(input).length).toBeLessThan(1000)
  })

  test('a broken parameter ends the estimate, and an earlier problem goes away', async () => {
    const gateway = createFakeGateway({
      'playground.preview': () => {
        throw new Error('No channel serves it.')
      },
    })
    const user = await open(gateway)
    await user.click(screen.getByLabelText('Message'))
    await user.paste('Hello')
    await screen.findByText('No channel serves it.')
    const more = screen.getByLabelText('More fields')
    await user.click(more)
    await user.paste('no JSON')
    await screen.findByText('Column 1 has an invalid parameter.')
    await waitFor(() => expect(screen.queryByText('No channel serves it.')).toBeNull())
    expect(screen.queryByText('Estimating…')).toBeNull()
    gateway.answer('playground.preview', () => estimate)
    await user.clear(more)
    await screen.findByText('≈ 9 tokens in')
  })

  test('an estimate that comes late says nothing of what was typed since', async () => {
    const waiting: ((tokens: number) => void)[] = []
    const gateway = createFakeGateway({
      'playground.preview': () =>
        new Promise((resolve) => {
          waiting.push((tokens) => resolve({ ...estimate, input_tokens: tokens }))
        }),
    })
    const user = await open(gateway)
    await user.click(screen.getByLabelText('Message'))
    await user.paste('Hello')
    await waitFor(() => expect(waiting).toHaveLength(1))
    await user.paste(' and more')
    await waitFor(() => expect(waiting).toHaveLength(2))
    waiting[1]?.(22)
    await screen.findByText('≈ 22 tokens in')
    await act(async () => waiting[0]?.(11))
    expect(screen.getByText('≈ 22 tokens in')).toBeTruthy()
  })

  test('a token can be chosen to send as, and the estimate is that of the token', async () => {
    const gateway = createFakeGateway({
      'token.list': () => ({ ...emptyPage, total: 1, items: [{ id: 7, name: 'laptop' }] }),
      'playground.preview': ({ token }: { token?: number }) => ({
        ...estimate,
        refusal: token === 7 ? 'The token "laptop" has used up its quota.' : null,
      }),
    })
    const user = await open(gateway)
    await user.click(await screen.findByRole('combobox', { name: 'Send as token' }))
    await user.click(await screen.findByRole('option', { name: 'laptop (#7)' }))
    await user.click(screen.getByLabelText('Message'))
    await user.paste('Hello')
    await screen.findByText(/The token .laptop. has used up its quota/)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    expect(gateway.streams[0]?.input).toMatchObject({ model: 'echo', token: 7 })
  })
})

const emptyPage = { page: 1, page_size: 100, total: 0, items: [] }

describe('a conversation', () => {
  test.each([
    ['the words typed', 'Ask me later'],
    ['the files chosen', 'a.csv'],
  ])('in which nothing was sent yet is in the list, by %s in it', async (_what, name) => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Hi'), ...end)
    const show = async (pattern: RegExp) => {
      await user.click(screen.getByRole('button', { name: 'Conversations' }))
      const list = await screen.findByRole('dialog', { name: 'Conversations' })
      await user.click(await within(list).findByRole('button', { name: pattern }))
    }
    await user.click(screen.getByRole('button', { name: 'New conversation' }))
    if (name === 'a.csv') drop(document.body, file(name, 'text/csv', 'a,b'))
    else await user.type(screen.getByLabelText('Message'), name)
    await waitFor(() => expect(screen.queryByText(name)).not.toBeNull())
    await show(/^Hello/)
    await screen.findByText('Hi')
    expect(screen.queryByText(name)).toBeNull()
    await show(new RegExp(`^${name}.*· Not sent ·`))
    await screen.findByText(name)
  })

  test('is renamed in its bar, and exported whole as JSON under that name', async () => {
    const gateway = createFakeGateway()
    const user = await say(gateway, 'Hello')
    await send(gateway, 0, events, text('Hi **there**'), ...end)
    const name = screen.getByLabelText('Conversation name')
    await user.clear(name)
    await user.type(name, 'Greetings{Enter}')
    await user.click(screen.getByRole('button', { name: 'Conversations' }))
    const list = await screen.findByRole('dialog', { name: 'Conversations' })
    const saved: Promise<string> = new Promise((resolve) => {
      const create = URL.createObjectURL
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = create
        void (blob as Blob).text().then(resolve)
        return create(blob as Blob)
      }
    })
    await user.click(
      await within(list).findByRole('button', { name: 'Export “Greetings” as JSON' }),
    )
    const record = JSON.parse(await saved)
    expect(record).toMatchObject({ name: 'Greetings', columns: [{ settings: { model: 'echo' } }] })
    expect(record.columns[0].turns).toMatchObject([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hi **there**', model: 'echo' },
    ])
  })
})
