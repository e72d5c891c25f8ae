/**
 * Runs the built main process that its first argument names, with the stand-in for `electron`. Over the channel to
 * its parent the process runs what a test asks of it, as Playwright does in Electron.
 */
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import * as electron from '../electron/electron.ts'

const standIn = JSON.stringify(new URL('electron.mjs', import.meta.url).href)
const hooks = `
  const url = 'stand-in:electron'
  const source = 'export * from ' + ${JSON.stringify(standIn)} +
    '; import * as electron from ' + ${JSON.stringify(standIn)} + '; export default electron'
  export const resolve = (specifier, context, next) =>
    specifier === 'electron' ? { url, shortCircuit: true } : next(specifier, context)
  export const load = (wanted, context, next) =>
    wanted === url ? { format: 'module', source, shortCircuit: true } : next(wanted, context)
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

export interface Question {
  id: number
  /** The text of a function that takes the module and the argument. */
  run: string
  argument: unknown
}

export interface Answer {
  id: number
  value?: unknown
  failure?: string
}

const tell = (answer: Answer): void => {
  process.send?.(answer)
}

const ready = new Promise<void>((resolve) => electron.app.once('ready', () => resolve()))

process.on('message', async ({ id, run, argument }: Question) => {
  // A question that came before is answered first of all, before the app itself goes on.
  await ready
  try {
    const call: unknown = new Function(
      'electron',
      'argument',
      `return (${run})(electron, argument)`,
    )
    if (typeof call !== 'function') return
    tell({ id, value: await Reflect.apply(call, undefined, [electron, argument]) })
  } catch (error) {
    tell({ id, failure: error instanceof Error ? error.message : String(error) })
  }
})
// The process that started this one is gone, and with it everything this one was for.
process.on('disconnect', () => electron.app.exit(1))

// As for Electron's own: the flags follow the folder of the app.
const [entry = ''] = process.argv.splice(1, 2, '.').slice(1)
import(pathToFileURL(entry).href).then(
  () => electron.app.becomeReady(),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  },
)
