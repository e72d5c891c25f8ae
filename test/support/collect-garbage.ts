import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Also in a process that was started without `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
