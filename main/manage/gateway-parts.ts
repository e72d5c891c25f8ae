import type { ClientAddresses } from '../base/net/client-address.ts'
import type { Vitals } from '../base/vitals.ts'
import type { Machine } from '../connect/tool.ts'
import type { RelayServices } from '../relay/relay-services.ts'
import type { Sessions } from '../store/records/sessions.ts'
import type { Tokens } from '../store/records/tokens.ts'
import type { Users } from '../store/records/users.ts'
import type { RefusedRequests } from '../store/refused/refused-requests.ts'
import type { State } from '../store/state/state.ts'
import type { ExtraCertificates } from '../upstream/tls/extra-certificates.ts'
import type { LoginCodes } from './account/login-codes.ts'
import type { LoginGate } from './account/login-gate.ts'
import type { TimelineSources } from './calls/timeline-sources.ts'
import type { RetestPlan } from './channels/maintenance/retest-plan.ts'
import type { Rounds } from './channels/maintenance/rounds.ts'
import type { LocalAccess } from './connect/local-access.ts'
import type { DesktopCapabilities } from './desktop/desktop-capabilities.ts'
import type { UpdateCheck } from './desktop/update-check.ts'
import type { Incidents } from './incidents/incidents.ts'
import type { NoticeQueue } from './notices/notice-queue.ts'
import type { GatewayEvents } from './server/gateway-events.ts'

/** Where the gateway listens. */
export interface GatewayAddress {
  host: string
  port: number
  /** `http://127.0.0.1:4747`, without a trailing slash. */
  url: string
}

/** Everything that operations work with; made once by `gateway.ts`. */
export interface GatewayParts extends RelayServices {
  state: State
  users: Users
  tokens: Tokens
  sessions: Sessions
  logins: LoginGate
  loginCodes: LoginCodes
  events: GatewayEvents
  /** Requests that were refused before they became calls. */
  refused: RefusedRequests
  rounds: Rounds
  /** Notices for users outside the console; `notify` adds to it. */
  notices: Pick<NoticeQueue, 'add' | 'stop'>
  /** Open incidents, for the desktop's notifications. */
  incidents: Incidents
  /** When what the gateway disabled is to be tested again. */
  retests: RetestPlan
  /** Sources of the Calls list besides the ledger. */
  timeline: TimelineSources
  /** Where coding tools are looked for. */
  machine: Machine
  /** Lets programs of this user in, to `connect.` operations alone. */
  localAccess: LocalAccess
  version: string
  /** Unix seconds. */
  startedAt: number
  /** Absolute path. */
  dataFolder: string
  /**
   * Sign the session cookie, the first of them new ones. Derived from the data key, so the same on every start;
   * while that is locked, one of this process alone.
   */
  sessionSecrets: string[]
  /** Version of Electron, or null when the gateway runs on plain Node. */
  electron: string | null
  /** The desktop's abilities; null when the gateway runs without it. */
  desktop: DesktopCapabilities | null
  /** Looks for newer versions of the desktop. */
  updates: Pick<UpdateCheck, 'run' | 'state'>
  /** Whether the event loop and the clock are well. */
  vitals: Vitals
  /** The authorities that the owner trusts besides the usual ones. */
  extraCertificates: Pick<ExtraCertificates, 'problems'>
  /** Open connections of clients. */
  connections(): number
  /** Where the payment providers are, in place of their own addresses; without a trailing slash. */
  payments: { stripeUrl?: string; creemUrl?: string }
  address(): GatewayAddress
  /** Where requests come from, also through proxies. */
  clients: ClientAddresses
  /** The OpenAPI document of all that is served. */
  apiDocument(): Promise<Record<string, unknown>>
}
