import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** One request to a proxy for a connection. */
export interface ProxyVisit {
  /** `host:port`, as it was asked for. */
  target: string
  /** `user:password`, or empty. */
  login: string
}

export interface ProxyServer {
  /** `http://127.0.0.1:<port>` or `socks5://…`, without a login. */
  url: string
  port: number
  visits: ProxyVisit[]
  /** Connections that were made to it so far. */
  connections(): number
  /** Connections through it that are open. */
  open(): number
  close(): Promise<void>
}

export interface ProxyOptions {
  /** `user:password` that it wants; any, and none, is right when left out. */
  login?: string
  /** Leads every target to this port of 127.0.0.1. */
  leadTo?: number
  /** It is talked to over TLS. */
  certificate?: { key: string; cert: string }
  /** Opens no way before it. */
  after?: Promise<unknown>
  /** Form of the address that a SOCKS proxy reports; IPv4 when left out. */
  tells?: 'IPv6' | 'name'
  /** Says nothing, however long one waits; or refuses what it is asked for. */
  fault?: 'silent' | 'refuses' | 'speaks-nonsense' | 'closes'
}

/** Who speaks one protocol with one client: gives the target, or null where it was refused. */
type Handshake = (client: Conversation, options: ProxyOptions) => Promise<ProxyVisit | null>

interface Conversation {
  socket: Socket
  /** So many bytes, or all up to and with this text. */
  read(what: number | string): Promise<Buffer>
}

function conversation(socket: Socket): Conversation {
  let held = Buffer.alloc(0)
  const take = (what: number | string): Buffer | null => {
    const at = typeof what === 'number' ? what : held.indexOf(what) + what.length
    if (typeof what === 'string' ? !held.includes(what) : held.length < what) return null
    const taken = held.subarray(0, at)
    held = held.subarray(at)
    return taken
  }
  return {
    socket,
    async read(what) {
      for (let found = take(what); ; found = take(what)) {
        if (found) return found
        const chunk: Buffer | null = socket.read()
        if (chunk) held = Buffer.concat([held, chunk])
        else await once(socket, 'readable')
      }
    },
  }
}

const connectHandshake: Handshake = async ({ socket, read }, { login, fault, after }) => {
  const head = (await read('\r\n\r\n')).toString('latin1')
  await after
  const [, target = ''] = /^CONNECT (\S+) HTTP\/1\.1/.exec(head) ?? []
  const [, basic = ''] = /proxy-authorization: Basic (\S+)/i.exec(head) ?? []
  const given = Buffer.from(basic, 'base64').toString()
  if (fault === 'refuses') socket.end('HTTP/1.1 403 Not on the list\r\nContent-Length: 0\r\n\r\n')
  else if (login !== undefined && given !== login) {
    socket.end('HTTP/1.1 407 Login, please\r\nContent-Length: 0\r\n\r\n')
  } else {
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    return { target, login: given }
  }
  return null
}

const NO_METHOD = 0xff
const NAMES = 3

const socksHandshake: Handshake = async ({ socket, read }, { login, fault, after, tells }) => {
  const [, count = 0] = await read(2)
  await after
  const methods = [...(await read(count))]
  const method = login === undefined ? 0 : 2
  socket.write(Buffer.from([5, methods.includes(method) ? method : NO_METHOD]))
  if (!methods.includes(method)) return null
  let given = ''
  if (login !== undefined) {
    const text = async () => String(await read((await read(1))[0] ?? 0))
    await read(1)
    given = `${await text()}:${await text()}`
    socket.write(Buffer.from([1, given === login ? 0 : 1]))
    if (given !== login) return null
  }
  const [, , , kind] = await read(4)
  const host =
    kind === NAMES ? String(await read((await read(1))[0] ?? 0)) : [...(await read(4))].join('.')
  const target = `${host}:${(await read(2)).readUInt16BE()}`
  const refused = 2
  const own =
    tells === 'IPv6' ? [4, ...Array(16).fill(0)] : tells ? [3, 2, 104, 105] : [1, 0, 0, 0, 0]
  socket.write(Buffer.from([5, fault === 'refuses' ? refused : 0, 0, ...own, 0, 0]))
  return fault === 'refuses' ? null : { target, login: given }
}

async function startProxy(
  kind: 'http' | 'socks5',
  handshake: Handshake,
  options: ProxyOptions,
): Promise<ProxyServer> {
  const visits: ProxyVisit[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const onConnection = async (socket: Socket) => {
    connections++
    keep(socket)
    if (options.fault === 'silent') return void socket.resume()
    if (options.fault === 'closes') return void socket.once('readable', () => socket.destroy())
    if (options.fault === 'speaks-nonsense') return void socket.end('220 mail.test ready\r\n\r\n')
    const client = conversation(socket)
    const visit = await handshake(client, options).catch(() => null)
    if (!visit) return void socket.end()
    visits.push(visit)
    const [, host = '', port] = /^(.*):(\d+)$/.exec(visit.target) ?? []
    const far = connect({
      host: options.leadTo ? '127.0.0.1' : host,
      port: options.leadTo ?? Number(port),
    })
    keep(far)
    socket.on('close', () => far.destroy())
    far.on('close', () => socket.destroy())
    socket.pipe(far)
    far.pipe(socket)
  }
  const { certificate } = options
  const server: Server = certificate
    ? createTlsServer(certificate, onConnection).on('tlsClientError', () => {})
    : createServer(onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${kind}${certificate ? 's' : ''}://127.0.0.1:${port}`,
    port,
    visits,
    connections: () => connections,
    open: () => [...sockets].filter(({ localPort }) => localPort === port).length,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** An HTTP proxy on a free port of 127.0.0.1 that makes connections by CONNECT. */
export const startConnectProxy = (options: ProxyOptions = {}): Promise<ProxyServer> =>
  startProxy('http', connectHandshake, options)

/** A SOCKS 5 proxy on a free port of 127.0.0.1. */
export const startSocksProxy = (options: ProxyOptions = {}): Promise<ProxyServer> =>
  startProxy('socks5', socksHandshake, options)
