import { GatewayError } from '../../base/errors.ts'
import { headersWithType, type PlainCall } from './plain-call.ts'

/** Lines that editors read as something else than a body: a separator, a script, a file to put in. */
const NOT_BODY = /^(?:###|<|>)/m

/**
 * A body in which editors find no variable. In JSON two braces stand within a text alone, where the second can be
 * written as an escape.
 */
function withoutVariables({ body, isJson }: PlainCall): string {
  if (isJson) return body.replaceAll('{{', '{\\u007b')
  if (!body.includes('{{') && !NOT_BODY.test(body)) return body
  throw new GatewayError('conflict', {
    message:
      'The request’s body holds signs that .http files give a meaning of their own. Copy it as cURL.',
    reason: { code: 'http_file_signs' },
  })
}

/** A call as a file for the HTTP clients of VS Code, JetBrains' editors and Visual Studio. */
export function httpFile(call: PlainCall): string {
  const { id, method, baseUrl, path, query } = call
  const body = withoutVariables(call)
  return [
    `@baseUrl = ${baseUrl}`,
    '@token = {{$processEnv SWITCHYARD_TOKEN}}',
    '',
    `### ${id}`,
    `${method} {{baseUrl}}${`${path}${query}`.replaceAll('{', '%7B')}`,
    'Authorization: Bearer {{token}}',
    ...headersWithType(call).map(([name, value]) => `${name}: ${value.replaceAll('{{', '{ {')}`),
    '',
    ...(body === '' ? [] : [body, '']),
  ].join('\n')
}
