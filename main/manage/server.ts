import { z } from 'zod'
import { defineOperation } from './operation.ts'

const serverGet = defineOperation({
  name: 'server.get',
  access: 'user',
  http: { method: 'GET', path: '/api/server' },
  input: z.object({}),
  run: (_input, { parts }) => ({
    ...parts.address(),
    version: parts.version,
    node: process.versions.node,
    data_folder: parts.dataFolder,
    started_at: parts.startedAt,
    ledger_problem: parts.ledger.problem,
    electron: parts.electron,
  }),
})

export const serverOperations = [serverGet] as const
