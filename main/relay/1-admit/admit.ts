import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { addressMatcher } from '../../base/net/address-list.ts'
import { checkToolKeys } from '../../convert/check/guarded-keys.ts'
import {
  type NamedModel,
  namedModels,
  openChoice,
  toolModels,
} from '../../convert/check/named-models.ts'
import { isBoundByBalance, tokenBalance, userBalance } from '../../store/ledger/balance.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { User } from '../../store/records/users.ts'
import { type Call, type Caller, isChannelTest } from '../call/call.ts'
import { checkGroup } from '../channel/groups.ts'
import { checkBudgets } from '../limits/budget.ts'
import { refuseLoop } from '../limits/hop-mark.ts'
import type { RateShare } from '../limits/token-rate.ts'
import type { RelayServices } from '../relay-services.ts'
import { refuseWhilePaused } from './pause.ts'

/** The stores that say whether a call may be made. */
export type AdmitServices = Pick<
  RelayServices,
  'ledger' | 'settings' | 'requestLimits' | 'tokenRates' | 'hopMark'
>

const matchers = new WeakMap<Token, (ip: string) => boolean>()

function isAllowedAddress(token: Token, ip: string): boolean {
  let matches = matchers.get(token)
  if (!matches) {
    matches = addressMatcher(token.allowIps)
    matchers.set(token, matches)
  }
  return matches(ip)
}

/** Counting tokens and tests of channels cost nothing: an empty quota does not refuse them. */
const isFree = (call: Call): boolean => call.verb === 'count-tokens' || isChannelTest(call)

const nameOf = (token: Token): string => `The token "${token.name}"`

function checkEnabled(token: Token): void {
  if (token.status === 2) {
    throw new GatewayError('token_disabled', {
      message: `${nameOf(token)} is disabled. Enable it on the Tokens page of the console.`,
    })
  }
}

function checkInForce(token: Token): void {
  checkEnabled(token)
  if (token.expiredTime !== -1 && token.expiredTime <= unixSeconds()) {
    const when = new Date(token.expiredTime * 1000).toISOString()
    throw new GatewayError('token_expired', {
      message: `${nameOf(token)} expired at ${when}. Give it a later expiry, or use another token.`,
    })
  }
}

function checkAddress(token: Token, ip: string): void {
  if (token.allowIps.length > 0 && !isAllowedAddress(token, ip)) {
    throw new GatewayError('access_denied', {
      message: `${nameOf(token)} may not be used from ${ip}. Its list of allowed addresses decides.`,
    })
  }
}

function checkToken(token: Token, call: Call, parts: AdmitServices): void {
  checkInForce(token)
  if (!token.unlimitedQuota && tokenBalance(token, parts.ledger) <= 0 && !isFree(call)) {
    throw new GatewayError('token_exhausted', {
      message: `${nameOf(token)} has used up its quota. Add quota to it on the Tokens page of the console.`,
    })
  }
  if (!isFree(call)) checkBudgets(token, parts.ledger)
  checkAddress(token, call.caller.ip)
}

function checkModel(token: Token, call: Call): void {
  if (!token.modelLimitsEnabled) return
  requireAllowed(token, { name: call.model, at: 'model' })
  for (const one of namedModels(call.body)) requireAllowed(token, one)
  if (call.body.kind('tools') === 'array') {
    checkToolKeys(call.body)
    for (const one of toolModels(call.body)) requireAllowed(token, one)
  }
  const field = openChoice(call.body)
  if (field === undefined) return
  throw new GatewayError('model_not_allowed', {
    message: `${field}: ${nameOf(token)} may use some models only, and this leaves the choice to the vendor. Leave it out.`,
    field,
  })
}

/** Throws `model_not_allowed` for a model that a token's list leaves out. */
export function requireAllowed(token: Token, { name, at }: NamedModel): void {
  if (!token.modelLimitsEnabled || token.modelLimits.includes(name)) return
  throw new GatewayError('model_not_allowed', {
    message: `${nameOf(token)} may not use the model "${name}". Allowed: ${token.modelLimits.join(', ') || 'none'}.`,
    field: at,
  })
}

function checkUser(user: User): void {
  if (user.status === 1) return
  throw new GatewayError('user_disabled', {
    message: `The user "${user.username}" is disabled. An administrator can enable it.`,
  })
}

/** May this caller ask anything at all, if only which models there are? */
export function admitCaller({ token, user, ip }: Caller): void {
  checkUser(user)
  if (!token) return
  checkInForce(token)
  checkAddress(token, ip)
}

/** May this caller ask what its token has left? Also where that has expired or is used up. */
export function admitOwner({ token, user, ip }: Caller): void {
  checkUser(user)
  if (!token) return
  checkEnabled(token)
  checkAddress(token, ip)
}

function checkPinning({ pinnedChannel, user }: Caller): void {
  if (pinnedChannel === null || user.role >= 10) return
  throw new GatewayError('pinning_not_allowed', {
    message: `Only an administrator's token may name a channel. Leave out "-${pinnedChannel}".`,
  })
}

/**
 * May this caller make any call at all? Of a call that is wrong this is told first (management-api §12.2),
 * so that a stranger learns nothing of what a right one would be.
 */
export function admitKey(caller: Caller, { settings }: Pick<AdmitServices, 'settings'>): void {
  admitCaller(caller)
  checkGroup({ caller }, settings.current)
  checkPinning(caller)
}

/** Throws what is in the way of whoever calls, in the order of management-api §12.2. */
function checkCaller(call: Call, parts: AdmitServices): void {
  const { token, user } = call.caller
  checkUser(user)
  if (token) checkToken(token, call, parts)
  checkGroup(call, parts.settings.current)
  checkPinning(call.caller)
}

function checkRest(call: Call, parts: AdmitServices): void {
  const { token, user } = call.caller
  if (token) checkModel(token, call)
  if (!isBoundByBalance(user, parts.settings.current) || isFree(call)) return
  if (userBalance(user, parts.ledger) <= 0) {
    throw new GatewayError('insufficient_user_quota', {
      message: `The user "${user.username}" has used up its quota.`,
    })
  }
}

/**
 * Lets a call in, which counts as a request from then on, and gives its share of its token's rate. Throws what is in
 * the way.
 */
export function admit(call: Call, parts: AdmitServices): RateShare | null {
  checkCaller(call, parts)
  // Who may not call at all is told that first. A test of a channel is the owner's own wish.
  if (!isChannelTest(call)) refuseWhilePaused(parts)
  refuseLoop(call, parts)
  parts.requestLimits.begin(call, parts.settings.current)
  const rate = parts.tokenRates.begin(call)
  try {
    checkRest(call, parts)
    return rate
  } catch (error) {
    rate?.end(null)
    throw error
  }
}

/** May a call that was let in before still go on? */
export function readmit(call: Call, parts: AdmitServices): void {
  checkCaller(call, parts)
  checkRest(call, parts)
}
