import type { Capture, CapturedBody } from '../../capture/capture.ts'

/** A capture's bodies by the name of their border: `client.request`, `exchange.0.answer`; earlier ones first. */
export function bordersOf({ client, exchanges }: Capture): Map<string, CapturedBody> {
  const borders = new Map([['client.request', client.request.body]])
  if (client.answer) borders.set('client.answer', client.answer.body)
  exchanges.forEach(({ request, answer }, index) => {
    borders.set(`exchange.${index}.request`, request.body)
    if (answer) borders.set(`exchange.${index}.answer`, answer.body)
  })
  return borders
}
