import { type Action, useAction } from '../../gateway/queries.ts'
import type { ConnectTool, RestoredFile } from '../../gateway/records.ts'

export type Undo = Omit<Action<'connect.undo'>, 'run'> & { run: () => Promise<void> }

export function useUndo(
  { id }: Pick<ConnectTool, 'id'>,
  onUndone: (files: readonly RestoredFile[]) => void,
): Undo {
  const action = useAction('connect.undo', ['connect.tools', 'token.list'])
  return {
    ...action,
    async run() {
      const reply = await action.run({ tool: id })
      if (reply) onUndone(reply.data.files)
    },
  }
}
