import { useOperation } from '../../gateway/queries.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { type PageEntry, pages } from './pages.ts'

const one = { p: 1, page_size: 1 }

/** Leaves out the pages that the signed-in user can't use here. */
export function usePages(): readonly PageEntry[] {
  const role = useRole()
  const isShared = useIsShared()
  const hasPayments = useHasPayments(isShared)
  return pages.filter(
    ({ leastRole = 0, isForSharing, name }) =>
      role >= leastRole && (isShared || !isForSharing) && (name !== 'payments' || hasPayments),
  )
}

/** For a user: true when something is sold here, or they have orders. */
function useHasPayments(isShared: boolean): boolean {
  const isOwner = useRole() >= roles.owner
  const enabled = isShared && !isOwner
  const info = useOperation('topup.info', {}, { enabled })
  const orders = useOperation('topup.list-self', one, { enabled })
  const isOffered = info.data?.enable_stripe_topup || info.data?.enable_creem_topup
  return isOwner || Boolean(isOffered) || (orders.data?.total ?? 0) > 0
}
