import { z } from 'zod'
import { defineOperation } from '../operation/operation.ts'

const apiDocument = defineOperation({
  name: 'api.document',
  summary: 'Gives this document in the envelope; /api/openapi.json gives it as it is.',
  access: 'none',
  http: { method: 'GET', path: '/api/openapi' },
  input: z.object({}),
  output: z.record(z.string(), z.unknown()).describe('An OpenAPI 3.1 document.'),
  run: (_input, { parts }): Promise<Record<string, unknown>> => parts.apiDocument(),
})

export const apiDocumentOperations = [apiDocument] as const
