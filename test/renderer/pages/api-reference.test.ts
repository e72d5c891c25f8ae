import { expect, test } from 'vitest'
import { describeApiOnce } from '../../../main/http/api/api-document.ts'
import { areas } from '../../../renderer/i18n/chinese/api-summaries/areas.ts'
import { apiCurl } from '../../../renderer/pages/api-reference/api-curl.ts'
import { operationsOf } from '../../../renderer/pages/api-reference/api-operations.ts'
import { operationInChinese } from '../../../renderer/pages/api-reference/operation-in-chinese.ts'
import { meaningsOf } from '../../../renderer/pages/api-reference/status-codes.tsx'

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

test('model calls under /v1 stand before everything else', () => {
  const operation = (tag: string) => ({ get: { operationId: tag, tags: [tag] } })
  const paths = {
    '/api/user': operation('user'),
    '/v1beta/models': operation('models'),
    '/v1/models': operation('models'),
    '/api/channel': operation('channel'),
  }
  expect(operationsOf({ paths }).map(({ path }) => path)).toEqual([
    '/v1/models',
    '/v1beta/models',
    '/api/user',
    '/api/channel',
  ])
})

test('a command of a model call says what its wire format needs', () => {
  const body = { content: { 'application/json': { schema: { type: 'object' } } } }
  const document = {
    paths: { '/v1/messages': { post: { operationId: 'm', requestBody: body } } },
  }
  const [operation] = operationsOf(document)
  if (!operation) throw new Error('the path was not read')
  expect(apiCurl(operation, document, '')).toContain('"max_tokens":256,"messages":[')
})

test('the meaning of a status is the commonest one, and statuses are in order', () => {
  const paths = Object.fromEntries(
    ['Not allowed.', 'Not allowed.', 'Refused.'].map((description, index) => [
      `/api/${index}`,
      { get: { responses: { 403: { description }, 200: { description: 'It worked.' } } } },
    ]),
  )
  expect([...meaningsOf(operationsOf({ paths }))]).toEqual([
    ['200', 'It worked.'],
    ['403', 'Not allowed.'],
  ])
})

test('every operation of the API, its area and its statuses are told in Chinese', () => {
  const operations = operationsOf(describeApiOnce('1.0.0'))
  expect(operations.length).toBeGreaterThan(200)
  const english = operations.flatMap((operation) => {
    const { summary, statuses } = operationInChinese(operation)
    const isSame = summary === operation.summary
    const same = statuses.filter(({ text }, at) => text === operation.statuses[at]?.text)
    return [
      ...(isSame ? [operation.name] : []),
      ...(operation.tag in areas ? [] : [`${operation.name}: area ${operation.tag}`]),
      ...same.map(({ status }) => `${operation.name}: status ${status}`),
    ]
  })
  expect(english).toEqual([])
})
