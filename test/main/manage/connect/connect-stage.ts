import { expect } from 'vitest'
import { echoChannel, type Management, startManagement } from '../management.ts'
import type { ToolHome } from './tool-home.ts'

export async function stageAt(home: ToolHome): Promise<Management> {
  const stage = await startManagement({ env: { HOME: home.path, PATH: '' } })
  await stage.owner.send('POST', '/api/channel', echoChannel())
  return stage
}

export const choiceOf = (tool: string, main = 'echo') => ({
  tool,
  token_id: null,
  models: { main },
})

export async function preview({ owner }: Management, tool: string, main = 'echo') {
  const { body } = await owner.send('POST', '/api/connect/preview', choiceOf(tool, main))
  expect(body.success, body.message).toBe(true)
  return body.data
}

export async function connect(stage: Management, tool: string, main = 'echo') {
  const { digest } = await preview(stage, tool, main)
  const choice = { ...choiceOf(tool, main), digest }
  return stage.owner.send('POST', '/api/connect/apply', choice)
}

export const undo = ({ owner }: Management, tool: string) =>
  owner.send('POST', '/api/connect/undo', { tool })

/** The tool as the Connect page shows it. */
export async function viewOf({ owner }: Pick<Management, 'owner'>, tool: string) {
  const { body } = await owner.get('/api/connect/tools')
  return body.data.tools.find(({ id }: { id: string }) => id === tool)
}
