import { describe, expect, test } from 'vitest'
import { adaptorOf, channelTypes } from '../../../main/adaptor/adaptors.ts'
import { type Preset, presets } from '../../../main/adaptor/presets.ts'
import { callOf, channelOf } from './channel-target.ts'

const formats = {
  openai: 'chat',
  anthropic: 'messages',
  gemini: 'generate-content',
  'openai-response': 'responses',
} as const

const isChatType = (type: string): type is keyof typeof formats => type in formats

describe('the vendors that can be picked', () => {
  test('are at least 24, each once, each of a type that works', () => {
    expect(presets.length).toBeGreaterThanOrEqual(24)
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length)
    expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length)
    for (const { type } of presets) expect(adaptorOf(type), String(type)).toBeDefined()
  })

  test.each(presets.map((preset) => [preset.id, preset] as const))(
    '%s has a URL for every chat format that it names',
    (_id, preset: Preset) => {
      const adaptor = adaptorOf(preset.type)
      const baseUrl = preset.base_url || 'https://host.example'
      const channel = channelOf(preset.type, { preset: preset.id, baseUrl })
      expect(preset.endpoint_types.some(isChatType)).toBe(true)
      for (const type of preset.endpoint_types.filter(isChatType)) {
        const url = adaptor?.target(channel, callOf({ format: formats[type] })).url ?? ''
        if (adaptor?.local) continue
        expect(url).not.toMatch(/\/(v\d\w*)\/(?:.*\/)?\1(?:\/|$)/)
        const base = type === 'anthropic' && preset.anthropic_base_url
        if (preset.base_url) expect(url.startsWith(base || preset.base_url)).toBe(true)
      }
      if (preset.base_url) expect(adaptor?.endpointTypes(channel)).toEqual(preset.endpoint_types)
    },
  )
})

test('channel types keep their numbers', () => {
  expect(channelTypes.map(({ type }) => type)).toEqual([
    1, 3, 4, 8, 14, 17, 20, 24, 25, 26, 27, 35, 40, 42, 43, 45, 46, 47, 48, 53, 900,
  ])
})
