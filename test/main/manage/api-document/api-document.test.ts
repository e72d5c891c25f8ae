import { beforeAll, describe, expect, test } from 'vitest'
import { describeApiOnce } from '../../../../main/http/api/api-document.ts'
import { matchModelPath } from '../../../../main/http/model/model-path.ts'
import { tokenPaths } from '../../../../main/http/model/token-paths.ts'
import { allOperations } from '../../../../main/manage/operation/invoke.ts'
import { startManagement } from '../management.ts'

interface Entry {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  responses: Record<string, { $ref?: string; description?: string }>
}

interface ApiDocument {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Entry>>
  components: { securitySchemes: object; schemas: object; responses: object }
}

let document: ApiDocument

beforeAll(() => {
  document = structuredClone(describeApiOnce('1.2.3')) as unknown as ApiDocument
})

const entries = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ path, method, entry })),
  )

/** Every object in the document, with where it stands. */
function* objectsIn(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${key}`)
}

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document)

describe('the document of the API', () => {
  test('is served as it is, to everybody, and in the envelope for the console', async () => {
    const { visitor, gateway } = await startManagement()
    const response = await fetch(`${gateway.url}/api/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('max-age=60')
    const served = (await response.json()) as ApiDocument
    expect(served.openapi).toBe('3.1.1')
    expect((await visitor().get('/api/openapi')).body.data).toEqual(served)
    expect((await visitor().send('POST', '/api/openapi.json', {})).status).toBe(405)
  })

  test('has every reference resolved, and nothing that is no JSON', () => {
    for (const [at, value] of objectsIn(document)) {
      if (typeof value.$ref === 'string') {
        expect(value.$ref, at).toMatch(/^#\/components\//)
        expect(resolve(value.$ref), `${at} refers to ${value.$ref}`).toBeTypeOf('object')
      }
      if (!at.endsWith('/properties')) expect(value, at).not.toHaveProperty('$defs')
    }
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('declares each parameter of a path, once, and no other', () => {
    for (const { path, method, entry } of entries()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const { parameters = [] } = entry
      const declared = parameters.filter((one) => one.in === 'path')
      expect(declared.map(({ name }) => name).sort(), `${method} ${path}`).toEqual(named.sort())
      expect(declared.every(({ required }) => required)).toBe(true)
      const keys = parameters.map((one) => `${one.in} ${one.name}`)
      expect(new Set(keys).size, `${method} ${path}`).toBe(keys.length)
      if (method === 'get' || method === 'delete') expect(entry.requestBody).toBeUndefined()
    }
  })

  test('gives each operation a name of its own, a summary, a known area and answers', () => {
    const ids = entries().map(({ entry }) => entry.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = new Set(document.tags.map(({ name }) => name))
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { entry } of entries()) {
      expect(entry.summary, entry.operationId).toMatch(/^\p{Lu}.*\.$/u)
      expect(entry.summary).not.toBe(entry.operationId)
      for (const tag of entry.tags) expect(tags).toContain(tag)
      for (const scheme of entry.security.flatMap((one) => Object.keys(one))) {
        expect(schemes).toContain(scheme)
      }
      const answers = Object.values(entry.responses)
      expect(answers.length).toBeGreaterThan(1)
      for (const { $ref, description } of answers) expect($ref ?? description).toBeTruthy()
    }
    for (const { name, ...tag } of document.tags) expect(tag, name).toHaveProperty('description')
  })

  test('holds every operation under its own name', () => {
    for (const { name, http } of allOperations) {
      const path = http.path.replaceAll(/:(\w+)/g, '{$1}')
      expect(document.paths[path]?.[http.method.toLowerCase()]?.operationId, name).toBe(name)
    }
  })

  test.each(['/api/stripe/webhook', '/api/creem/webhook'])('tells of %s', (path) => {
    const { post } = document.paths[path] ?? {}
    expect(post).toMatchObject({ security: [], 'x-access': 'signature' })
    expect(post?.responses[200]).not.toHaveProperty('content')
  })

  test('tells of each path that is reached with a token, as it is served', () => {
    for (const { path, method } of tokenPaths) {
      expect(document.paths[path]?.[method.toLowerCase()]?.security).toEqual([{ tokenKey: [] }])
      const found = matchModelPath(path.replace('{model}', 'my-model'))
      expect(found?.kind === 'call' ? 'POST' : 'GET', path).toBe(method)
      expect(found, path).not.toBeNull()
    }
    const failures = document.paths['/api/usage/token']?.get?.responses ?? {}
    for (const status of [401, 403, 500]) {
      expect(failures[status]?.$ref).toBe(`#/components/responses/Failure${status}`)
    }
  })

  test('tells of each limit that a caller can meet, and of no other', () => {
    const about = (path: string) => document.paths[path]?.post?.description ?? ''
    expect(about('/api/setup')).toMatch(/at most 180 times in 3 minutes.*\(429\)/)
    expect(about('/api/setup')).not.toMatch(/wait|wrong|423/)
    expect(about('/api/user/login')).toContain('Wrong passwords make the next attempt wait')
    expect(about('/api/user/login')).not.toContain('423')
    expect(about('/api/user/login/2fa')).toMatch(/fifth wrong code .* tenth .*\(423\)/)
    expect(about('/api/user/login/2fa')).not.toContain('longer each time')
    expect(about('/api/verify')).toContain('At most 20 times in 20 minutes')
    expect(about('/api/verify')).toContain('fifth wrong code or password')
  })

  test('names the lock where there is one, and nowhere else', () => {
    const locking = entries().filter(({ entry }) => 423 in entry.responses)
    expect(locking.map(({ entry }) => entry.operationId).sort()).toEqual([
      ...['session.login-2fa', 'two-factor.backup-codes', 'two-factor.disable'],
      ...['two-factor.enable', 'user.update-self', 'verify.run'],
    ])
    for (const { entry } of locking) expect(entry.description).toContain('(423)')
  })

  test('shows fields, records and places as clients send and read them', () => {
    const { post, put, get } = document.paths['/api/token'] ?? {}
    const body = post?.requestBody?.content['application/json']?.schema
    expect(body).toMatchObject({
      required: ['name'],
      additionalProperties: false,
      properties: {
        remain_quota: { type: 'integer' },
        day_budget: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        used_quota: { readOnly: true },
      },
    })
    expect(put?.parameters?.map(({ name }) => name)).toEqual(['status_only'])
    expect(get?.parameters?.map(({ name }) => name)).toEqual([
      ...['p', 'page_size', 'ps', 'size', 'keyword'],
    ])
    expect(get?.security).toEqual([{ session: [] }, { accessToken: [] }])
    expect(document.components.schemas).toHaveProperty('Token.properties.budget_state')
  })
})
