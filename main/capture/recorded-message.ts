import type { CapturedAnswer, CapturedFile, CapturedHeaders, CapturedRequest } from './capture.ts'
import { capturedUrl, type HeaderSource, RecordedHeaders } from './captured-headers.ts'
import { type CaptureMemory, RecordedBody } from './recorded-body.ts'

/** A request that crosses a border. */
export class RecordedRequest implements CapturedRequest {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly body: RecordedBody
  readonly #headers: RecordedHeaders
  files?: readonly CapturedFile[]

  constructor(
    { method, url, headers }: { method: string; url: string; headers: HeaderSource },
    at: number,
    memory: CaptureMemory,
    since: number,
  ) {
    this.at = at
    this.method = method
    this.url = capturedUrl(url)
    this.#headers = new RecordedHeaders(headers)
    this.body = new RecordedBody(memory, since)
  }

  get headers(): CapturedHeaders {
    return this.#headers.pairs
  }
}

/** An answer that crosses a border. */
export class RecordedAnswer implements CapturedAnswer {
  readonly at: number
  readonly status: number
  readonly body: RecordedBody
  readonly #since: number
  /** As they came; null when they are read. */
  #source: HeaderSource | null
  #headers: RecordedHeaders | null = null
  endedAt: number | null = null
  isCut = false

  constructor(status: number, headers: HeaderSource, memory: CaptureMemory, since: number) {
    this.at = performance.now() - since
    this.#since = since
    this.status = status
    this.#source = headers
    this.body = new RecordedBody(memory, since)
  }

  get headers(): CapturedHeaders {
    return (this.#headers ?? new RecordedHeaders(this.#source ?? [])).pairs
  }

  /** `isCut`: it ended before it was whole. Headers are read now: the server adds some on the way. */
  end(isCut: boolean): void {
    this.endedAt = performance.now() - this.#since
    this.isCut = isCut
    this.#headers = new RecordedHeaders(this.#source ?? [])
    this.#source = null
  }
}
