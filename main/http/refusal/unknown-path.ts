import { GatewayError } from '../../base/errors.ts'
import { pathHint } from './path-hint.ts'

/** The failure for a path where nothing is; it says how the client's base URL is put right, where that is known. */
export function unknownPath(method: string, path: string, ownUrl: string): GatewayError {
  const advice = pathHint(path, ownUrl)?.advice
  const invalid = `Invalid URL (${method} ${path})`
  if (!advice) {
    return new GatewayError('unknown_path', {
      message: invalid,
      reason: { code: 'path_unknown', method, path },
    })
  }
  return new GatewayError('unknown_path', {
    message: `${invalid}. In the client: ${advice.message}`,
    reason: { code: 'path_misplaced', method, path, advice: advice.reason },
  })
}

/** The path that the client of such a one had in mind, by which it reads errors; the same where nobody knows. */
export const meantPath = (path: string, ownUrl: string): string =>
  pathHint(path, ownUrl)?.meant ?? path
