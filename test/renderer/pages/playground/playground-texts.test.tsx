import { resolveObjectURL } from 'node:buffer'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { answer, fillIn, openPlayground } from './playground-answers.ts'

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((one) => one.textContent)

/** As vendors send it: little-endian 32-bit floats. */
const toBase64 = (numbers: number[]) =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64')

describe('transcription', () => {
  const recording = new File([new Uint8Array([73, 68, 51, 255])], 'talk.mp3', {
    type: 'audio/mpeg',
  })

  async function transcribe(format?: string) {
    const opened = await openPlayground('?mode=transcription&model=echo')
    const { user, gateway } = opened
    if (format) {
      await user.click(screen.getByRole('combobox', { name: 'Format' }))
      await user.click(await screen.findByRole('option', { name: format }))
    }
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('There is no field for a file.')
    await user.upload(input, recording)
    await user.click(screen.getByRole('button', { name: 'Transcribe' }))
    await waitFor(() => expect(gateway.streams).toHaveLength(1))
    return opened
  }

  test('sends the file whole, and shows the words with the seconds that were heard', async () => {
    const { gateway } = await transcribe()
    expect(gateway.streams[0]?.input).toEqual({
      model: 'echo',
      file: { name: 'talk.mp3', type: 'audio/mpeg', data: 'SUQz/w==' },
    })
    await answer(gateway, 0, { text: 'Good morning.', usage: { type: 'duration', seconds: 7 } })
    expect(screen.getByText('Good morning.')).toBeTruthy()
    expect(screen.getByText('7 seconds of audio')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Download talk.txt' })).toBeTruthy()
  })

  test('subtitles are shown and saved as they came', async () => {
    const { gateway } = await transcribe('srt')
    const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGood morning.\n'
    await answer(gateway, 0, subtitles, { type: 'text/plain; charset=utf-8' })
    expect(screen.getByText(/00:00:00,000 --> 00:00:02,000/)).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Download talk.srt' })
    const saved = resolveObjectURL(link.getAttribute('href') ?? '')
    expect(await saved?.text()).toBe(subtitles)
  })
})

describe('embeddings', () => {
  async function embed(lines: string) {
    const opened = await openPlayground('?mode=embeddings&model=echo')
    await fillIn(opened.user, screen.getByLabelText('Texts, one per line'), lines)
    await opened.user.click(screen.getByRole('button', { name: 'Embed' }))
    return opened
  }

  test('are put to their lines by index, and compared', async () => {
    const { gateway } = await embed('east\n\nnorth\nnorth-east')
    expect(gateway.streams[0]?.input).toMatchObject({ input: ['east', 'north', 'north-east'] })
    await answer(gateway, 0, {
      data: [
        { index: 2, embedding: [3, 3] },
        { index: 0, embedding: toBase64([2, 0]) },
        { index: 1, embedding: [0, 1] },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })
    const [, east, north, both] = screen.getAllByRole('row')
    expect(cellsOf(east as HTMLElement)).toEqual(['2.0000', '1.00', '0.00', '0.71'])
    expect(cellsOf(north as HTMLElement)).toEqual(['1.0000', '0.00', '1.00', '0.71'])
    expect(cellsOf(both as HTMLElement)).toEqual(['4.2426', '0.71', '0.71', '1.00'])
    expect(screen.getByText(/^3 vectors of 2 dimensions/)).toBeTruthy()
    expect(screen.getByText('5 tokens in')).toBeTruthy()
  })

  test('whose use nobody told show no number for it', async () => {
    const { gateway } = await embed('east')
    await answer(gateway, 0, { data: [{ embedding: [1, 0] }] })
    expect(screen.getByText(/^1 vector of 2 dimensions/)).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Result' }).textContent).not.toMatch(/token/)
  })

  test('a line without a vector is no success', async () => {
    const { gateway } = await embed('east\nwest')
    await answer(gateway, 0, { data: [{ index: 0, embedding: [1, 0] }] })
    expect(screen.getByText('The answer can’t be read.')).toBeTruthy()
  })
})

describe('rerank', () => {
  test('puts the best first, each with its score and the line it stood in', async () => {
    const { gateway, user } = await openPlayground('?mode=rerank&model=echo')
    await fillIn(user, screen.getByLabelText('Query'), 'Who sleeps?')
    await fillIn(
      user,
      screen.getByLabelText('Documents, one per line'),
      'Stocks fell.\nKoalas sleep.',
    )
    await user.click(screen.getByRole('button', { name: 'Rank' }))
    expect(gateway.streams[0]?.input).toEqual({
      model: 'echo',
      query: 'Who sleeps?',
      documents: ['Stocks fell.', 'Koalas sleep.'],
    })
    await answer(gateway, 0, {
      results: [
        { index: 0, relevance_score: -4.25 },
        { index: 1, relevance_score: 6.5 },
      ],
      meta: { billed_units: { search_units: 1 } },
    })
    const documents = screen.getAllByRole('listitem').map((one) => one.textContent)
    expect(documents).toEqual(['Koalas sleep.6.5000was line 2', 'Stocks fell.-4.2500was line 1'])
    expect(screen.getByText('1 search unit')).toBeTruthy()
  })
})
