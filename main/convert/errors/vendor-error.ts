import { ownValue } from '../../base/own-value.ts'
import type { VendorError } from '../events/stream-scanner.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asCount, asObject, asString, wordOf } from '../json/json-value.ts'
import { isBlank } from './is-blank.ts'

const statusOf = (value: unknown): number | null => {
  const status = asCount(typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value)
  return status !== undefined && status >= 400 && status <= 599 ? status : null
}

/** Statuses that Anthropic's and OpenAI's error types stand for, where a 200 hides the real one. */
const typeStatus: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** Statuses that MiniMax's codes stand for: https://platform.minimax.io/docs/api-reference/errorcode.md */
const miniMaxStatus: Readonly<Record<string, number>> = {
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 502,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2045: 429,
  2049: 401,
  2056: 429,
}

/** MiniMax tells errors under status 200, beside an empty answer; a `status_code` of 0 is none. */
function readBaseResp(value: unknown): VendorError | null {
  const base = asObject(value)
  const code = asCount(base?.status_code)
  if (!base || !code) return null
  return {
    message: asString(base.status_msg) || `MiniMax's error ${code}`,
    status: ownValue(miniMaxStatus, String(code)) ?? null,
    code: String(code),
  }
}

const LONGEST_RAW = 1000
/** Errors of vendors behind vendors that are looked at. */
const DEEPEST = 5

/** As JSON; '' for what is nested too deep to be written. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

/** A text that may be JSON, read; what is no JSON stays as it is. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * OpenRouter's sentence with the one of the vendor behind it, which stands in `metadata.raw`
 * (https://openrouter.ai/docs/api/reference/errors-and-debugging).
 */
function withRaw(message: string, metadata: JsonObject | undefined, deepest: number): string {
  const raw = parsed(metadata?.raw)
  if (deepest === 0 || isBlank(raw)) return message
  const text = asString(raw) ?? readVendorError(raw, deepest - 1)?.message ?? written(raw)
  const cut = text.length > LONGEST_RAW ? `${text.slice(0, LONGEST_RAW)}…` : text
  if (message.includes(cut.trim())) return message
  const name = asString(metadata?.provider_name)
  return `${message} (${name ? `${name}: ` : ''}${cut.trim()})`
}

/**
 * The error in a vendor's body, in any of the shapes in use: `{error:{…}}` (OpenAI, Anthropic,
 * Google), the same in a one-element array (Google), `{error:"…"}`, `{message:…}` (Cohere, Mistral),
 * `{code, msg}` (several Chinese vendors), `{base_resp:{…}}` (MiniMax). Null where the body is no error.
 */
export function readVendorError(body: unknown, deepest = DEEPEST): VendorError | null {
  const root = asObject(Array.isArray(body) && body.length === 1 ? body[0] : body)
  if (!root) return null
  const value = isBlank(root.error) ? undefined : root.error
  const text = asString(value)
  if (text !== undefined) return { message: text, status: statusOf(root.status), code: null }
  const error = asObject(value)
  if (error) {
    const code = asString(error.code) ?? asString(error.status) ?? asString(error.type) ?? null
    const type = asString(error.type) ?? ''
    const param = asString(error.param)
    return {
      message: withRaw(
        asString(error.message) ?? written(error),
        asObject(error.metadata),
        deepest,
      ),
      status:
        statusOf(error.code) ??
        ownValue(typeStatus, type) ??
        ownValue(typeStatus, code ?? '') ??
        null,
      code,
      ...(param ? { param } : {}),
    }
  }
  const answer = root.choices ?? root.content ?? root.candidates ?? root.data
  const told = isBlank(answer) ? readBaseResp(root.base_resp) : null
  if (told) return told
  const isAnswer = 'choices' in root || 'content' in root || 'candidates' in root || 'data' in root
  const message = asString(root.msg) ?? asString(root.message) ?? asString(root.detail)
  if (isAnswer || message === undefined) return null
  const code = root.code === undefined ? null : wordOf(root.code)
  const param = asString(root.param)
  return { message, status: statusOf(root.code), code, ...(param ? { param } : {}) }
}
