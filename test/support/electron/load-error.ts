const numbers: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_UNEXPECTED: -9,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INVALID_URL: -300,
  ERR_HTTP_RESPONSE_CODE_FAILURE: -379,
}

/** The error that `loadURL` rejects with; `did-fail-load` reports the same. */
export class LoadError extends Error {
  readonly code: string
  readonly errno: number
  readonly url: string

  constructor(code: string, url: string) {
    const errno = numbers[code] ?? -2
    super(`${code} (${errno}) loading '${url}'`)
    this.code = code
    this.errno = errno
    this.url = url
  }
}

/** Playwright's error of a navigation as Electron's. */
export function loadErrorOf(error: unknown, url: string): LoadError {
  const text = String(error)
  if (/interrupted by another navigation/.test(text)) return new LoadError('ERR_ABORTED', url)
  return new LoadError(/net::(ERR_[A-Z_]+)/.exec(text)?.[1] ?? 'ERR_FAILED', url)
}
