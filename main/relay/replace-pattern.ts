import { createContext, Script } from 'node:vm'
import { GatewayError } from '../base/errors.ts'

/** Milliseconds that a pattern may take on one text. */
const TIME_LIMIT = 300
/** Characters that a text may have, before and after. */
const LONGEST = 4 * 1024 * 1024

const refuse = (what: string): GatewayError =>
  new GatewayError('channel_misconfigured', {
    message: `An operation of the channel's param_override ${what}. Correct it on the Channels page of the console.`,
  })

function checkLength(length: number): void {
  if (length > LONGEST) throw refuse('makes a text of more than 4 MB')
}

/** Replaces a text wherever it stands in another one; throws `channel_misconfigured` where too much would come of it. */
export function replaceText(text: string, from: string, to: string): string {
  const parts = text.split(from)
  checkLength(text.length + (parts.length - 1) * to.length)
  return parts.join(to)
}

/** Runs apart, since only there can a pattern that takes for ever be stopped; it holds texts and nothing else. */
const sandbox = createContext({ text: '', source: '', flags: '', to: '', longest: LONGEST })
const script = new Script(`(() => {
  const pattern = new RegExp(source, flags)
  const groups = to.split('$').length - 1
  let length = text.length
  text.replace(pattern, (match) => {
    length += to.length + groups * match.length
    if (length > longest) throw new RangeError('it makes too much of the text')
    return ''
  })
  return text.replace(pattern, to)
})()`)

/** A pattern as JavaScript has it: what is ignored stands before it elsewhere (`(?i)`). */
function readPattern(pattern: string): { source: string; flags: string } {
  const [prefix = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? []
  return { source: pattern.slice(prefix.length), flags: `g${[...new Set(flags)].join('')}` }
}

/** Can it be a pattern at all? They are kept short: a long one is rarely meant, and can take long. */
export function isPattern(pattern: string): boolean {
  const { source, flags } = readPattern(pattern)
  try {
    return source.length <= 500 && new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/**
 * Replaces what a pattern matches; `$1` and `${1}` stand for its groups. Throws `channel_misconfigured` for
 * a pattern that takes too long on this text, or makes too much of it.
 */
export function replacePattern(text: string, pattern: string, to: string): string {
  checkLength(text.length)
  const named = to.replace(/\$\{(\d+)\}/g, '$$$1').replace(/\$\{(\w+)\}/g, '$$<$1>')
  Object.assign(sandbox, { text, to: named, ...readPattern(pattern) })
  try {
    return String(script.runInContext(sandbox, { timeout: TIME_LIMIT }))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const isSlow = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    throw refuse(`has the pattern "${pattern}", but ${isSlow ? 'it takes too long' : message}`)
  } finally {
    sandbox.text = ''
  }
}
