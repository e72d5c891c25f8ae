import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')

/** A port of 127.0.0.1 that nobody listens on. */
export const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

/** Starts a node process in the project's folder; gives it and the URL that its first lines name. */
export async function startProcess(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) return { child, url }
  }
  throw new Error(`${args[0]} did not start.`)
}

/** Starts the built gateway with a folder of its own, on a free port. */
export const startGateway = (entry, folder) =>
  startProcess([resolve(entry), '--port', '0', '--data-dir', folder])

/**
 * Sets a gateway up over its own management API: an owner, one channel or several, one token, and options. Gives the
 * token's key.
 */
export async function setUpGateway(url, channels, options = {}) {
  let cookie = ''
  const post = async (path, body, method = 'POST') => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!answer.success) throw new Error(`${path}: ${answer.message}`)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return answer.data
  }
  const password = 'benchmark-owner'
  await post('/api/setup', { username: 'bench', password, confirmPassword: password })
  await post('/api/user/login', { username: 'bench', password })
  for (const [key, value] of Object.entries(options))
    await post('/api/option/', { key, value }, 'PUT')
  for (const channel of [channels].flat())
    await post('/api/channel/', { mode: 'single', channel: { type: 1, key: 'k', ...channel } })
  const { key } = await post('/api/token/', { name: 'bench', unlimited_quota: true })
  return key
}
