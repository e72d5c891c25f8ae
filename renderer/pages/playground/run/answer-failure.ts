export interface AnswerFailure {
  /** `cut`: it ended early. `unreadable`: it isn't of the expected shape. `file`: a file is gone; `settings`: a parameter is invalid; so nothing was sent. */
  problem: 'refused' | 'cut' | 'unreadable' | 'file' | 'settings'
  /** The vendor's or the gateway's message; the name of the file. */
  message: string | null
  /** HTTP status; null without an answer. */
  status: number | null
  code: string | null
  requestId: string | null
}

export const noAnswer = { message: null, status: null, code: null, requestId: null } as const

/** OpenAI's shape of `error`. */
export interface ErrorBody {
  message?: string
  code?: string | number | null
  type?: string
}

export type Refusal = Pick<AnswerFailure, 'message' | 'code'>

/** Reads OpenAI's shape, the gateway's own, or plain text. */
export function readRefusal(text: string): Refusal {
  const body = parseObject(text) as { error?: ErrorBody; message?: string; code?: string } | null
  if (body?.error) return toRefusal(body.error)
  return { message: body?.message ?? (text.trim().slice(0, 500) || null), code: body?.code ?? null }
}

export function toRefusal(error: ErrorBody): Refusal {
  // The gateway appends the request ID, which the page shows separately.
  const message = error.message?.replace(/ \(request id: \w+\)$/, '') ?? null
  return { message, code: String(error.code ?? error.type ?? '') || null }
}

/** The gateway's request ID, else the vendor's. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  return headers['x-oneapi-request-id'] ?? headers['x-request-id'] ?? null
}

/** Null unless the text is a JSON object or list. */
export function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
