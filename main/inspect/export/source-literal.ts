import { GatewayError } from '../../base/errors.ts'
import { ExactNumber } from '../../convert/json/exact-json.ts'
import { asObject } from '../../convert/json/json-value.ts'

/** A text in quotes. JSON leaves control characters from DEL on as they are, which a terminal would take for keys. */
const textLiteral = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\x7f-\x9f]/g,
    (key) => `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** How a language writes JSON values. */
export interface LiteralStyle {
  indent: string
  null: string
  true: string
  false: string
  key(name: string): string
  /** Does it write this number, which a double cannot hold, unchanged? */
  holds(number: string): boolean
}

/** Names that an object literal takes without quotes. `__proto__` there is no field. */
const PLAIN = /^[A-Za-z_$][\w$]*$/

export const typescriptStyle: LiteralStyle = {
  indent: '  ',
  null: 'null',
  true: 'true',
  false: 'false',
  key: (name) => {
    if (name === '__proto__') return `['__proto__']`
    return PLAIN.test(name) ? name : textLiteral(name)
  },
  holds: () => false,
}

export const pythonStyle: LiteralStyle = {
  indent: '    ',
  null: 'None',
  true: 'True',
  false: 'False',
  key: textLiteral,
  holds: (number) => /^-?\d+$/.test(number),
}

/** Python reads 200 brackets within one another; nobody writes as many. */
const DEEPEST = 100

/** A JSON value, as read by `parseExact`, in a language's own words. `depth`: of the line that it begins on. */
export function sourceLiteral(value: unknown, style: LiteralStyle, depth = 0): string {
  const around = (items: readonly string[], open: string, close: string) => {
    if (items.length === 0) return open + close
    const inner = style.indent.repeat(depth + 1)
    return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${style.indent.repeat(depth)}${close}`
  }
  if (value instanceof ExactNumber) {
    if (style.holds(value.text)) return value.text
    throw new GatewayError('conflict', {
      message: `The request holds the number ${value.text}, which this language would round. Copy it as cURL.`,
      reason: { code: 'number_would_round', number: value.text },
    })
  }
  if (depth > DEEPEST && typeof value === 'object' && value !== null) {
    throw new GatewayError('conflict', {
      message: `The request nests deeper than ${DEEPEST} levels, which this language may not read. Copy it as cURL.`,
      reason: { code: 'nests_too_deep', levels: DEEPEST },
    })
  }
  if (Array.isArray(value)) {
    return around(
      value.map((item) => sourceLiteral(item, style, depth + 1)),
      '[',
      ']',
    )
  }
  const object = asObject(value)
  if (object) {
    const fields = Object.entries(object).map(
      ([name, member]) => `${style.key(name)}: ${sourceLiteral(member, style, depth + 1)}`,
    )
    return around(fields, '{', '}')
  }
  if (value === null || value === undefined) return style.null
  if (typeof value === 'boolean') return value ? style.true : style.false
  return typeof value === 'string' ? textLiteral(value) : JSON.stringify(value)
}
