import { holdsKeys, KEYS } from './key-characters.ts'
import { headersWithType, type PlainCall } from './plain-call.ts'

/** A text in quotes in which nothing is expanded; PowerShell ends it at a typographic quote too. */
const plain = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

/** Such a text, put together where it holds characters that a terminal would take for keys. */
function quoted(text: string): string {
  if (!holdsKeys(text)) return plain(text)
  const items: string[] = []
  let from = 0
  for (const { 0: key, index } of text.matchAll(KEYS)) {
    if (index > from) items.push(plain(text.slice(from, index)))
    items.push(`[char]${key.charCodeAt(0)}`)
    from = index + 1
  }
  if (from < text.length) items.push(plain(text.slice(from)))
  return `(-join @(${items.join(', ')}))`
}

/** Headers that Windows PowerShell takes as parameters alone. */
const parameters: Readonly<Record<string, string>> = {
  'content-type': '-ContentType',
  'user-agent': '-UserAgent',
}

/** A call as a command for PowerShell 5.1 and later. */
export function powershell(call: PlainCall): string {
  const { baseUrl, path, query, method, body } = call
  const values = new Map<string, string>()
  for (const [header, value] of headersWithType(call)) {
    const name = header.toLowerCase()
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  // Windows PowerShell refuses it among the headers, and asks for anything without it.
  values.delete('accept')
  const own = [...values].filter(([name]) => parameters[name] !== undefined)
  const others = [...values].filter(([name]) => parameters[name] === undefined)
  const words = [
    'Invoke-WebRequest -UseBasicParsing',
    `-Method ${method}`,
    `-Uri ${quoted(`${baseUrl}${path}${query}`)}`,
    '-Headers $headers',
    ...own.map(([name, value]) => `${parameters[name]} ${quoted(value)}`),
    // A text would go out in Latin-1.
    ...(body === '' ? [] : ['-Body ([Text.Encoding]::UTF8.GetBytes($body))']),
  ]
  return [
    '$headers = @{',
    '  Authorization = "Bearer $env:SWITCHYARD_TOKEN"',
    ...others.map(([name, value]) => `  ${quoted(name)} = ${quoted(value)}`),
    '}',
    ...(body === '' ? [] : [`$body = ${quoted(body)}`]),
    `(${words.join(' ')}).Content`,
    '',
  ].join('\n')
}
