interface TokenRequest {
  method: string
  /** From the root, such as `/v1/models`. */
  path: string
  /** `sk-…` */
  key: string
  /** JSON. */
  body?: string | undefined
  signal: AbortSignal
}

export interface TokenAnswer {
  status: number
  /** Milliseconds until the whole answer was there. */
  duration: number
  /** Null when it's no text, such as audio. */
  text: string | null
  /** Media type; empty when the answer names none. */
  type: string
  /** Bytes. */
  size: number
}

const isText = (type: string): boolean => /json|^text\/|xml/i.test(type)

/** Calls this gateway as a tool does: with the key of a token, without the session. */
export async function sendWithToken(request: TokenRequest): Promise<TokenAnswer> {
  const { method, path, key, body, signal } = request
  const since = performance.now()
  const answer = await fetch(path, {
    ...{ method, signal, credentials: 'omit', cache: 'no-store' },
    headers: {
      Authorization: `Bearer ${key}`,
      // Anthropic's wire format asks for it; the others ignore it.
      'anthropic-version': '2023-06-01',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const bytes = await answer.arrayBuffer()
  const type = answer.headers.get('content-type') ?? ''
  return {
    status: answer.status,
    duration: performance.now() - since,
    text: isText(type) || bytes.byteLength === 0 ? new TextDecoder().decode(bytes) : null,
    type: type.split(';')[0] ?? '',
    size: bytes.byteLength,
  }
}
