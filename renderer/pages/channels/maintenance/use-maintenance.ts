import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../gateway/queries.ts'
import { channelQueries } from '../channel-queries.ts'

/** Actions on all channels, and their result. */
export function useMaintenance() {
  const { t } = useTranslation()
  const testAll = useAction('channel.test-all', channelQueries)
  const balances = useAction('channel.balance-all', channelQueries)
  const fix = useAction('channel.fix', channelQueries)
  const [note, setNote] = useState<string | null>(null)
  const [isTesting, setTesting] = useState(false)
  const actions = [testAll, balances, fix]
  const begin = () => {
    setNote(null)
    setTesting(false)
    for (const action of actions) action.reset()
  }
  const busyLabel = balances.busy
    ? t('channelMaintenance.askingBalances')
    : testAll.busy
      ? t('channelMaintenance.startingTests')
      : fix.busy
        ? t('channelMaintenance.fixing')
        : null
  return {
    busyLabel,
    note,
    failure: actions.find(({ failure }) => failure)?.failure ?? null,
    /** Tests run in the background; results come in one by one. */
    isTesting,
    async testAll() {
      begin()
      if (!(await testAll.run({}))) return
      setTesting(true)
      setNote(t('channelMaintenance.testsStarted'))
    },
    async updateBalances() {
      begin()
      if (await balances.run({})) setNote(t('channelMaintenance.balancesDone'))
    },
    async fix() {
      begin()
      const reply = await fix.run({})
      if (!reply) return
      const { success, fails } = reply.data
      setNote(t('channelMaintenance.fixed', { count: success, fails }))
    },
    cancel() {
      for (const action of actions) action.cancel()
    },
    dismiss: begin,
  }
}

export type Maintenance = ReturnType<typeof useMaintenance>
