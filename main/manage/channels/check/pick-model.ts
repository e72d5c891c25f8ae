import { GatewayError } from '../../../base/errors.ts'
import { mapModel } from '../../../relay/channel/map-model.ts'
import { priceOf } from '../../../relay/pricing/model-price.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { Settings } from '../../../store/state/settings.ts'
import { type Probe, probeFor } from '../maintenance/channel-probes.ts'

/** Formats of a conversation: nearly every vendor answers one, for next to nothing. */
const talking: readonly Probe['format'][] = ['chat', 'messages', 'generate-content', 'responses']

/** Names of small models, for those without a known price. */
const SMALL = /mini|nano|flash|lite|haiku|small|tiny|instant|fast|turbo|air|(?:^|[-:_])[1-9]b\b/i
/** Names of what may be slow, or for something else than a conversation. */
const ODD = /audio|realtime|transcri|search|research|preview|computer|vision|guard|embed|tts|live/i

/** The lower, the better for a test. */
function rank(model: string, channel: Channel, settings: Readonly<Settings>): number[] {
  const upstream = mapModel(model, channel)
  const format = formatOf(model, channel)
  const price = priceOf(upstream, settings)?.tokens?.output ?? Infinity
  return [
    format === null ? 2 : talking.includes(format) ? 0 : 1,
    ODD.test(upstream) ? 1 : 0,
    SMALL.test(upstream) ? 0 : 1,
    price,
  ]
}

/** The format of its smallest call; null where one small call cannot test it. */
function formatOf(model: string, channel: Channel): Probe['format'] | null {
  try {
    return probeFor(channel, model, '').format
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function cheapest(
  models: readonly string[],
  channel: Channel,
  settings: Readonly<Settings>,
): string | null {
  const ranked = models.map((model) => ({ model, rank: rank(model, channel, settings) }))
  ranked.sort((one, other) => {
    const at = one.rank.findIndex((value, index) => value !== other.rank[index])
    return at < 0 ? 0 : (one.rank[at] as number) - (other.rank[at] as number)
  })
  return ranked[0]?.model ?? null
}

/**
 * The model to test a channel with: its test model or a small one of its own, if the vendor lists it; else a small one
 * of the vendor's list. Without a list one of its own. Null where there is none at all.
 */
export function pickModel(
  channel: Channel,
  listed: readonly string[] | null,
  settings: Readonly<Settings>,
): string | null {
  const { models, testModel } = channel
  if (!listed || listed.length === 0) return testModel || cheapest(models, channel, settings)
  const known = new Set(listed)
  const isListed = (model: string) => known.has(mapModel(model, channel))
  if (testModel && isListed(testModel)) return testModel
  const own = models.filter(isListed)
  return cheapest(own.length > 0 ? own : listed, channel, settings)
}
