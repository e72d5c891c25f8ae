import type { ComponentType } from 'react'

/** A component whose code is loaded when it’s first shown, or ahead of that. */
export interface LazyCode<Props extends object> {
  /** Of the query that holds it. */
  key: readonly [string, number]
  load(): Promise<ComponentType<Props>>
  /** It says only what the first texts hold, and shows only what the first styles do or loads the others itself. */
  isFirst: boolean
  /** Undefined until it’s loaded. */
  loaded(): ComponentType<Props> | undefined
}

let count = 0

export function lazyCode<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isFirst = false } = {},
): LazyCode<Props> {
  let loaded: ComponentType<Props> | undefined
  return {
    key: ['code', count++],
    isFirst,
    async load() {
      // Sheets apply in the order in which they come.
      if (!isFirst) await import('../../further-styles.ts')
      loaded ??= await load()
      return loaded
    },
    loaded: () => loaded,
  }
}
