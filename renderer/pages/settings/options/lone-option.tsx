import { useState } from 'react'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import type { OptionEntry } from './option-entry.ts'
import { OptionLine, type OptionRecord } from './option-line.tsx'

/** An option outside the Options page; it keeps its own edit. */
export function LoneOption({ entry, stored }: { entry: OptionEntry; stored: OptionRecord }) {
  const [typed, setTyped] = useState<string | null>(null)
  useUnsaved(typed !== null)
  return <OptionLine entry={entry} stored={stored} typed={typed} onType={setTyped} />
}
