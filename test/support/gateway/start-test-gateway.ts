import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../../main/base/log/log.ts'
import { type GatewayOptions, type RunningGateway, startGateway } from '../../../main/gateway.ts'
import type { StoredCall } from '../../../main/store/ledger/ledger.ts'
import type { Channel, ChannelFields } from '../../../main/store/records/channels.ts'
import type { Token, TokenFields } from '../../../main/store/records/tokens.ts'
import { openConfFile } from '../../../main/store/state/conf-file.ts'
import type { Settings } from '../../../main/store/state/settings.ts'

/** A gateway in this process, on a free port and a data folder of its own, with an owner and a token. */
export interface TestGateway extends RunningGateway {
  /** `sk-…` of a token without limits. */
  key: string
  dataFolder: string
  addChannel(fields: Partial<ChannelFields>): Channel
  addToken(fields?: Partial<TokenFields>): Token & { full: string }
  set(settings: Partial<Settings>): void
  /** The ledger's rows, newest first. */
  rows(): StoredCall[]
  /** Waits until the ledger has this many rows; throws when they don't come. */
  rowsWhen(count: number): Promise<StoredCall[]>
}

/** Milliseconds, above what a slow machine takes. */
const LONGEST_WAIT = 30_000

export async function startTestGateway(
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  const running = await startGateway({
    host: '127.0.0.1',
    port: 0,
    portIsNamed: true,
    dataFolder,
    rendererFolder: join(import.meta.dirname, '../../../dist/renderer'),
    openStateFile: openConfFile,
    env: {},
    log: createLog('silent'),
    ...options,
  })
  const { parts } = running
  const owner = parts.users.create({ username: 'owner', role: 100 })
  const rows = () => parts.ledger.list({}, { page: 1, pageSize: 1000 }).items
  const addToken = (fields: Partial<TokenFields> = {}) => {
    const token = parts.tokens.create({
      userId: owner.id,
      name: 'test',
      unlimitedQuota: true,
      ...fields,
    })
    return { ...token, full: `sk-${token.key}` }
  }
  return {
    ...running,
    key: addToken().full,
    dataFolder,
    addToken,
    addChannel: (fields) =>
      parts.channels.create({
        type: 1,
        name: 'upstream',
        key: 'vendor-key',
        models: ['model-a'],
        groups: ['default'],
        ...fields,
      }),
    set: (settings) => parts.settings.update(settings),
    rows,
    async rowsWhen(count) {
      const until = performance.now() + LONGEST_WAIT
      while (rows().length < count) {
        if (performance.now() > until)
          throw new Error(`The ledger has ${rows().length} rows, not ${count}.`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return rows()
    },
    async close() {
      await running.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
