/** Why there is no answer, or no whole one. */
export interface AnswerFailure {
  /** `cut`: it ended too early. `unreadable`: it is not what was asked for. */
  problem: 'refused' | 'cut' | 'unreadable'
  /** The vendor's or the gateway's own sentence; null where there is none. */
  message: string | null
  /** HTTP status, or null when none came. */
  status: number | null
  code: string | null
  requestId: string | null
}

/** The `error` of a refusal in OpenAI's shape. */
export interface ErrorBody {
  message?: string
  code?: string | number | null
  type?: string
}

/** What a refusal says. */
export type Refusal = Pick<AnswerFailure, 'message' | 'code'>

/** The refusal in a body: OpenAI's shape, the gateway's own, or else the text as it is. */
export function readRefusal(text: string): Refusal {
  const body = parseObject(text) as { error?: ErrorBody; message?: string; code?: string } | null
  if (body?.error) return toRefusal(body.error)
  return { message: body?.message ?? (text.trim().slice(0, 500) || null), code: body?.code ?? null }
}

export function toRefusal(error: ErrorBody): Refusal {
  // The gateway ends its own sentences with the request id, which the page shows by itself.
  const message = error.message?.replace(/ \(request id: \w+\)$/, '') ?? null
  return { message, code: String(error.code ?? error.type ?? '') || null }
}

/** The id that the gateway gave the call, or its vendor where it did not. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['x-oneapi-request-id'] ?? headers['x-request-id'] ?? null
}

/** The object or list that a text is the JSON of; null for anything else. */
export function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
