import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../gateway/queries.ts'
import { useLeave } from './use-unsaved.ts'

/** Ends the session; asks first if there are edits. */
export function useSignOut(): { busy: boolean; run: () => void } {
  const queryClient = useQueryClient()
  const signOut = useAction('session.logout')
  const leave = useLeave()
  const end = async () => {
    // Forgotten, not only read again: the login would take it for a session that has ended by itself.
    if (await signOut.run({})) await queryClient.resetQueries({ queryKey: ['user.self'] })
  }
  return { busy: signOut.busy, run: () => leave(() => void end()) }
}
