import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLog } from '../../../main/base/log/log.ts'
import { type GatewayOptions, type RunningGateway, startGateway } from '../../../main/gateway.ts'
import { openConfFile } from '../../../main/store/state/conf-file.ts'
import { checkAnswer } from '../../support/recordings/checked-answer.ts'

export const OWNER = { username: 'ada', password: 'correct horse' }

export interface Envelope {
  success: boolean
  message: string
  // Tests look into it freely; what they look for is what they assert.
  data: ReturnType<typeof JSON.parse>
  code?: string
  field?: string
  reason?: unknown
  time?: number
}

export interface Received {
  status: number
  headers: Headers
  body: Envelope
}

/** Someone who talks HTTP to a gateway, and keeps the session's cookie. */
export interface Visitor {
  cookie: string
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Received>
  get(path: string, headers?: Record<string, string>): Promise<Received>
}

export interface UnsetManagement {
  gateway: RunningGateway
  /** A new browser, signed in as nobody. */
  visitor(): Visitor
}

export interface Management extends UnsetManagement {
  /** The browser of the first run, signed in as the owner. */
  owner: Visitor
  /** Another browser of the owner's. */
  signIn(): Promise<Visitor>
}

/** Every answer under `/api` is checked against the API's document. */
function createVisitor({ url, parts }: RunningGateway): Visitor {
  const visitor: Visitor = {
    cookie: '',
    async send(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          // As the console does.
          'x-requested-with': 'Switchyard',
          ...(visitor.cookie && { cookie: visitor.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      })
      const set = response.headers.get('set-cookie')
      if (set) visitor.cookie = set.split(';')[0] ?? ''
      const text = await response.text()
      const answer = {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      }
      const isLegacy = parts.settings.current.LegacyStatus
      checkAnswer({ method, path, status: answer.status, body: answer.body, isLegacy })
      return answer
    },
    get: (path, headers) => visitor.send('GET', path, undefined, headers),
  }
  return visitor
}

/** A gateway of its own for one test, not set up yet; it ends with the test. */
export async function startUnset(options: Partial<GatewayOptions> = {}): Promise<UnsetManagement> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-manage-'))
  const rendererFolder = join(folder, 'renderer')
  mkdirSync(join(rendererFolder, 'assets'), { recursive: true })
  writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(rendererFolder, 'assets', 'index-abc123.js'), 'console.log(1)')
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    portIsNamed: true,
    dataFolder: join(folder, 'data'),
    rendererFolder,
    openStateFile: openConfFile,
    env: {},
    log: createLog(process.env.TEST_LOG ?? 'silent'),
    ...options,
  })
  onTestFinished(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { gateway, visitor: () => createVisitor(gateway) }
}

/** A gateway whose owner is OWNER. */
export async function startManagement(options: Partial<GatewayOptions> = {}): Promise<Management> {
  const { gateway, visitor } = await startUnset(options)
  const owner = visitor()
  const first = { ...OWNER, confirmPassword: OWNER.password }
  const { body } = await owner.send('POST', '/api/setup', first)
  if (!body.success) throw new Error(body.message)
  return {
    gateway,
    visitor,
    owner,
    signIn: () => signInOwner(visitor()),
  }
}

async function signInOwner(visitor: Visitor): Promise<Visitor> {
  const { status } = await visitor.send('POST', '/api/user/login', OWNER)
  if (status !== 200) throw new Error(`The login failed with ${status}`)
  return visitor
}

/** A gateway on the folder of an earlier one whose owner is OWNER. */
export async function startAgain(options: Partial<GatewayOptions>): Promise<Management> {
  const { gateway, visitor } = await startUnset(options)
  const owner = await signInOwner(visitor())
  return { gateway, visitor, owner, signIn: () => signInOwner(visitor()) }
}

/** Has the owner's session show again that it is the owner, for the next 300 seconds. */
export async function verifyOwner(owner: Visitor): Promise<void> {
  const proof = { method: 'password', code: OWNER.password }
  const { status } = await owner.send('POST', '/api/verify', proof)
  if (status !== 200) throw new Error(`The verification failed with ${status}`)
}

/** A valid Echo channel, as the console sends it. */
export const echoChannel = (fields: Record<string, unknown> = {}) => ({
  type: 900,
  name: 'Echo',
  models: 'echo,echo-mini',
  group: 'default',
  ...fields,
})
