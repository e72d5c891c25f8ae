import { GatewayError } from '../../../base/errors.ts'
import { isTimeOut, TimedScript } from './timed-script.ts'

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

const replacing = new TimedScript(`(() => {
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
 * Replaces what a pattern matches; `$1` and `${1}` stand for its groups. Throws `invalid_request` for a text
 * on which it takes too long, or of which it makes too much, and `channel_misconfigured` for no pattern.
 */
export function replacePattern(text: string, pattern: string, to: string): string {
  checkLength(text.length)
  const named = to.replace(/\$\{(\d+)\}/g, '$$$1').replace(/\$\{(\w+)\}/g, '$$<$1>')
  try {
    return replacing.run({ text, to: named, longest: LONGEST, ...readPattern(pattern) })
  } catch (cause) {
    if ((cause as Error).name === 'SyntaxError') {
      throw new GatewayError('channel_misconfigured', {
        message:
          "An operation of the channel's param_override has no valid pattern. Correct it on the Channels page of the console.",
        reason: { code: 'channel_pattern_invalid' },
        cause,
      })
    }
    throw refuseText(isTimeOut(cause) ? 'that takes too long' : 'too much would come of it')
  }
}
