import { refuse, requireCount, requireSwitch } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'

/** Fields that bring the conversation from elsewhere, so that there may be no input. */
const sources = ['previous_response_id', 'prompt', 'conversation'] as const

function requireInput(body: JsonFields): void {
  const kind = body.kind('input')
  if (kind === 'string') return
  if (kind === undefined || kind === 'null') {
    const isElsewhere = sources.some((field) => {
      const source = body.kind(field)
      return source !== undefined && source !== 'null'
    })
    if (!isElsewhere) refuse('input', 'items_required')
    return
  }
  if (kind !== 'array') refuse('input', 'must_be_items')
  const first = body.kindOfFirst('input')
  if (first !== undefined && first !== 'object') refuse('input[0]', 'must_be_object')
}

/** Token counting takes the same body. */
export const checkResponsesCount = (body: JsonFields): void => requireInput(body)

/**
 * Refuses an answer in the background: it is fetched by its id, which the gateway has no path for, and its vendor
 * would bill what nobody books.
 */
export function refuseBackground(body: JsonFields): void {
  const background = body.get('background') ?? false
  if (background !== false) refuse('background', 'no_background')
}

/** Only what routing and accounting rest on; everything else is the vendor's to judge. */
export function checkResponsesRequest(body: JsonFields): void {
  requireInput(body)
  requireSwitch(body, 'stream')
  refuseBackground(body)
  requireCount(body, 'max_output_tokens')
  if (body.kind('max_output_tokens') === 'string') refuse('max_output_tokens', 'must_be_number')
}
