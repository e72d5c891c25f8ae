import { connect, isIP, type Socket } from 'node:net'
import { addressBytes } from '../../base/net/address-list.ts'
import type { Reason, Why } from '../../base/reason.ts'
import type { TunnelOptions } from './http-tunnel.ts'
import { proxyFailure, proxyWantsLogin, unusableProxy } from './proxy-failure.ts'
import type { UpstreamProxy } from './read-proxy.ts'

// SOCKS version 5: https://www.rfc-editor.org/rfc/rfc1928, logging in: https://www.rfc-editor.org/rfc/rfc1929
const VERSION = 5
const LOGIN_VERSION = 1
const NO_LOGIN = 0
const LOGIN = 2
const NO_METHOD = 0xff
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
/** A name has one byte for its length. */
const LONGEST_NAME = 255

const refusals: Readonly<Record<number, readonly [string, Reason]>> = {
  1: ['it has failed', { code: 'socks_failed' }],
  2: ['its rules do not allow it', { code: 'socks_not_allowed' }],
  3: ['the network cannot be reached', { code: 'socks_no_network' }],
  4: ['the host cannot be reached', { code: 'socks_no_host' }],
  5: ['nothing listens at that address', { code: 'socks_refused' }],
  6: ['the way is too long', { code: 'socks_way_long' }],
  7: ['it makes no connections', { code: 'socks_no_connections' }],
  8: ['it does not know that kind of address', { code: 'socks_address_unknown' }],
}

/** Exactly so many bytes; what comes behind them stays in the socket. */
function read(socket: Socket, length: number, proxy: UpstreamProxy): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      socket.off('readable', take).off('error', fail).off('close', close).off('end', close)
    }
    const fail = (error: Error) => {
      stop()
      reject(error)
    }
    const close = () =>
      fail(
        unusableProxy(proxy, 'closed the connection before it was set up', {
          code: 'proxy_closed',
        }),
      )
    const take = () => {
      const bytes: Buffer | null = socket.read(length)
      if (bytes === null) return
      stop()
      if (bytes.length === length) resolve(bytes)
      else close()
    }
    socket.on('readable', take).on('error', fail).on('close', close).on('end', close)
    take()
    // It may have ended while nobody listened.
    if (socket.errored) fail(socket.errored)
    else if (socket.destroyed || socket.readableEnded) close()
  })
}

const notSocks = (proxy: UpstreamProxy) =>
  unusableProxy(proxy, 'does not answer in SOCKS 5: check its port', { code: 'proxy_no_socks' })

async function logIn(socket: Socket, proxy: UpstreamProxy): Promise<void> {
  const hasLogin = proxy.user !== '' || proxy.password !== ''
  const methods = hasLogin ? [NO_LOGIN, LOGIN] : [NO_LOGIN]
  socket.write(Buffer.from([VERSION, methods.length, ...methods]))
  const [version, method] = await read(socket, 2, proxy)
  if (version !== VERSION) throw notSocks(proxy)
  if (method === NO_LOGIN) return
  if (method === NO_METHOD || !hasLogin) throw proxyWantsLogin(proxy)
  if (method !== LOGIN) throw notSocks(proxy)
  const [user, password] = [Buffer.from(proxy.user), Buffer.from(proxy.password)]
  socket.write(
    Buffer.concat([
      Buffer.from([LOGIN_VERSION, user.length]),
      user,
      Buffer.from([password.length]),
      password,
    ]),
  )
  const [, status] = await read(socket, 2, proxy)
  if (status !== 0) throw proxyWantsLogin(proxy)
}

/** An address as such, any other host by its name: the proxy looks it up. */
function addressOf(host: string, proxy: UpstreamProxy): Buffer {
  if (isIP(host) !== 0) {
    const bytes = addressBytes(host)
    return Buffer.from([bytes.length === 4 ? IPV4 : IPV6, ...bytes])
  }
  const name = Buffer.from(host)
  if (name.length > LONGEST_NAME) {
    throw proxyFailure(proxy, `takes no host name of more than ${LONGEST_NAME} bytes`, {
      code: 'proxy_name_long',
      most: LONGEST_NAME,
    })
  }
  return Buffer.concat([Buffer.from([NAME, name.length]), name])
}

async function ask(
  socket: Socket,
  host: string,
  port: number,
  proxy: UpstreamProxy,
): Promise<void> {
  const head = Buffer.from([VERSION, CONNECT, 0])
  const portBytes = Buffer.from([port >> 8, port & 0xff])
  socket.write(Buffer.concat([head, addressOf(host, proxy), portBytes]))
  const [version, reply = 1, , kind] = await read(socket, 4, proxy)
  if (version !== VERSION) throw notSocks(proxy)
  if (reply !== 0) {
    const [said, why]: readonly [string, Why] = refusals[reply] ?? [
      `reply ${reply}`,
      { code: 'socks_reply', reply },
    ]
    throw proxyFailure(
      proxy,
      `could not connect to the upstream: ${said}`,
      { code: 'proxy_not_connected', why },
      { adminSaid: `could not connect to ${host}:${port}: ${said}` },
    )
  }
  // The address that it connects from is of no interest, but has to be read off.
  const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : ((await read(socket, 1, proxy))[0] ?? 0)
  await read(socket, length + 2, proxy)
}

/**
 * A connection through a SOCKS 5 proxy, which looks names up itself. Rejects with what the proxy said, or
 * with the network's error.
 */
export async function openSocksTunnel(
  proxy: UpstreamProxy,
  { host, port }: { host: string; port: number },
  { lookup, signal }: TunnelOptions,
): Promise<Socket> {
  const own = { host: proxy.host, port: proxy.port, noDelay: true }
  const socket = connect(lookup ? { ...own, lookup } : own)
  // The reader reports it, and nobody reads before the connection is handed over.
  socket.on('error', () => {})
  const end = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    await logIn(socket, proxy)
    await ask(socket, host, port, proxy)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', end)
  }
}
