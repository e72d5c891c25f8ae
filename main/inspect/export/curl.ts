import { posixText } from '../../base/text/shell-text.ts'
import { headersWithType, type PlainCall } from './plain-call.ts'

/** Longest body in an argument, in bytes: Linux takes 128 KiB. */
const LONGEST_ARGUMENT = 100_000

/** A header as curl takes it: one without a value ends in a semicolon. */
const header = (name: string, value: string) => (value === '' ? `${name};` : `${name}: ${value}`)

/** A call as a curl command for bash. */
export function curl(call: PlainCall): string {
  const { baseUrl, path, query, method, body } = call
  const isLong = Buffer.byteLength(body) > LONGEST_ARGUMENT
  const usual = body === '' ? 'GET' : 'POST'
  const words = [
    // Brackets in an address would be patterns.
    `curl --silent --show-error --no-buffer --globoff ${posixText(`${baseUrl}${path}${query}`)}`,
    ...(method === usual ? [] : [`--request ${posixText(method)}`]),
    '--header "Authorization: Bearer $SWITCHYARD_TOKEN"',
    ...headersWithType(call).map(([name, value]) => `--header ${posixText(header(name, value))}`),
    ...(body === '' ? [] : [isLong ? '--data-binary @-' : `--data-raw ${posixText(body)}`]),
  ]
  // An argument of a program may not be long; one of a shell's own command may.
  const before = isLong ? `printf %s ${posixText(body)} |\n  ` : ''
  return `${before}${words.join(' \\\n  ')}\n`
}
