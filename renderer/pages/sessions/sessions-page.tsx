import { useSearchParams } from 'wouter'
import { SessionList } from './session-list.tsx'
import { SessionView } from './session-view.tsx'

/** `?id=<session>&user=<id>` shows one session, with what was said in it. */
export function SessionsPage() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  if (id === '') return <SessionList />
  const user = search.get('user')
  return <SessionView key={`${user} ${id}`} id={id} user={user === null ? null : Number(user)} />
}
