import { GatewayError } from '../../base/errors.ts'
import { type PathFamily, pathFamily } from '../model/path-family.ts'
import { pathHint } from './path-hint.ts'

/** The failure for a path where nothing is; it says how the client's base URL is put right, where that is known. */
export function unknownPath(method: string, path: string, ownUrl: string): GatewayError {
  const advice = pathHint(path, ownUrl)?.advice
  const said = `Invalid URL (${method} ${path})`
  if (!advice) {
    return new GatewayError('unknown_path', {
      message: said,
      reason: { code: 'path_unknown', method, path },
    })
  }
  return new GatewayError('unknown_path', {
    message: `${said}. In the client: ${advice.message}`,
    reason: { code: 'path_misplaced', method, path, advice: advice.reason },
  })
}

/** The shape of errors that the client of such a path reads: that of the path it had in mind. */
export const familyMeant = (path: string, ownUrl: string): PathFamily =>
  pathFamily(pathHint(path, ownUrl)?.meant ?? path)
