import type { WireFormat } from '../../main/convert/exchange.ts'

export type Json = Record<string, unknown>

/** An answer as its client understands it, read as strictly as the format is written. */
export interface Meaning {
  text: string
  ending: 'whole' | 'failed' | 'nothing'
  /** The error's sentence. */
  error: string
  /** Violations that a strict client would not accept. */
  problems: string[]
}

/** One event of a stream, or one item of an array. */
export interface Item {
  name: string | null
  value: Json
}

/** The value where it is an object, else an empty one. */
export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

/** The shape of an error (wire-formats 1.6); gives what is wrong with it. */
export function wrongError(client: WireFormat, value: Json, status: number | null): string[] {
  const error = asJson(value.error)
  const wrong: string[] = []
  const demand = (holds: boolean, what: string) => {
    if (!holds) wrong.push(`${what}: ${JSON.stringify(value).slice(0, 300)}`)
  }
  demand(typeof error.message === 'string' && error.message !== '', 'error without a message')
  if (client === 'messages') {
    demand(value.type === 'error', 'no Anthropic error')
    demand(/^[a-z_]+$/.test(String(error.type)), 'no Anthropic error type')
  } else if (client === 'generate-content') {
    demand(typeof error.code === 'number', 'no Google error code')
    demand(/^[A-Z_]+$/.test(String(error.status)), 'no Google error status')
    if (status !== null) demand(error.code === status, `code is not the status ${status}`)
  } else {
    demand(typeof error.type === 'string', 'no OpenAI error type')
    demand('code' in error && 'param' in error, 'OpenAI error without code or param')
  }
  return wrong
}
