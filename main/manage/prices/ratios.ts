import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import {
  DOLLARS_PER_RATIO,
  type Price,
  priceOf,
  type TokenRates,
} from '../../relay/pricing/model-price.ts'
import { ratioOf } from '../../relay/pricing/price.ts'
import type { Settings } from '../../store/state/settings.ts'
import { defineOperation } from '../operation/operation.ts'
import { listedModels } from './price-record.ts'

/** A token price in ratios, as new-api's clients count (management-api §13.3). */
export const toRatios = ({ input, output, cachedInput, cacheWrite }: TokenRates) => ({
  model_ratio: ratioOf(input, DOLLARS_PER_RATIO),
  completion_ratio: ratioOf(output, input),
  cache_ratio: ratioOf(cachedInput, input),
  create_cache_ratio: ratioOf(cacheWrite, input),
})

const factors = z.record(z.string(), z.number())

const ratioConfig = z.strictObject({
  model_ratio: factors.describe('1 is two US dollars per million tokens.'),
  completion_ratio: factors,
  cache_ratio: factors,
  create_cache_ratio: factors,
  model_price: factors.describe('US dollars for each call.'),
})
type RatioConfig = z.infer<typeof ratioConfig>

function addTo(config: RatioConfig, model: string, { tokens, call }: Price): void {
  if (call !== null) config.model_price[model] = call
  else if (tokens) {
    for (const [name, ratio] of Object.entries(toRatios(tokens))) {
      config[name as keyof RatioConfig][model] = ratio
    }
  }
}

function configOf(settings: Readonly<Settings>): RatioConfig {
  const config: RatioConfig = {
    model_ratio: {},
    completion_ratio: {},
    cache_ratio: {},
    create_cache_ratio: {},
    model_price: {},
  }
  const own = [...Object.keys(settings.ModelRatio), ...Object.keys(settings.ModelPrice)]
  for (const model of [...new Set([...own, ...listedModels()])].sort()) {
    const price = priceOf(model, settings)
    if (price) addTo(config, model, price)
  }
  return config
}

const config = defineOperation({
  name: 'ratio.config',
  summary: 'Tells the ratios of all models, for other gateways to take over; has to be allowed.',
  access: 'none',
  http: { method: 'GET', path: '/api/ratio_config' },
  limit: 'critical',
  legacyStatus: { forbidden: 403 },
  input: z.object({}),
  output: ratioConfig,
  run(_input, { parts }): RatioConfig {
    const settings = parts.settings.current
    if (settings.ExposeRatioEnabled) return configOf(settings)
    throw new GatewayError('forbidden', {
      message:
        'The ratios are not shown to everybody. The owner can allow it with the option ExposeRatioEnabled.',
      reason: { code: 'ratios_hidden' },
    })
  },
})

export const ratioOperations = [config] as const
