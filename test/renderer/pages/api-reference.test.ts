import { expect, test } from 'vitest'
import { apiCurl } from '../../../renderer/pages/api-reference/api-curl.ts'
import { operationsOf } from '../../../renderer/pages/api-reference/api-operations.ts'

const commandOf = (path: string, fields: object) => {
  const document = { paths: { [path]: { get: { operationId: path, ...fields } } } }
  const [operation] = operationsOf(document)
  if (!operation) throw new Error(`${path} was not read`)
  return apiCurl(operation, document, 'http://127.0.0.1:4747')
}

test('a model call is shown with a token’s key, not with what signs in to the management API', () => {
  const command = commandOf('/v1/models', { security: [{ tokenKey: [] }], 'x-access': 'key' })
  expect(command).toContain('-H "Authorization: Bearer $SWITCHYARD_KEY"')
  expect(command).not.toContain('ACCESS_TOKEN')
})

test('an operation of the management API takes an access token', () => {
  const security = [{ session: [] }, { accessToken: [] }]
  const command = commandOf('/api/user', { security, 'x-access': 'admin' })
  expect(command).toContain('-H "Authorization: Bearer $SWITCHYARD_ACCESS_TOKEN"')
})

test.each([
  ['a session alone', [{ session: [] }], 'root'],
  ['nothing', [], 'none'],
  ['a provider’s signature', [], 'signature'],
])('what takes %s shows no header that would be refused', (_what, security, access) => {
  expect(commandOf('/api/x', { security, 'x-access': access })).not.toContain('Authorization')
})

test('a command asks for no more than what must be there', () => {
  const command = commandOf('/api/log', {
    parameters: [
      { name: 'needed', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'spare', in: 'query', schema: { type: 'string' } },
    ],
  })
  expect(command).toContain('?needed=…')
  expect(command).not.toContain('spare')
})
