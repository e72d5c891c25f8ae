import { traitsOf } from '../../convert/codecs.ts'
import type { Loss } from '../../convert/loss.ts'
import { streamHeaders } from '../answer/stream-headers.ts'
import type { Call } from '../call/call.ts'

/** The headers of a converted answer; the vendor's are not for its client. */
export function convertedHeaders(
  call: Call,
  loss: Loss,
  contentType: string,
  isStream: boolean,
): Record<string, string> {
  const losses = loss.header()
  return {
    'content-type': contentType,
    // Each SDK reads the id under its own vendor's name.
    [traitsOf(call.format).idHeader ?? 'x-request-id']: call.id,
    ...(isStream ? streamHeaders : {}),
    ...(losses === '' ? {} : { 'x-switchyard-loss': losses }),
  }
}

/** The content type of a converted conversation. */
export const convertedType = ({ stream, asArray }: Call): string =>
  stream && !asArray ? 'text/event-stream; charset=utf-8' : 'application/json'
