import { type Action, useAction } from '../../gateway/queries.ts'
import type { ConnectTool, UndoneTool } from '../../gateway/records.ts'

export type Undo = Omit<Action<'connect.undo'>, 'run'> & {
  run: (to: 'before' | 'none') => Promise<void>
}

export function useUndo(
  { id }: Pick<ConnectTool, 'id'>,
  onUndone: (outcome: UndoneTool) => void,
): Undo {
  const action = useAction('connect.undo', ['connect.tools', 'token.list'])
  return {
    ...action,
    async run(to) {
      const reply = await action.run({ tool: id, to })
      if (reply) onUndone(reply.data)
    },
  }
}
