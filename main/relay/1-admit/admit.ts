import { GatewayError } from '../../base/errors.ts'
import { isBoundByBalance, tokenBalance, userBalance } from '../../store/ledger/balance.ts'
import type { Token } from '../../store/records/tokens.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import { checkGroup } from '../channel/groups.ts'
import { checkBudgets } from '../limits/budget.ts'
import { refuseLoop } from '../limits/hop-mark.ts'
import type { RateShare } from '../limits/token-rate.ts'
import type { RelayServices } from '../relay-services.ts'
import { checkAddress, checkInForce, checkPinning, checkUser, tokenName } from './check-caller.ts'
import { checkModels } from './check-models.ts'
import { type CallerStores, currentCaller } from './current-caller.ts'
import { refuseWhilePaused } from './pause.ts'

/** The stores that say whether a call may be made. */
export type AdmitServices = Pick<
  RelayServices,
  'ledger' | 'settings' | 'requestLimits' | 'tokenRates' | 'hopMark'
>

/** Counting tokens and tests of channels cost nothing: an empty quota does not refuse them. */
const isFree = (call: Call): boolean => call.verb === 'count-tokens' || isChannelTest(call)

function checkToken(token: Token, call: Call, services: AdmitServices): void {
  checkInForce(token)
  if (!token.unlimitedQuota && tokenBalance(token, services.ledger) <= 0 && !isFree(call)) {
    throw new GatewayError('token_exhausted', {
      message: `${tokenName(token)} has used up its quota. Add quota in the console: Connect → Tokens.`,
      reason: { code: 'token_used_up', token: token.name },
    })
  }
  if (!isFree(call)) checkBudgets(token, services.ledger)
  checkAddress(token, call.caller.ip)
}

/** Throws the first reason against the call, in the order of management-api §12.2. */
function checkCaller(call: Call, services: AdmitServices): void {
  const { token, user } = call.caller
  checkUser(user)
  if (token) checkToken(token, call, services)
  checkGroup(call, services.settings.current)
  checkPinning(call.caller)
}

function checkRest(call: Call, services: AdmitServices): void {
  const { token, user } = call.caller
  if (token) checkModels(token, call)
  if (!isBoundByBalance(user, services.settings.current) || isFree(call)) return
  if (userBalance(user, services.ledger) <= 0) {
    throw new GatewayError('insufficient_user_quota', {
      message: `The user "${user.username}" has used up its quota. Redeem a code, or ask the owner for credit.`,
      reason: { code: 'user_used_up', user: user.username },
    })
  }
}

/**
 * Lets a call in, which counts as a request from then on, and gives its share of its token's rate. Throws what is in
 * the way.
 */
export function admit(call: Call, services: AdmitServices): RateShare | null {
  checkCaller(call, services)
  // Who may not call at all is told that first. A test of a channel is the owner's own wish.
  if (!isChannelTest(call)) refuseWhilePaused(services)
  refuseLoop(call, services)
  services.requestLimits.begin(call, services.settings.current)
  const rate = services.tokenRates.begin(call)
  try {
    checkRest(call, services)
    return rate
  } catch (error) {
    rate?.end(null)
    throw error
  }
}

/** May a call that has waited for its turn still be made, as its caller stands by now? */
export function admitWaited(call: Call, services: AdmitServices & CallerStores): void {
  const caller = currentCaller(call.caller, services)
  if (!isChannelTest(call)) refuseWhilePaused(services)
  readmit({ ...call, caller }, services)
}

/** May a call that was let in before still go on? */
export function readmit(call: Call, services: AdmitServices): void {
  checkCaller(call, services)
  checkRest(call, services)
}
