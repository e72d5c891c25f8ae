import type { ChannelTarget, ModelList } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { GatewayError } from '../../base/errors.ts'
import {
  ANSWER_LIMIT,
  askVendor,
  type Get,
  type Question,
} from '../channels/maintenance/ask-vendor.ts'

const MOST_PAGES = 50

/** All pages of the vendor's list; the next page must be where the first one was. */
async function getAll({ url, headers, parse }: ModelList, get: Get): Promise<string[]> {
  const models: string[] = []
  const seen = new Set<string>()
  let size = 0
  for (let next: string | undefined = url; next && !seen.has(next) && seen.size < MOST_PAGES; ) {
    seen.add(next)
    const answer = await get(next, headers)
    size += answer.size
    if (size > ANSWER_LIMIT) {
      throw new GatewayError('upstream_error', {
        message: "The upstream's list of models is longer than 5 MB. Type the names.",
        reason: { code: 'model_list_too_long' },
      })
    }
    const page = parse(answer.json)
    models.push(...page.models)
    const isSameHost = page.next !== undefined && new URL(page.next).origin === new URL(url).origin
    next = isSameHost ? page.next : undefined
  }
  return models
}

/**
 * The models that a channel's vendor offers: sorted, each once. Throws as `askVendor` does, and
 * `invalid_params` for a type that is not supported.
 */
export async function listModels(
  target: ChannelTarget,
  extraHeaders: Record<string, string>,
  how: Pick<Question, 'way' | 'signal' | 'timeLimit'>,
): Promise<string[]> {
  const adaptor = adaptorOf(target.type)
  if (!adaptor) {
    throw new GatewayError('invalid_params', {
      message: `The channel type ${target.type} is not supported.`,
      field: 'type',
      reason: { code: 'channel_type_unsupported', type: target.type },
    })
  }
  if (adaptor.local) return [...adaptor.local.models].sort()
  const wanted = 'its list of models'
  const models = await askVendor({ ...how, key: target.key, wanted }, (get) => {
    const list = adaptor.modelList(target)
    return getAll({ ...list, headers: { ...list.headers, ...extraHeaders } }, get)
  })
  return [...new Set(models)].sort()
}
