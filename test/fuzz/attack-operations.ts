import type { Attack } from './fault.ts'
import { judge, send } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Stage } from './stage.ts'

type Schema = Record<string, unknown>

/** One operation of the API's document. */
interface Operation {
  method: string
  path: string
  query: { name: string; schema: Schema }[]
  body: Schema | null
}

/** Operations that call the network, end the attack's session, or work through everything there is. */
const LEFT_OUT =
  /api\/events|fetch_models|\/test|update_balance|stripe|creem|topup|logout|setup|password|\/sessions|\/api\/verify|2fa|user\/self|user\/login|user\/manage|setting|diagnostics|\/key$/

/** Fewer than the API's limit for a session in three minutes. */
const CALLS_OF_AN_OWNER = 5000

/** A value that a JSON schema allows, mostly. */
function valueFor(schema: Schema, random: Random, depth = 0): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices && choices.length > 0) return valueFor(random.pick(choices), random, depth + 1)
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  if ('const' in schema) return schema.const
  switch (schema.type) {
    case 'integer':
    case 'number':
      return random.pick([0, 1, 2, 3, 100, 500_000])
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return depth > 4 ? [] : [valueFor((schema.items ?? {}) as Schema, random, depth + 1)]
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      const required = (schema.required ?? []) as string[]
      return Object.fromEntries(
        fields
          .filter(([name]) => required.includes(name) || random.chance(0.5))
          .map(([name, inner]) => [name, depth > 4 ? null : valueFor(inner, random, depth + 1)]),
      )
    }
    default:
      return random.pick(['a', 'default', '1', 'echo', '{}', '[]', '1,2', 'ada', '%', "'; DROP"])
  }
}

interface DocumentEntry {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content?: Record<string, { schema: Schema }> }
}

/** The operations of the document that may be attacked. */
function operationsOf(document: Record<string, unknown>): Operation[] {
  const paths = document.paths as Record<string, Record<string, DocumentEntry>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/api') && !LEFT_OUT.test(path)
      ? Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          query: parameters.filter((one) => one.in === 'query'),
          body: requestBody?.content?.['application/json']?.schema ?? null,
        }))
      : [],
  )
}

/** A value as a query has it. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

function urlOf({ path, query }: Operation, random: Random): string {
  const filled = path.replace(/\{\w+\}/g, () =>
    encodeURIComponent(
      // A client takes `..` alone for a step up, and asks for another path.
      random.pick(['1', '2', '999', '-1', 'a', '1e3', '\0', '..~', '9'.repeat(30)]),
    ),
  )
  const asked = query
    .filter(() => random.chance(0.6))
    .map(({ name, schema }) => {
      const value = random.chance(0.6) ? valueFor(schema, random) : mutateJson('text', random)
      return `${name}=${encodeURIComponent(Buffer.from(textOf(value)).toString('utf8'))}`
    })
  return asked.length > 0 ? `${filled}?${asked.join('&')}` : filled
}

/** A channel that an attack makes must lead nowhere: only this machine may be called. */
function harmless(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(harmless)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      /url|proxy|address/i.test(name) ? 'http://127.0.0.1:9' : harmless(inner),
    ]),
  )
}

/** The management API, as the owner: inputs by each operation's own schema with faults in them. */
export const attackOperations = (stage: Stage, run: number): Attack => {
  let operations: Operation[] | null = null
  const cookies: Promise<string>[] = []
  return {
    name: 'operations',
    share: 0.1,
    async run(index) {
      operations ??= operationsOf(await stage.gateway.parts.apiDocument())
      const random = randomOf(seedOf(run, 'operations', index))
      const operation = random.pick(operations)
      const url = stage.gateway.url + urlOf(operation, random)
      const owner = Math.floor(index / CALLS_OF_AN_OWNER)
      cookies[owner] ??= stage.cookie(owner)
      const headers: Record<string, string> = { cookie: (await cookies[owner]) ?? '' }
      let body: Buffer | undefined
      if (operation.body && operation.method !== 'GET') {
        const value = valueFor(operation.body, random)
        const sent = harmless(random.chance(0.7) ? mutateJson(value, random) : value)
        body = Buffer.from(JSON.stringify(sent) ?? '')
        if (random.chance(0.1)) body = mutateBytes(body, random)
        headers['content-type'] = 'application/json'
      }
      const heard = await send(url, { method: operation.method, headers, ...(body && { body }) })
      // The rate limit is not under test here.
      if (heard?.status !== 429) judge(heard)
    },
  }
}
