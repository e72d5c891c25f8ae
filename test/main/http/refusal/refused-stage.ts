import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { StoredRefusal } from '../../../../main/store/refused/refused-request.ts'
import { type Pair, type SendOptions, startPair } from '../../../support/gateway/pair.ts'
import { vendorReply } from '../../../support/upstreams/vendor-replies.ts'

export const chat = { model: 'chat-model', messages: [{ role: 'user', content: 'hi' }] }

/** A gateway that requests are refused by, and a vendor behind it. */
export interface RefusedStage {
  readonly pair: Pair
  /** The vendor refuses every call. */
  isRefusing: boolean
  /** The line of a head that names the gateway. */
  host(): string
  /** A call of `chat`, unless its options say otherwise. */
  post(path: string, options?: SendOptions): ReturnType<Pair['send']>
  /** Sends bytes and hears the connection to its end; the client ends its side after `wait` milliseconds, if any. */
  raw(text: string | Buffer, wait?: number): Promise<string>
  /** The rows of this test, the oldest first. */
  rows(): StoredRefusal[]
  onlyRow(): StoredRefusal
  /** Each second has 20 rows of one address. */
  untilRoomFor(count: number): Promise<void>
}

/** One stage for all tests of a file. */
export function refusedStage(): RefusedStage {
  let pair: Pair
  /** The id of the last row of the test before. */
  let last = 0
  const list = (limit: number) => pair.gateway.parts.refused.list({ limit })

  beforeAll(async () => {
    pair = await startPair({
      handler: (request) => (stage.isRefusing ? { status: 400, body: '{}' } : vendorReply(request)),
    })
  })
  afterAll(() => pair.close())
  beforeEach(async () => {
    await stage.untilRoomFor(4)
    last = list(1)[0]?.id ?? 0
  })

  const stage: RefusedStage = {
    get pair() {
      return pair
    },
    isRefusing: false,
    host: () => `Host: 127.0.0.1:${pair.gateway.port}`,
    post: (path, options) => pair.send(path, { body: chat, ...options }),
    raw: (text, wait = 0) =>
      new Promise((resolve) => {
        const socket = connect(pair.gateway.port, '127.0.0.1')
        let heard = ''
        socket.setEncoding('latin1')
        socket.on('data', (piece) => {
          heard += piece
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(heard))
        socket.write(text)
        if (wait > 0) setTimeout(() => socket.end(), wait)
      }),
    rows: () =>
      list(1000)
        .filter(({ id }) => id > last)
        .reverse(),
    onlyRow() {
      const [row, ...others] = stage.rows()
      expect(others).toEqual([])
      if (!row) throw new Error('no row')
      return row
    },
    async untilRoomFor(count) {
      const second = Math.floor(Date.now() / 1000)
      const taken = list(20).filter(({ time }) => Math.floor(time / 1000) === second)
      if (taken.length + count <= 20) return
      await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5))
    },
  }
  return stage
}
