import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Refusal } from './refusal.mjs'
import { askHidden } from './terminal.mjs'

const DEFAULT_ADDRESS = 'http://127.0.0.1:4747'
/** Milliseconds. */
const PATIENCE = 30_000

/** As main/options.ts has it, which needs a build. */
export function defaultFolder(env, platform = process.platform) {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Switchyard')
  if (platform === 'win32') {
    return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Switchyard')
  }
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'Switchyard')
}

/** `{address, secret}` of the gateway that runs on the folder; null where none says so to this user. */
function readAccess(folder) {
  try {
    const { address, secret } = JSON.parse(readFileSync(join(folder, 'local-access.json'), 'utf8'))
    return URL.canParse(address) && typeof secret === 'string' ? { address, secret } : null
  } catch {
    return null
  }
}

const isLoopback = ({ hostname }) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** Without a slash at its end. Tools are files of this machine, so another one has nothing to connect. */
function localAddress(text) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Refusal(`--url: "${text}" is no address. Give one such as ${DEFAULT_ADDRESS}.`)
  }
  if (isLoopback(url)) return url.origin
  throw new Refusal(
    `--url: ${url.hostname} isn't this machine. Run the command on the machine that the gateway and the tool are on.`,
  )
}

async function accessToken(address, folder, env) {
  const given = env.SWITCHYARD_ACCESS_TOKEN?.trim()
  if (given) return given
  const where = `${folder} holds no running gateway that this user can read`
  if (!process.stdin.isTTY) {
    throw new Refusal(
      `${where}. Give its folder (--data-dir), or the owner's access token in SWITCHYARD_ACCESS_TOKEN: the console creates one under Settings, Access token.`,
    )
  }
  console.error(`${where}, so ${address} asks for the owner's access token.`)
  console.error('The console creates one under Settings, Access token.')
  const typed = (await askHidden('Access token: ')).trim()
  if (typed === '') throw new Refusal('No access token was given.')
  return typed
}

const notRunning = (address, folder) =>
  new Refusal(
    `No gateway answers at ${address}. Start it with npm start or npm run gateway. If it runs with another data folder than ${folder}, give --data-dir; at another address, --url. To disconnect every tool without it: npm run gateway -- --disconnect-all`,
  )

async function send(address, folder, method, path, body, headers) {
  let answer
  try {
    answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
  } catch (error) {
    const isSlow = error.name === 'TimeoutError'
    throw isSlow
      ? new Refusal(`${address} gave no answer within ${PATIENCE / 1000} seconds.`)
      : notRunning(address, folder)
  }
  const envelope = await answer.json().catch(() => null)
  if (typeof envelope?.success !== 'boolean') {
    throw new Refusal(
      `Something answers at ${address}, but it isn't Switchyard. Give its address (--url).`,
    )
  }
  if (envelope.success) return envelope.data
  throw Object.assign(new Refusal(envelope.message), { code: envelope.code })
}

/**
 * The running gateway: `{address, ask(method, path, body)}`. The data folder says where it is, and lets its
 * own user in; to any other address goes an access token and never the folder's secret.
 */
export async function findGateway(values, env) {
  const named = values['data-dir'] ?? env.SWITCHYARD_DATA_DIR
  const folder = resolve(named || defaultFolder(env))
  const access = readAccess(folder)
  if (!values.url && access && !isLoopback(new URL(access.address))) {
    throw new Refusal(
      `The gateway listens at ${access.address} alone, and tools are connected only over 127.0.0.1. Start it with --host 0.0.0.0, or without --host.`,
    )
  }
  const address = localAddress(values.url ?? access?.address ?? DEFAULT_ADDRESS)
  const isFolders = access !== null && new URL(access.address).origin === address
  // Before a secret is asked for: does anything answer there at all?
  await send(address, folder, 'GET', '/api/status')
  const secret = isFolders ? access.secret : await accessToken(address, folder, env)
  const headers = { authorization: `Bearer ${secret}` }
  return {
    address,
    ask: (method, path, body) => send(address, folder, method, path, body, headers),
  }
}
