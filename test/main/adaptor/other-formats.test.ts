import { describe, expect, test } from 'vitest'
import type { ChannelTarget } from '../../../main/adaptor/adaptor.ts'
import { channelTypes } from '../../../main/adaptor/adaptors.ts'
import type { OtherFormat } from '../../../main/convert/call-format.ts'
import { adaptorFor, channelOf } from './channel-target.ts'

const clientFormats: readonly OtherFormat[] = [
  'completions',
  'compact',
  'embeddings',
  'embed-content',
  'batch-embed-contents',
  'images',
  'image-edits',
  'image-variations',
  'transcriptions',
  'translations',
  'speech',
  'rerank',
  'cohere-rerank',
]

/** Formats that are taken in another one, or not at all; the rest is taken as it came. */
function differences(channel: ChannelTarget) {
  const adaptor = adaptorFor(channel)
  const rows = clientFormats.map((format) => [format, adaptor.otherFormat?.(format, channel)])
  return Object.fromEntries(rows.filter(([format, taken]) => format !== taken))
}

const oneEmbedding = { 'embed-content': 'embeddings', 'batch-embed-contents': 'embeddings' }
const embeddingsAs = (format: OtherFormat) => ({
  embeddings: format,
  'embed-content': format,
  'batch-embed-contents': format,
})
const host = { baseUrl: 'https://host.example' }

describe('the format in which a vendor takes a call', () => {
  test('a compatible host: one kind of embeddings, one kind of ranking', () => {
    expect(differences(channelOf(1, host))).toEqual({ ...oneEmbedding, 'cohere-rerank': 'rerank' })
  })

  test('OpenAI itself has no rankings, and no completions any more', () => {
    expect(differences(channelOf(1))).toEqual({
      ...oneEmbedding,
      completions: null,
      rerank: null,
      'cohere-rerank': null,
    })
  })

  test('Gemini: its own embeddings; images, speech and transcripts by generateContent', () => {
    expect(differences(channelOf(24))).toEqual({
      embeddings: 'batch-embed-contents',
      images: 'generate-content',
      'image-edits': 'generate-content',
      transcriptions: 'generate-content',
      translations: 'generate-content',
      speech: 'generate-content',
      completions: null,
      compact: null,
      'image-variations': null,
      rerank: null,
      'cohere-rerank': null,
    })
  })

  test('Anthropic takes none', () => {
    expect(Object.values(differences(channelOf(14)))).toEqual(clientFormats.map(() => null))
  })

  test('Azure has no rankings and no variations', () => {
    const baseUrl = 'https://mine.openai.azure.com'
    expect(differences(channelOf(3, { baseUrl }))).toEqual({
      ...oneEmbedding,
      'image-variations': null,
      rerank: null,
      'cohere-rerank': null,
    })
  })

  test.each([
    [34, { ...embeddingsAs('cohere-embed'), rerank: 'cohere-rerank', completions: null }],
    [38, { ...embeddingsAs('jina-embed'), 'cohere-rerank': 'rerank' }],
    [4, { ...embeddingsAs('ollama-embed'), 'cohere-rerank': 'rerank' }],
  ])('type %i has embeddings of its own', (type, expected) => {
    expect(differences(channelOf(type))).toEqual(expected)
  })

  test('a host ranks as its preset says, or its owner', () => {
    const rankOf = (fields: Partial<ChannelTarget>) => {
      const { rerank = 'rerank', 'cohere-rerank': other } = differences(channelOf(1, fields))
      return [rerank, other]
    }
    expect(rankOf({ preset: 'tei' })).toEqual(['tei-rerank', 'tei-rerank'])
    expect(rankOf({ ...host, settings: { rerank_format: 'tei' } })).toEqual([
      'tei-rerank',
      'tei-rerank',
    ])
    expect(rankOf({ ...host, settings: { rerank_format: 'cohere' } })).toEqual([
      'cohere-rerank',
      undefined,
    ])
    expect(rankOf({ preset: 'voyage' })).toEqual(['voyage-rerank', 'voyage-rerank'])
    expect(rankOf({ preset: 'tei', settings: { rerank_format: 'jina' } })).toEqual([
      'rerank',
      'rerank',
    ])
  })

  test('completions become conversations where the vendor has none', () => {
    const completionsOf = (type: number, fields: Partial<ChannelTarget> = {}) => {
      const channel = channelOf(type, fields)
      return adaptorFor(channel).otherFormat?.('completions', channel)
    }
    expect(completionsOf(1, { preset: 'groq' })).toBeNull()
    expect(completionsOf(1, { baseUrl: 'https://api.deepseek.com' })).toBeNull()
    expect(completionsOf(43)).toBeNull()
    expect(completionsOf(43, { settings: { completions: true } })).toBe('completions')
    expect(completionsOf(1, { preset: 'vllm' })).toBe('completions')
    expect(completionsOf(1, { preset: 'vllm', settings: { completions: false } })).toBeNull()
  })

  test('a base URL that cannot be used stops no choice among channels', () => {
    for (const { type } of channelTypes) {
      const channel = channelOf(type, { baseUrl: 'ftp://nowhere' })
      for (const format of clientFormats) {
        expect(() => adaptorFor(channel).otherFormat?.(format, channel)).not.toThrow()
      }
    }
  })
})

describe('a custom URL takes', () => {
  const taken = (baseUrl: string, format: OtherFormat, settings = {}) => {
    const channel = channelOf(8, { baseUrl, settings })
    return adaptorFor(channel).otherFormat?.(format, channel)
  }

  test('embeddings and rankings of every kind in its own', () => {
    expect(taken('https://h/v1/embeddings', 'batch-embed-contents')).toBe('embeddings')
    expect(taken('https://h/v2/embed', 'embeddings')).toBe('cohere-embed')
    expect(taken('https://h/m/{model}:embedContent', 'embeddings')).toBe('embed-content')
    expect(taken('https://h/v2/rerank', 'rerank')).toBe('cohere-rerank')
    expect(taken('https://h/rerank', 'cohere-rerank')).toBe('rerank')
    expect(taken('https://h/rerank', 'cohere-rerank', { rerank_format: 'tei' })).toBe('tei-rerank')
  })

  test('completions only where it is for them', () => {
    expect(taken('https://h/v1/completions', 'completions')).toBe('completions')
    expect(taken('https://h/v1/chat/completions', 'completions')).toBeNull()
    expect(taken('https://h/run', 'completions')).toBeNull()
  })

  test('and serves what it ends in', () => {
    const served = (baseUrl: string) => {
      const channel = channelOf(8, { baseUrl })
      return adaptorFor(channel).endpointTypes(channel)
    }
    expect(served('https://h/v1/embeddings')).toEqual(['embeddings'])
    expect(served('https://h/v2/rerank')).toEqual(['jina-rerank'])
    expect(served('https://h/v1/images/edits')).toEqual(['image-generation'])
    expect(served('https://h/v1/audio/speech')).toEqual(['audio'])
    expect(served('https://h/v1/completions')).toEqual(['openai'])
    expect(served('https://h/v1/responses/compact')).toEqual(['openai-response'])
  })
})
