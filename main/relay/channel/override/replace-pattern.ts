import { createContext, Script } from 'node:vm'
import { GatewayError } from '../../../base/errors.ts'

/** Milliseconds that a pattern may take on one text: nothing else is served meanwhile. */
const TIME_LIMIT = 50
/** How often it is tried on a machine that is too busy to give the gateway its time. */
const TRIES = 5
/** Characters that a text may have, before and after. */
const LONGEST = 4 * 1024 * 1024

/**
 * It takes a caller's text for a limit to be met, so that it says nothing of the channel. The pattern is the
 * owner's, and not shown.
 */
const refuseText = (why: string): GatewayError =>
  new GatewayError('invalid_request', {
    message: `A text in this call cannot be changed as its channel prescribes: ${why}. Send a shorter text.`,
    reason: { code: 'text_unchangeable', problem: why },
  })

function checkLength(length: number): void {
  if (length > LONGEST) throw refuseText('it has, or would get, more than 4 MB')
}

/** Replaces a text wherever it stands in another one; throws `invalid_request` where too much would come of it. */
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

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Milliseconds of work of this process. */
function workDone(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The limit is one of the clock: where time went by in which the gateway could not work, it is no sign. */
function runScript(): string {
  for (let tries = 1; ; tries++) {
    const before = workDone()
    try {
      return String(script.runInContext(sandbox, { timeout: TIME_LIMIT }))
    } catch (error) {
      const isSlow = (error as NodeJS.ErrnoException).code === TIMED_OUT
      if (!isSlow || tries === TRIES || workDone() - before > TIME_LIMIT / 2) throw error
    }
  }
}

/**
 * Replaces what a pattern matches; `$1` and `${1}` stand for its groups. Throws `invalid_request` for a text
 * on which it takes too long, or of which it makes too much, and `channel_misconfigured` for no pattern.
 */
export function replacePattern(text: string, pattern: string, to: string): string {
  checkLength(text.length)
  const named = to.replace(/\$\{(\d+)\}/g, '$$$1').replace(/\$\{(\w+)\}/g, '$$<$1>')
  Object.assign(sandbox, { text, to: named, ...readPattern(pattern) })
  try {
    return runScript()
  } catch (cause) {
    const { code, name } = cause as NodeJS.ErrnoException
    if (name === 'SyntaxError') {
      throw new GatewayError('channel_misconfigured', {
        message:
          "An operation of the channel's param_override has no valid pattern. Correct it on the Channels page of the console.",
        reason: { code: 'channel_pattern_invalid' },
        cause,
      })
    }
    throw refuseText(code === TIMED_OUT ? 'that takes too long' : 'too much would come of it')
  } finally {
    sandbox.text = ''
  }
}
