import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { moveConnection } from '../../connect/move-connection.ts'
import type { Tool } from '../../connect/tool.ts'
import { addressOf, toolStatus } from '../../connect/tool-status.ts'
import { tools } from '../../connect/tools.ts'
import { undoConnection } from '../../connect/undo-connection.ts'
import type { UndoneFile } from '../../connect/undo-step.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { choiceFields, connectFolder, toolNamed } from './chosen-connection.ts'
import { onlyLocal } from './only-local.ts'
import { otherGateway, pointsToOther } from './other-gateway.ts'
import { toolAddress } from './tool-address.ts'
import { type LeftToken, leftToken, releaseToken } from './tool-token.ts'
import { toolView, viewOf } from './tool-view.ts'

const failed = z.array(z.strictObject({ tool: z.string(), problem: z.string() }))

interface Undone {
  files: UndoneFile[]
  token: LeftToken | null
}

async function checkOrder(tool: Tool, { parts }: OperationContext): Promise<void> {
  const record = connectFolder(parts).read(tool.id)
  if (!record) return
  const { machine } = parts
  const { oldAddress } = toolStatus(tool, machine, toolAddress(parts), record)
  if (oldAddress !== null) return
  const other = await otherGateway(addressOf(tool, machine), parts)
  if (other === null) return
  throw pointsToOther(tool, other)
}

async function undoTool(tool: Tool, toNone: boolean, context: OperationContext): Promise<Undone> {
  const { parts } = context
  await checkOrder(tool, context)
  const folder = connectFolder(parts)
  const record = folder.read(tool.id)
  const files = undoConnection(tool, parts.machine, folder, toNone)
  return { files, token: record && releaseToken(tool, record, parts) }
}

const undo = defineOperation({
  name: 'connect.undo',
  summary: "Puts a tool's files back as they were; of a file changed since, only our keys.",
  access: 'root',
  http: { method: 'POST', path: '/api/connect/undo' },
  input: z.strictObject({
    tool: choiceFields.tool,
    to: z
      .enum(['before', 'none'])
      .default('before')
      .describe(
        'Where it pointed to another Switchyard before: `before` leads back there, `none` away from both.',
      ),
  }),
  output: z.strictObject({
    tool: toolView,
    files: z.array(
      z.strictObject({ path: z.string(), restored: z.enum(['whole', 'keys', 'removed']) }),
    ),
    token: leftToken.nullable().describe('Of the token that Connect made for the tool.'),
  }),
  before: onlyLocal,
  async run(input, context) {
    const tool = toolNamed(input.tool)
    const undone = await undoTool(tool, input.to === 'none', context)
    return { tool: await viewOf(tool, context), ...undone }
  },
})

/** Runs it for each of the tools; what fails keeps no other from its turn. */
async function forEach(
  chosen: readonly Tool[],
  run: (tool: Tool) => unknown,
): Promise<{ done: string[]; failed: z.infer<typeof failed> }> {
  const outcome: Awaited<ReturnType<typeof forEach>> = { done: [], failed: [] }
  for (const tool of chosen) {
    try {
      await run(tool)
      outcome.done.push(tool.id)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      outcome.failed.push({ tool: tool.id, problem: error.message })
    }
  }
  return outcome
}

const undoAll = defineOperation({
  name: 'connect.undo-all',
  summary: 'Disconnects every tool that was connected here.',
  access: 'root',
  http: { method: 'POST', path: '/api/connect/undo-all' },
  input: z.strictObject({}),
  output: z.strictObject({
    undone: z.array(z.string()),
    failed,
    other_gateways: z
      .array(z.strictObject({ tool: z.string(), address: z.string() }))
      .describe('Tools that point to another Switchyard again, as they did before.'),
    tokens: z.array(leftToken).describe('Those that Connect had made.'),
  }),
  before: onlyLocal,
  async run(_input, context) {
    const folder = connectFolder(context.parts)
    const tokens: LeftToken[] = []
    const others: { tool: string; address: string }[] = []
    const connected = tools.filter(({ id }) => folder.read(id) !== null)
    const { done, failed } = await forEach(connected, async (tool) => {
      const address = folder.read(tool.id)?.otherGateway
      const { token } = await undoTool(tool, false, context)
      if (token) tokens.push(token)
      if (address) others.push({ tool: tool.id, address })
    })
    return { undone: done, failed, other_gateways: others, tokens }
  },
})

const updateAddress = defineOperation({
  name: 'connect.update-address',
  summary: "Points tools from this gateway's old address to its new one; all else stays.",
  access: 'root',
  http: { method: 'POST', path: '/api/connect/update-address' },
  input: z.strictObject({
    tool: choiceFields.tool.nullable().describe('null: every tool at an old address.'),
  }),
  output: z.strictObject({ updated: z.array(z.string()), failed }),
  before: onlyLocal,
  async run(input, { parts }) {
    const { machine } = parts
    const folder = connectFolder(parts)
    const address = toolAddress(parts)
    if (input.tool !== null) {
      moveConnection(toolNamed(input.tool), machine, folder, address)
      return { updated: [input.tool], failed: [] }
    }
    const atOld = tools.filter((tool) => {
      const record = folder.read(tool.id)
      return record && toolStatus(tool, machine, address, record).oldAddress !== null
    })
    const { done, failed } = await forEach(atOld, (tool) =>
      moveConnection(tool, machine, folder, address),
    )
    return { updated: done, failed }
  },
})

export const undoOperations = [undo, undoAll, updateAddress] as const
