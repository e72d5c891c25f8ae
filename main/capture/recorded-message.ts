import type { CapturedAnswer, CapturedFile, CapturedHeaders, CapturedRequest } from './capture.ts'
import { capturedHeaders, capturedUrl, type HeaderSource } from './captured-headers.ts'
import { type BodyOwner, elapsed, RecordedBody } from './recorded-body.ts'

/** A form: its text fields, and its files without their bytes. */
export interface FormFacts {
  fields: Readonly<Record<string, readonly string[]>>
  files: readonly {
    field: string
    filename: string
    contentType: string
    size: number
    digest: string
  }[]
}

/** A request that crosses a border. */
export class RecordedRequest implements CapturedRequest {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly body: RecordedBody
  /** As they were sent: what is secret in them is left out when somebody reads them, or they are packed. */
  readonly #headers: HeaderSource
  files?: readonly CapturedFile[]

  constructor(
    { method, url, headers }: { method: string; url: string; headers: HeaderSource },
    at: number,
    owner: BodyOwner,
  ) {
    this.at = at
    this.method = method
    this.url = capturedUrl(url)
    this.#headers = headers
    this.body = new RecordedBody(owner)
  }

  get headers(): CapturedHeaders {
    return capturedHeaders(this.#headers)
  }

  /** The request is a form. */
  addForm({ fields, files }: FormFacts): void {
    this.body.add(Buffer.from(JSON.stringify(fields)))
    this.files = files.map(({ field, filename, contentType, size, digest }) => ({
      ...{ field, name: filename, type: contentType, size, digest },
    }))
  }
}

/** An answer that crosses a border. */
export class RecordedAnswer implements CapturedAnswer {
  readonly at: number
  readonly status: number
  readonly body: RecordedBody
  readonly #owner: BodyOwner
  /** The server adds some on the way. */
  readonly #headers: HeaderSource
  endedAt: number | null = null
  isCut = false

  constructor(status: number, headers: HeaderSource, owner: BodyOwner) {
    this.at = elapsed(owner)
    this.#owner = owner
    this.status = status
    this.#headers = headers
    this.body = new RecordedBody(owner)
  }

  get headers(): CapturedHeaders {
    return capturedHeaders(this.#headers)
  }

  /** `isCut`: it ended before it was whole. */
  end(isCut: boolean): void {
    this.endedAt = elapsed(this.#owner)
    this.isCut = isCut
  }
}
