import { vi } from 'vitest'
import type {
  CallName,
  CallResult,
  OperationInput,
  OperationOutput,
} from '../../../preload/contract.ts'
import type { Desktop } from './launch-desktop.ts'

/** Asks for an operation through the bridge of the desktop's window, once that is there. */
export function tryOperation(desktop: Desktop, name: CallName, input: object): Promise<CallResult> {
  const values = [name, input].map((value) => JSON.stringify(value)).join()
  const code = `window.switchyard ? window.switchyard.call(${values}) : null`
  return vi.waitFor(
    async () => {
      const result = await desktop.evaluate(
        ({ BrowserWindow }, code) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
        code,
      )
      if (!result) throw new Error('The desktop opened no window')
      return result as CallResult
    },
    { timeout: 30_000 },
  )
}

/** Its data; a failure is an error. */
export async function callOperation<Name extends CallName>(
  desktop: Desktop,
  name: Name,
  input: OperationInput<Name>,
): Promise<OperationOutput<Name>> {
  const result = await tryOperation(desktop, name, input)
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`)
  return result.data as OperationOutput<Name>
}
