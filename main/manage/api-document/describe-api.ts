import { z } from 'zod'
import type { Operation, StreamOperation, Webhook } from '../operation/operation.ts'
import { anyFailure, failureStatuses } from './envelope.ts'
import { type JsonSchema, NamedSchemas } from './json-schema.ts'
import { describeOperation, documentedPath } from './operation-entry.ts'
import {
  describeDocument,
  describeEvents,
  describeTokenPath,
  describeWebhook,
  type TokenPath,
} from './other-paths.ts'
import { globalLimits } from './request-limits.ts'

/** The document's sources. */
export interface ApiParts {
  version: string
  operations: readonly (Operation | StreamOperation)[]
  webhooks: readonly Webhook[]
  tokenPaths: readonly TokenPath[]
}

const ABOUT = `The management API of a Switchyard gateway, and the paths that tools call with a token.

Every answer of a path under \`/api\` is an envelope: \`{success, message, data}\`, or for a failure \`{success: false, message, code, field?, request_id}\` with a status that fits. With the option \`LegacyStatus\` business failures answer 200 instead, unless the request says \`X-Api-Errors: status\`. Collections are served with and without a trailing slash.

Sign in with \`POST /api/user/login\` and keep the cookie, or send an access token as \`Authorization: Bearer …\`. The header \`New-Api-User\` may name the user; it must then be the signed-in user. Times are Unix seconds. Quotas are integer units: 500 000 are one US dollar.

${globalLimits}`

/** Description of each area. Its name is the first word of its operations' names. */
const areas: Readonly<Record<string, string>> = {
  setup: 'The first run.',
  status: 'What this gateway is.',
  text: 'Texts of the owner, open to all.',
  session: 'Signing in and out.',
  'two-factor': 'The second factor.',
  verify: 'The step-up before what is delicate.',
  user: 'One’s own account, and those of others.',
  channel: 'Accounts at vendors.',
  token: 'Keys that tools call with.',
  route: 'Routes: names that stand for several models.',
  redemption: 'Codes that are worth quota.',
  topup: 'Redeeming codes, and orders.',
  stripe: 'Paying through Stripe.',
  creem: 'Paying through Creem.',
  webhook: 'What payment providers call.',
  call: 'The log.',
  audit: 'Sign-ins, changes and credits.',
  capture: 'Captured calls: requests and answers as they crossed the gateway.',
  replay: 'Captured calls, sent again.',
  'agent-session': 'Runs of agents: calls that belong together, and why caches missed.',
  usage: 'Charts of use.',
  option: 'How the gateway behaves.',
  price: 'What models cost.',
  pricing: 'The public list of prices.',
  ratio: 'Prices as ratios.',
  group: 'Groups of users and channels.',
  model: 'Known models.',
  playground: 'Model calls of the person at the console.',
  models: 'Model calls of tools, in the wire formats of their vendors.',
  server: 'The gateway itself.',
  desktop: 'How the desktop app starts, and whether there is a newer version of it.',
  diagnostics: 'How the gateway fares, and what helps to find a fault.',
  connect: 'Coding tools on this machine, pointed at the gateway and back.',
  transfer: 'Export and import of channels, tokens, settings and more.',
  backup: 'Copies of the whole data folder.',
  keychain: 'Whether stored keys can be read, and what to do while they cannot.',
  api: 'This document.',
}

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The cookie that signing in sets.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a user, made in the settings.',
  },
  tokenKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The key of a token: `sk-…`. Also as x-api-key, x-goog-api-key or api-key.',
  },
}

const modelFailure = z.looseObject({}).meta({
  id: 'ModelFailure',
  description: "A failure in the shape of the path's wire format.",
})

function responses(schemas: NamedSchemas): Record<string, JsonSchema> {
  const answer = (description: string, schema: z.ZodType): JsonSchema => ({
    description,
    content: { 'application/json': { schema: schemas.of(schema, 'output') } },
  })
  return {
    ...Object.fromEntries(
      Object.entries(failureStatuses).map(([status, description]) => [
        `Failure${status}`,
        answer(description, anyFailure),
      ]),
    ),
    ModelFailure: answer('A failed model call.', modelFailure),
  }
}

/** The OpenAPI 3.1 document of all that this gateway serves: https://spec.openapis.org/oas/v3.1.1.html */
export function describeApi({
  version,
  operations,
  webhooks,
  tokenPaths,
}: ApiParts): Record<string, unknown> {
  const schemas = new NamedSchemas()
  const paths: Record<string, JsonSchema> = {}
  const add = (method: string, path: string, entry: JsonSchema) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: entry }
  }
  for (const operation of operations) {
    const { method, path } = operation.http
    add(method, documentedPath(path), describeOperation(operation, schemas))
  }
  for (const webhook of webhooks) {
    add(webhook.http.method, webhook.http.path, describeWebhook(webhook))
  }
  add('GET', '/api/events', describeEvents())
  add('GET', '/api/openapi.json', describeDocument())
  for (const path of tokenPaths) add(path.method, path.path, describeTokenPath(path, schemas))
  const used = new Set(
    Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap((entry) => (entry as { tags: string[] }).tags),
    ),
  )
  return {
    openapi: '3.1.1',
    info: { title: 'Switchyard', version, description: ABOUT },
    servers: [{ url: '/' }],
    tags: [...used].map((name) => ({
      name,
      ...(areas[name] ? { description: areas[name] } : {}),
    })),
    paths,
    components: { securitySchemes, responses: responses(schemas), schemas: schemas.all },
  }
}
