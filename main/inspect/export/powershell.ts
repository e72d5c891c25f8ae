import { powershellText } from '../../base/text/shell-text.ts'
import { headersWithType, type PlainCall } from './plain-call.ts'

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
    `-Uri ${powershellText(`${baseUrl}${path}${query}`)}`,
    '-Headers $headers',
    ...own.map(([name, value]) => `${parameters[name]} ${powershellText(value)}`),
    // A text would go out in Latin-1.
    ...(body === '' ? [] : ['-Body ([Text.Encoding]::UTF8.GetBytes($body))']),
  ]
  return [
    '$headers = @{',
    '  Authorization = "Bearer $env:SWITCHYARD_TOKEN"',
    ...others.map(([name, value]) => `  ${powershellText(name)} = ${powershellText(value)}`),
    '}',
    ...(body === '' ? [] : [`$body = ${powershellText(body)}`]),
    `(${words.join(' ')}).Content`,
    '',
  ].join('\n')
}
