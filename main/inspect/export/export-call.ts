import type { Capture } from '../../capture/capture.ts'
import { curl } from './curl.ts'
import { fixture } from './fixture.ts'
import { har } from './har.ts'
import { httpFile } from './http-file.ts'
import { type PlainCall, plainCall } from './plain-call.ts'
import { powershell } from './powershell.ts'
import { python } from './python.ts'
import { typescript } from './typescript.ts'

export const exportKinds = [
  'curl',
  'powershell',
  'http',
  'typescript',
  'python',
  'har',
  'fixture',
] as const

export type ExportKind = (typeof exportKinds)[number]

/** A call in a form in which it can be kept, read elsewhere or sent again. */
export interface ExportedCall {
  name: string
  mediaType: string
  text: string
}

/** The gateway, as an export names it. */
export interface ExportingGateway {
  /** `http://127.0.0.1:4747`. */
  baseUrl: string
  version: string
}

const forms: Readonly<
  Record<Exclude<ExportKind, 'har' | 'fixture'>, [string, string, (call: PlainCall) => string]>
> = {
  curl: ['sh', 'text/x-shellscript', curl],
  powershell: ['ps1', 'text/plain', powershell],
  http: ['http', 'text/plain', httpFile],
  typescript: ['ts', 'text/typescript', typescript],
  python: ['py', 'text/x-python', python],
}

export const HAR_TYPE = 'application/json'

/**
 * A call as a file. Keys are placeholders, which the file takes from the environment variable `SWITCHYARD_TOKEN`.
 * Throws `conflict` where this form cannot hold the call, and says why.
 */
export function exportCall(
  capture: Capture,
  as: ExportKind,
  gateway: ExportingGateway,
): ExportedCall {
  const name = `call-${capture.id.replace(/[^\w.-]/g, '_')}`
  if (as === 'har') {
    return { name: `${name}.har`, mediaType: HAR_TYPE, text: har([capture], gateway) }
  }
  if (as === 'fixture') {
    return { name: `${name}.json`, mediaType: 'application/json', text: fixture(capture) }
  }
  const [ending, mediaType, write] = forms[as]
  return { name: `${name}.${ending}`, mediaType, text: write(plainCall(capture, gateway.baseUrl)) }
}
