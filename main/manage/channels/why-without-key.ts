import { redact, withoutKey } from '../../base/log/redact.ts'
import type { Why } from '../../base/reason.ts'

/** A vendor’s words may quote the key that it refuses. */
export function whyWithoutKey(why: Why, key: string): Why {
  const told = (text: string): string => redact(withoutKey(text, key))
  if (typeof why === 'string') return told(why)
  const entries = Object.entries(why).map(([name, value]) => {
    if (name === 'code') return [name, value]
    if (typeof value === 'string') return [name, told(value)]
    const isReason = typeof value === 'object' && value !== null && 'code' in value
    return [name, isReason ? whyWithoutKey(value as Why, key) : value]
  })
  return Object.fromEntries(entries)
}
