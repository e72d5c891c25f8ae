import type { ExchangeRequest } from '../exchange.ts'

/** Must the model call a tool, whatever it thinks best? */
export function demandsCall({ tools, toolChoice }: ExchangeRequest): boolean {
  if (tools.length === 0 || !toolChoice) return false
  if (toolChoice.mode === 'some') return toolChoice.isRequired
  return toolChoice.mode === 'required' || toolChoice.mode === 'one'
}
