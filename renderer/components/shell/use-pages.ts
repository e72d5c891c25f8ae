import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator, useRole } from '../../gateway/use-role.ts'
import { type PageEntry, pages } from './pages.ts'

const one = { p: 1, page_size: 1 }

/** Leaves out the pages that the signed-in user can't use here. */
export function usePages(): readonly PageEntry[] {
  const role = useRole()
  const hasPayments = useHasPayments()
  return pages.filter(
    ({ leastRole = 0, name }) => role >= leastRole && (name !== 'payments' || hasPayments),
  )
}

/** True when something is sold here, or there are orders. */
function useHasPayments(): boolean {
  const isAdministrator = useIsAdministrator()
  const info = useOperation('topup.info', {})
  const orders = useOperation(isAdministrator ? 'topup.list' : 'topup.list-self', one)
  const isOffered = info.data?.enable_stripe_topup || info.data?.enable_creem_topup
  return Boolean(isOffered) || (orders.data?.total ?? 0) > 0
}
