/** Before a row is removed by its button: the focus goes on to a button of the row behind it, or of the one before. */
export function focusBeside(button: HTMLElement, row = button.parentElement): void {
  const beside = [row?.nextElementSibling, row?.previousElementSibling]
  const next = beside.map((one) => one?.querySelector('button')).find((one) => one)
  ;(next ?? row?.parentElement)?.focus()
}
