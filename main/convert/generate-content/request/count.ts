import type { CountConversion } from '../../conversion.ts'
import { asCount, asObject } from '../../json/json-value.ts'

/** `:countTokens`, which takes bare contents or a whole request: https://ai.google.dev/api/tokens */
export const generateContentCount: CountConversion = {
  unwrapRequest: (body) =>
    asObject(body.generateContentRequest ?? body.generate_content_request) ?? body,
  wrapRequest: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
  decodeResponse: (body) => asCount(asObject(body)?.totalTokens) ?? null,
  encodeResponse: (tokens) => ({ totalTokens: tokens }),
}
