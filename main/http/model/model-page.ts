import { GatewayError } from '../../base/errors.ts'
import type { UsableModel } from '../../relay/channel/usable-models.ts'

/** Most models on a page, with Anthropic and with Google. */
const MOST = 1000

/** A part of the list of models. */
interface ModelPage {
  models: readonly UsableModel[]
  /** Are there more beyond the page's end? */
  hasMore: boolean
}

function sizeIn(query: URLSearchParams | null, name: string): number | null {
  const text = query?.get(name)
  if (!text) return null
  const size = Number(text)
  if (Number.isInteger(size) && size >= 1) return Math.min(size, MOST)
  throw new GatewayError('invalid_request', {
    message: `${name}: must be a whole number from 1 to ${MOST}, not "${text}".`,
    reason: { code: 'page_size_wrong', field: name, most: MOST, given: text },
    field: name,
  })
}

function placeOf(models: readonly UsableModel[], id: string, field: string): number {
  const place = models.findIndex((model) => model.id === id)
  if (place >= 0) return place
  throw new GatewayError('invalid_request', {
    message: `${field}: "${id}" isn't a model of this list. Start again without it.`,
    reason: { code: 'page_place_unknown', field, given: id },
    field,
  })
}

/**
 * Anthropic's paging by `limit`, `after_id` and `before_id`; all models where no limit is sent, for the
 * vendor's own of 20 would hide the rest from clients that read one page.
 * https://docs.anthropic.com/en/api/models-list
 */
export function anthropicPage(
  models: readonly UsableModel[],
  query: URLSearchParams | null,
): ModelPage {
  const size = sizeIn(query, 'limit') ?? models.length
  const before = query?.get('before_id')
  if (before) {
    const end = placeOf(models, before, 'before_id')
    const start = Math.max(0, end - size)
    return { models: models.slice(start, end), hasMore: start > 0 }
  }
  const after = query?.get('after_id')
  const start = after ? placeOf(models, after, 'after_id') + 1 : 0
  const page = models.slice(start, start + size)
  return { models: page, hasMore: start + page.length < models.length }
}

/**
 * Google's paging by `pageSize` and `pageToken`; all models where no size is sent. A token is the id of the
 * last model of the page before, so that it outlives changes elsewhere in the list.
 * https://ai.google.dev/api/models#method:-models.list
 */
export function geminiPage(
  models: readonly UsableModel[],
  query: URLSearchParams | null,
): ModelPage & { nextPageToken: string | null } {
  const size = sizeIn(query, 'pageSize') ?? models.length
  const token = query?.get('pageToken')
  const last = token ? Buffer.from(token, 'base64url').toString() : null
  const start = last === null ? 0 : placeOf(models, last, 'pageToken') + 1
  const page = models.slice(start, start + size)
  const hasMore = start + page.length < models.length
  const end = page.at(-1)?.id
  const nextPageToken = hasMore && end ? Buffer.from(end).toString('base64url') : null
  return { models: page, hasMore, nextPageToken }
}
