import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { answer, fillIn, openPlayground } from './playground-answers.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const result = () => screen.getByRole('region', { name: 'Result' })

describe('pictures', () => {
  test('stand there to be enlarged and saved, with what they used', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'A lighthouse')
    await fillIn(user, screen.getByLabelText('Number of images'), '2')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    await answer(gateway, 0, {
      data: [{ b64_json: pixel, revised_prompt: 'A tall lighthouse' }, { b64_json: pixel }],
      usage: { input_tokens: 14, output_tokens: 1056, total_tokens: 1070 },
    })
    expect(gateway.streams[0]).toMatchObject({
      name: 'playground.images',
      input: { model: 'echo', prompt: 'A lighthouse', n: 2 },
    })
    expect(Object.keys(gateway.streams[0]?.input as object)).toEqual(['model', 'prompt', 'n'])
    expect(screen.getByText('14 in · 1,056 out')).toBeTruthy()
    const save = screen.getByRole('link', { name: 'Download image-2.png' })
    expect(save.getAttribute('href')).toMatch(/^blob:/)
    await user.click(screen.getByRole('button', { name: 'Enlarge: Image 1' }))
    const dialog = await screen.findByRole('dialog', { name: 'Image 1' })
    expect(within(dialog).getByAltText('A tall lighthouse')).toBeTruthy()
  })

  test('say what they cost, by which channel, and lead to the inspector', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    gateway.answer('call.one', () => ({
      ...{ kind: 'call', type: 2, status: 200, other: '{}', request_id: 'req-9' },
      ...{ channel_name: 'Painter', quota: 20_000, prompt_tokens: 14, completion_tokens: 1056 },
    }))
    await fillIn(user, screen.getByLabelText('Prompt'), 'A lighthouse')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    await answer(gateway, 0, { data: [{ b64_json: pixel }] }, { id: 'req-9' })
    expect(await screen.findByText('Channel Painter')).toBeTruthy()
    expect(screen.getByText('Cost $0.04')).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Open in inspector' })
    expect(link.getAttribute('href')).toBe('/console/calls?open=req-9')
  })

  test('that came as data in their address are shown and saved like others', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'A lighthouse')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    await answer(gateway, 0, { data: [{ url: `data:image/png;base64,${pixel}` }] })
    const save = await screen.findByRole('link', { name: 'Download image-1.png' })
    expect(save.getAttribute('href')).toMatch(/^blob:/)
  })

  test('that lie at the vendor are linked, not fetched', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'A lighthouse')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await answer(gateway, 0, { data: [{ url: 'https://pictures.example/1.png' }] })
    expect(within(result()).queryByRole('img')).toBeNull()
    const link = screen.getByRole('link', { name: 'Open in browser' })
    expect(link.getAttribute('href')).toBe('https://pictures.example/1.png')
  })

  test('a refusal is the vendor’s own sentence, and the prompt stays', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'Something')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    const error = { message: 'Rejected by the safety system.', code: 'moderation_blocked' }
    await answer(gateway, 0, { error }, { status: 400 })
    expect(screen.getByRole('alert').textContent).toContain('Rejected by the safety system.')
    expect(screen.getByText(/400 · moderation_blocked/)).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Prompt').value).toBe('Something')
  })

  test('Stop ends the call, and what it still brings is not shown', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'Something')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    expect(screen.getByText('Generating…')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(gateway.streams[0]?.cancelled).toBe(true)
    await answer(gateway, 0, { data: [{ b64_json: pixel }] })
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.getByText(/^Stopped/)).toBeTruthy()
  })

  test('an answer that is none says so', async () => {
    const { gateway, user } = await openPlayground('?mode=image&model=echo')
    await fillIn(user, screen.getByLabelText('Prompt'), 'Something')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await answer(gateway, 0, { created: 1 })
    expect(screen.getByText('The answer can’t be read.')).toBeTruthy()
  })
})

describe('speech', () => {
  test('is asked for as WAV, as MP3 where the vendor has no WAV, and can be played', async () => {
    const { gateway, user } = await openPlayground('?mode=speech&model=echo')
    await fillIn(user, screen.getByLabelText('Text'), 'Hello')
    await user.click(screen.getByRole('button', { name: 'Speak' }))
    const error = { message: 'response_format: wav is not served. Ask for mp3.' }
    await answer(gateway, 0, { error }, { status: 400 })
    await answer(gateway, 1, new Uint8Array([255, 251, 144, 0]), { type: 'audio/mpeg' })
    expect(gateway.streams.map(({ input }) => input)).toEqual([
      { model: 'echo', input: 'Hello', voice: 'alloy', response_format: 'wav' },
      { model: 'echo', input: 'Hello', voice: 'alloy', response_format: 'mp3' },
    ])
    expect(screen.getByLabelText('Generated speech').getAttribute('src')).toMatch(/^blob:/)
    expect(screen.getByRole('link', { name: 'Download speech.mp3' })).toBeTruthy()
    expect(screen.getByText('4 B')).toBeTruthy()
  })

  test('in a format that was chosen is refused once, not asked for in another', async () => {
    const { gateway, user } = await openPlayground('?mode=speech&model=echo')
    await fillIn(user, screen.getByLabelText('Text'), 'Hello')
    await user.click(screen.getByRole('combobox', { name: 'Format' }))
    await user.click(await screen.findByRole('option', { name: 'opus' }))
    await user.click(screen.getByRole('button', { name: 'Speak' }))
    const error = { message: 'response_format: opus is not served.' }
    await answer(gateway, 0, { error }, { status: 400 })
    expect(screen.getByText('response_format: opus is not served.')).toBeTruthy()
    expect(gateway.streams).toHaveLength(1)
  })
})

describe('what can be tried', () => {
  test('is what the model can do, and the address keeps it', async () => {
    const { user } = await openPlayground('?model=echo')
    expect(screen.getByLabelText('Message')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Rerank' }))
    expect(screen.getByLabelText('Query')).toBeTruthy()
    expect(window.location.search).toBe('?model=echo&mode=rerank')
  })

  test('a model that cannot do it is tried with what it can, without a switch', async () => {
    const { user } = await openPlayground('?model=echo&mode=image')
    await user.click(screen.getByRole('combobox', { name: 'Model' }))
    const option = await screen.findByRole('option', { name: /embedder/ })
    expect(option.textContent).toContain('Embeddings')
    await user.click(option)
    expect(screen.getByLabelText('Texts, one per line')).toBeTruthy()
    expect(screen.queryByRole('radiogroup')).toBeNull()
  })

  test('a link that names only what to try finds a model for it', async () => {
    await openPlayground('?mode=embeddings')
    expect(screen.getByLabelText('Texts, one per line')).toBeTruthy()
  })
})
