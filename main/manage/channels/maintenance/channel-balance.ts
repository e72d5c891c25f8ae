import { z } from 'zod'
import { adaptorOf } from '../../../adaptor/adaptors.ts'
import type { BalanceCall, Money } from '../../../adaptor/balance.ts'
import { unixSeconds } from '../../../base/clock.ts'
import { GatewayError } from '../../../base/errors.ts'
import { proxyFor } from '../../../relay/channel/channel-connection.ts'
import { targetOf } from '../../../relay/channel/channel-target.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { recordId } from '../../operation/input-fields.ts'
import { defineOperation, Reply } from '../../operation/operation.ts'
import { disableFor } from '../channel-guard.ts'
import { existingChannel } from '../existing-channel.ts'
import { askVendor, type Get } from './ask-vendor.ts'
import { forEachOf } from './rounds.ts'

const AT_ONCE = 4

/** Yuan become dollars by the setting `USDExchangeRate`. */
const inDollars = ({ USD = 0, CNY = 0 }: Money, { settings }: GatewayParts): number =>
  Math.round((USD + CNY / settings.current.USDExchangeRate) * 1e6) / 1e6

/** The first answer that says something; when none does, why the first one did not. */
async function askInTurn(
  calls: readonly BalanceCall[],
  headers: Record<string, string>,
  get: Get,
): Promise<Money> {
  let failure: GatewayError | null = null
  for (const { url, parse } of calls) {
    try {
      const money = parse((await get(url, headers)).json)
      if (money) return money
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code === 'client_gone') throw error
      failure ??= error
    }
  }
  throw (
    failure ??
    new GatewayError('upstream_error', {
      message: "The vendor's answer holds no balance. Look at the vendor's page.",
      reason: { code: 'no_balance_in_answer' },
    })
  )
}

const hasBalanceCall = ({ type, multiKeyMode }: Channel): boolean =>
  multiKeyMode === null && adaptorOf(type)?.balanceCalls !== undefined

/** Asks the vendor what is left, in US dollars, and keeps it with the channel. */
async function updateBalance(
  channel: Channel,
  signal: AbortSignal,
  parts: GatewayParts,
): Promise<number> {
  const adaptor = adaptorOf(channel.type)
  if (channel.multiKeyMode !== null) {
    throw new GatewayError('conflict', {
      message: `The channel "${channel.name}" has several keys, each with its own balance. Look at the vendor's page.`,
      reason: { code: 'several_balances', channel: channel.name },
    })
  }
  if (!adaptor?.balanceCalls) {
    throw new GatewayError('invalid_params', {
      message: `${adaptor?.name ?? 'This vendor'} has no API for balances. Look at the vendor's page.`,
      reason: { code: 'no_balance_api', vendor: adaptor?.name ?? '–' },
    })
  }
  const target = targetOf(channel)
  const calls = adaptor.balanceCalls(target)
  const { headers } = adaptor.modelList(target)
  const way = (url: string) => proxyFor(channel, url, parts)
  const question = { key: target.key, wanted: 'the balance', way, signal }
  const money = await askVendor(question, (get) => askInTurn(calls, headers, get))
  const balance = inDollars(money, parts)
  // Deleted meanwhile: there is nothing left to note it on.
  if (parts.channels.byId(channel.id)) {
    parts.channels.update(channel.id, { balance, balanceUpdatedTime: unixSeconds() })
  }
  return balance
}

const updateOne = defineOperation({
  name: 'channel.balance',
  summary: "Asks a channel's vendor what its account has left, in US dollars.",
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/update_balance/:id' },
  hasEffect: true,
  input: z.object({ id: recordId }),
  output: z.undefined(),
  beside: z.object({ balance: z.number().describe('US dollars.') }),
  async run({ id }, { parts, signal }): Promise<Reply<undefined>> {
    const balance = await updateBalance(existingChannel(id, parts), signal, parts)
    return new Reply(undefined, { extra: { balance } })
  },
})

async function updateAndJudge(channel: Channel, signal: AbortSignal, parts: GatewayParts) {
  try {
    const balance = await updateBalance(channel, signal, parts)
    if (balance <= 0) {
      const message = `The balance at the vendor is ${balance} USD`
      disableFor(channel.id, { message, reason: { code: 'balance_used_up', balance } }, parts)
    }
  } catch (error) {
    if (signal.aborted) return
    parts.log.warn({ err: error, channel: channel.id }, 'the balance could not be read')
  }
}

const updateAll = defineOperation({
  name: 'channel.balance-all',
  summary:
    'Asks the vendors of all enabled channels what is left, where they tell it; what has nothing left may be disabled.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/update_balance' },
  hasEffect: true,
  input: z.object({}),
  output: z.undefined(),
  async run(_input, { parts, signal }): Promise<undefined> {
    await parts.rounds.run('balance', async (stopped) => {
      const either = AbortSignal.any([signal, stopped])
      const asked = parts.channels.all().filter((one) => one.status === 1 && hasBalanceCall(one))
      await forEachOf(asked, { atOnce: AT_ONCE, signal: either }, (channel) =>
        updateAndJudge(channel, either, parts),
      )
    })
  },
})

export const channelBalanceOperations = [updateOne, updateAll] as const
