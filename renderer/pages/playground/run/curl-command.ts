import { quotedWord, type Shell, shellWord } from '../../../components/format/shell-word.ts'

/** A call of a public endpoint. */
export interface CurlRequest {
  /** `/v1/images/generations` */
  path: string
  /** JSON, or a form with one file. */
  body:
    | { json: Record<string, unknown> }
    | { fields: Readonly<Record<string, string>>; file: { field: string; name: string } }
  /** The answer is a stream. */
  streams?: boolean
  /** Name of the file for a binary answer. */
  output?: string
}

/** Environment variable that holds the token's key. */
const KEY = 'SWITCHYARD_KEY'

/** Quoted for the shell. The key comes from an environment variable, so that the command can be shared. */
export function curlCommand(request: CurlRequest, baseUrl: string, shell: Shell): string {
  return shell === 'posix' ? posixCommand(request, baseUrl) : powershellCommand(request, baseUrl)
}

function posixCommand({ path, body, streams, output }: CurlRequest, baseUrl: string): string {
  const lines = [
    `curl ${streams ? '-N ' : ''}${baseUrl}${path}`,
    `-H "Authorization: Bearer $${KEY}"`,
    ...('json' in body
      ? [
          '-H "Content-Type: application/json"',
          `-d ${quotedWord(withoutControls(written(body.json)), 'posix')}`,
        ]
      : formOptions(body).map(([option, value]) => `${option} ${shellWord(value, 'posix')}`)),
    ...(output ? [`--output ${shellWord(output, 'posix')}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/**
 * PowerShell before 7.3 drops double quotes inside an argument, and its pipes carry ASCII. So a JSON body
 * comes over the pipe, with everything beyond ASCII escaped.
 * https://learn.microsoft.com/powershell/scripting/learn/experimental-features#psnativecommandargumentpassing
 */
function powershellCommand({ path, body, streams, output }: CurlRequest, baseUrl: string): string {
  const lines = [
    `curl.exe ${streams ? '-N ' : ''}${baseUrl}${path}`,
    `-H "Authorization: Bearer $env:${KEY}"`,
    ...('json' in body
      ? [`-H 'Content-Type: application/json'`, `--data-binary '@-'`]
      : formOptions(body).map(([option, value]) => `${option} ${quotedWord(value, 'powershell')}`)),
    ...(output ? [`--output ${quotedWord(output, 'powershell')}`] : []),
  ]
  const command = lines.join(' `\n  ')
  if (!('json' in body)) return command
  return `${quotedWord(asciiOnly(written(body.json)), 'powershell')} | ${command}`
}

/** `-F` interprets `@`, `<` and `;` in a value; `--form-string` doesn't. */
function formOptions({
  fields,
  file,
}: Extract<CurlRequest['body'], { fields: unknown }>): [string, string][] {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    /^[\w. -]*$/.test(value) ? '-F' : '--form-string',
    `${name}=${value}`,
  ])
  return [['-F', `${file.field}=@${fileName(file.name)}`], ...texts]
}

/** A name with a comma, semicolon or quote is quoted once more: https://curl.se/docs/manpage.html#-F */
function fileName(name: string): string {
  if (!/[",;\\]/.test(name)) return name
  return `"${name.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`
}

const written = (json: Record<string, unknown>): string => JSON.stringify(json, null, 2)

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

const asciiOnly = (json: string): string => json.replaceAll(/[^\n\x20-\x7e]/g, escaped)

/** JSON may hold some control characters as they are, which not every shell has a way to write. */
const withoutControls = (json: string): string => json.replaceAll(/[\x7f-\x9f]/g, escaped)
