import type { ChannelTarget } from './adaptor.ts'
import { type Preset, presets } from './presets.ts'
import { parseBaseUrl } from './url/join-url.ts'

/** Types whose preset may be told by the address alone: the ones that speak OpenAI's formats. */
const OTHER_FORMATS = new Set([3, 14, 24, 900])

const isLoopback = (url: URL): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)

/** Presets of public vendors by origin; a port of this machine proves nothing. */
const byOrigin = new Map<string, { preset: Preset; path: string }[]>()
for (const preset of presets) {
  if (preset.base_url === '' || OTHER_FORMATS.has(preset.type)) continue
  const url = parseBaseUrl(preset.base_url)
  if (isLoopback(url)) continue
  const rows = byOrigin.get(url.origin) ?? []
  byOrigin.set(url.origin, [...rows, { preset, path: url.pathname }])
}

/**
 * The preset that a channel was made from or, for one made without (by another tool, through the API),
 * the one of the vendor whose address it has. `defaultBaseUrl` stands for an empty base URL.
 */
export function presetOf(channel: ChannelTarget, defaultBaseUrl: string): Preset | undefined {
  const named = presets.find(
    (preset) => preset.id === channel.preset && preset.type === channel.type,
  )
  const baseUrl = channel.baseUrl || defaultBaseUrl
  if (named || baseUrl === '') return named
  const url = parseBaseUrl(baseUrl)
  const rows = byOrigin.get(url.origin) ?? []
  // Several presets can share a host (a coding plan beside the plain API).
  return (rows.find((row) => url.pathname.startsWith(row.path)) ?? rows[0])?.preset
}
