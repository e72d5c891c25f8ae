import { useAction, useOperation } from '../../../gateway/queries.ts'

/** Turns self-use mode off and on. */
export function useSharing() {
  const options = useOperation('option.list', {})
  const update = useAction('option.update', [
    'server.get',
    'option.list',
    'status.get',
    'user.self',
  ])
  const { busy, failure, cancel, reset } = update
  return {
    busy,
    failure,
    cancel,
    reset,
    start: () => update.run({ key: 'SelfUseModeEnabled', value: false }),
    /** Closes the registration too: an account made later would share the gateway again. */
    async stop() {
      const isOpen = options.data?.find(({ key }) => key === 'RegisterEnabled')?.value === 'true'
      if (isOpen && !(await update.run({ key: 'RegisterEnabled', value: false }))) return null
      return update.run({ key: 'SelfUseModeEnabled', value: true })
    },
  }
}
