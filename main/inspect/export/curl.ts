import { holdsKeys, KEYS } from './key-characters.ts'
import { headersWithType, type PlainCall } from './plain-call.ts'

/** Longest body in an argument, in bytes: Linux takes 128 KiB. */
const LONGEST_ARGUMENT = 100_000

/** Bytes of a character as `$'…'` has them. */
const inBytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** A text as one word of bash and zsh, in which nothing is expanded. */
const quoted = (text: string): string =>
  holdsKeys(text)
    ? `$'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(KEYS, inBytes)}'`
    : `'${text.replaceAll("'", `'\\''`)}'`

/** A header as curl takes it: one without a value ends in a semicolon. */
const header = (name: string, value: string) => (value === '' ? `${name};` : `${name}: ${value}`)

/** A call as a curl command for bash. */
export function curl(call: PlainCall): string {
  const { baseUrl, path, query, method, body } = call
  const isLong = Buffer.byteLength(body) > LONGEST_ARGUMENT
  const usual = body === '' ? 'GET' : 'POST'
  const words = [
    // Brackets in an address would be patterns.
    `curl --silent --show-error --no-buffer --globoff ${quoted(`${baseUrl}${path}${query}`)}`,
    ...(method === usual ? [] : [`--request ${quoted(method)}`]),
    '--header "Authorization: Bearer $SWITCHYARD_TOKEN"',
    ...headersWithType(call).map(([name, value]) => `--header ${quoted(header(name, value))}`),
    ...(body === '' ? [] : [isLong ? '--data-binary @-' : `--data-raw ${quoted(body)}`]),
  ]
  // An argument of a program may not be long; one of a shell's own command may.
  const before = isLong ? `printf %s ${quoted(body)} |\n  ` : ''
  return `${before}${words.join(' \\\n  ')}\n`
}
