import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Fault } from './fault.ts'

/** An answer to an input, as far as it came. */
export interface Heard {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
  /** The answer came to its end; else its connection was broken off. */
  isWhole: boolean
}

/** Milliseconds without an answer after which the gateway counts as hanging. */
const HANG = 30_000
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

interface Sending {
  method: string
  headers: Record<string, string>
  body?: Buffer | string
}

/** Sends an input and gives the answer; null where the connection was closed without one. Throws a Fault for a hang. */
export function send(url: string, { method, headers, body }: Sending): Promise<Heard | null> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      const { statusCode: status = 0 } = response
      const end = (isWhole: boolean) => {
        clearTimeout(timer)
        resolve({ status, headers: response.headers, body: Buffer.concat(chunks), isWhole })
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => end(true))
      response.on('error', () => end(false))
    })
    const timer = setTimeout(() => {
      request.destroy()
      reject(new Fault(`${method} ${url}: no answer within ${HANG / 1000} s`))
    }, HANG)
    request.on('error', () => {
      clearTimeout(timer)
      resolve(null)
    })
    request.end(body)
  })
}

/** The JSON of an answer; undefined where it is none. */
export function jsonOf({ body }: Heard): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Is it an error in the shape of one of the formats, or of the management API? */
function isEnvelope(json: unknown): boolean {
  if (json === null || typeof json !== 'object') return false
  const first = Array.isArray(json) ? json[0] : json
  const { error, message, success, code } = (first ?? {}) as Record<string, unknown>
  if (success === false) return isText(message) && isText(code)
  if (error !== null && typeof error === 'object')
    return isText((error as { message?: unknown }).message)
  // Rankings' clients read Cohere's shape.
  return isText(message)
}

/**
 * Throws a Fault for an answer that no input should bring about: a failure of the gateway's own, or an error that is
 * not told in an envelope. An upstream's own bytes pass through, where `isUpstream` says that they may.
 */
export function judge(heard: Heard | null, isUpstream = false): void {
  if (heard === null) return
  const { status, body } = heard
  const text = body.toString('utf8', 0, 2000)
  if (/The gateway failed on this|"code":"internal"/.test(text))
    throw new Fault(`${status} ${text}`)
  if (status < 400 || isUpstream) return
  if (heard.isWhole && body.length > 0 && !isEnvelope(jsonOf(heard)))
    throw new Fault(`${status} without an envelope: ${text.slice(0, 300)}`)
}

/** Ends the connections that are kept for further inputs. */
export const closeConnections = (): void => agent.destroy()
