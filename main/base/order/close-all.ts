/** Closed in reverse order of opening. A failure does not keep the others, least the ledger, from closing. */
export function closeAll(opened: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const close of [...opened].reverse()) {
    try {
      close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
