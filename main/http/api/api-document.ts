import type { RequestHandler } from 'express'
import { describeApi } from '../../manage/api-document/describe-api.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import { allOperations } from '../../manage/operation/invoke.ts'
import { webhooks } from '../../manage/payment/webhooks.ts'
import { tokenPaths } from '../model/token-paths.ts'

/** Where the API's document is served as it is, outside the envelope. */
export const DOCUMENT_PATH = '/api/openapi.json'

let described: Record<string, unknown> | undefined

/** The document of this program's API; made when it is first asked for, and the same from then on. */
export function describeApiOnce(version: string): Record<string, unknown> {
  described ??= describeApi({ version, operations: allOperations, webhooks, tokenPaths })
  return described
}

/** Answers with the document alone; it holds no data, so nobody needs to be signed in. */
export const sendApiDocument =
  ({ apiDocument }: GatewayParts): RequestHandler =>
  async (_request, response) => {
    response.setHeader('Cache-Control', 'max-age=60')
    response.json(await apiDocument())
  }
