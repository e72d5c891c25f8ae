import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ChannelTarget, EndpointType } from '../../../main/adaptor/adaptor.ts'
import { adaptorOf, channelTypes } from '../../../main/adaptor/adaptors.ts'
import { type Preset, presetRecord, presets } from '../../../main/adaptor/presets.ts'
import type { CallFormat } from '../../../main/convert/call-format.ts'
import { isWireFormat } from '../../../main/convert/codecs.ts'
import { adaptorFor, callOf, channelOf } from './channel-target.ts'

/** The calls of each endpoint type. */
const formats: Readonly<Record<EndpointType, readonly CallFormat[]>> = {
  openai: ['chat'],
  anthropic: ['messages'],
  gemini: ['generate-content'],
  'openai-response': ['responses', 'compact'],
  embeddings: ['embeddings', 'embed-content', 'batch-embed-contents'],
  'image-generation': ['images', 'image-edits'],
  'jina-rerank': ['rerank', 'cohere-rerank'],
  audio: ['transcriptions', 'speech'],
  realtime: [],
}

/** The format in which the vendor takes a call; null where it does not. */
function takenFormat(format: CallFormat, channel: ChannelTarget): CallFormat | null {
  if (isWireFormat(format)) return format
  const { otherFormat } = adaptorFor(channel)
  return otherFormat ? otherFormat(format, channel) : format
}

describe('the vendors that can be picked', () => {
  test('have all that a person is shown, and nothing else', () => {
    expect(z.array(presetRecord).parse(presets)).toEqual(presets)
  })

  test('are none that has closed, with no model that its vendor has taken away', () => {
    // https://platform.kimi.ai/docs/models, https://console.groq.com/docs/deprecations,
    // https://docs.fireworks.ai/updates/changelog; GitHub Models closed on 2026-07-30.
    const gone = /kimi-k2[.p]5|llama-3\.3-70b-versatile|models\.github\.ai/
    const stale = presets.flatMap(({ base_url, models }) => [base_url, ...models])
    expect(stale.filter((name) => gone.test(name))).toEqual([])
  })

  test('are at least 24, each once, each of a type that works', () => {
    expect(presets.length).toBeGreaterThanOrEqual(24)
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length)
    expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length)
    for (const { type } of presets) expect(adaptorOf(type), String(type)).toBeDefined()
  })

  test.each(presets.map((preset) => [preset.id, preset] as const))(
    '%s has a URL for every call that it names',
    (_id, preset: Preset) => {
      const baseUrl = preset.base_url || 'https://host.example'
      const channel = channelOf(preset.type, { preset: preset.id, baseUrl })
      const adaptor = adaptorFor(channel)
      if (preset.base_url) expect(adaptor.endpointTypes(channel)).toEqual(preset.endpoint_types)
      if (adaptor.local) return
      for (const type of preset.endpoint_types) {
        for (const format of formats[type]) {
          const taken = takenFormat(format, channel)
          if (taken === null) continue
          const { url } = adaptor.target(channel, callOf({ format: taken }))
          expect(url).not.toMatch(/\/(v\d\w*)\/(?:.*\/)?\1(?:\/|$)/)
          const base = (type === 'anthropic' && preset.anthropic_base_url) || preset.base_url
          const isBeside = ['cohere-', 'ollama-', 'tei-'].some((name) => taken.startsWith(name))
          if (base) expect(url.startsWith(isBeside ? new URL(base).origin : base)).toBe(true)
        }
      }
    },
  )

  test('are not asked for stream_options where they refuse a request with it', () => {
    const refusing = presets.filter(({ stream_options }) => stream_options === false)
    expect(refusing.map(({ id }) => id)).toEqual(['mistral', 'perplexity', 'cohere'])
  })

  test('take a call of each kind that they name, but for OpenAI, whose rankings are the list’s', () => {
    const inVain = presets.flatMap((preset) => {
      const baseUrl = preset.base_url || 'https://host.example'
      const channel = channelOf(preset.type, { preset: preset.id, baseUrl })
      return preset.endpoint_types
        .filter((type) => formats[type].length > 0)
        .filter((type) => formats[type].every((format) => takenFormat(format, channel) === null))
        .map((type) => `${preset.id} ${type}`)
    })
    expect(inVain).toEqual(['openai jina-rerank'])
  })
})

test('channel types keep their numbers', () => {
  expect(channelTypes.map(({ type }) => type)).toEqual([
    1, 3, 4, 8, 14, 17, 20, 24, 25, 26, 27, 34, 35, 38, 40, 42, 43, 45, 46, 47, 48, 53, 900,
  ])
})
