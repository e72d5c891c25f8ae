import { type ComponentType, useState } from 'react'
import type { LazyCode } from './lazy-code.ts'

interface Code<Props extends object> {
  /** Undefined until it’s asked for and loaded. */
  Content: ComponentType<Props> | undefined
  load(): Promise<void>
}

/** Code that is loaded when it’s asked for; until then its caller shows something of its own. */
export function useCode<Props extends object>(code: LazyCode<Props>): Code<Props> {
  const [known, setKnown] = useState<{ Content: ComponentType<Props> }>()
  return {
    Content: known?.Content,
    load: async () => setKnown({ Content: await code.load() }),
  }
}
