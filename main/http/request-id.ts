import type { ServerResponse } from 'node:http'

/** The header that every answer carries its request's id in. */
export const REQUEST_ID = 'X-Oneapi-Request-Id'

/** The id of the request that an answer belongs to. */
export const requestIdOf = (response: ServerResponse): string =>
  String(response.getHeader(REQUEST_ID) ?? '')
