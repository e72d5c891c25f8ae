import { z } from 'zod'
import { snippets } from '../../connect/snippets.ts'
import type { Machine, Tool } from '../../connect/tool.ts'
import { toolStatus } from '../../connect/tool-status.ts'
import type { OperationContext } from '../operation/operation.ts'
import { reasonOutput, sentenceOutput } from '../operation/sentence.ts'
import { connectFolder } from './chosen-connection.ts'
import { isLocal } from './only-local.ts'
import { otherGateway } from './other-gateway.ts'
import { toolAddress } from './tool-address.ts'
import { failedCall, toolCalls } from './tool-calls.ts'

const seconds = z.int().nullable().describe('Unix seconds.')

export const toolView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['file', 'instruction']),
    installed: z.boolean(),
    status: z.enum(['not_found', 'elsewhere', 'here', 'changed', 'broken']),
    points_to: z.string().nullable().describe("null: its vendor's own address, or none."),
    old_address: z
      .string()
      .nullable()
      .describe('An earlier address of this gateway, where it still points there.'),
    other_gateway: z
      .string()
      .nullable()
      .describe('Address of another Switchyard on this machine that it points to.'),
    other_gateway_before: z
      .string()
      .nullable()
      .describe('Another Switchyard that it pointed to before; undo leads back there.'),
    problem: z.string().nullable(),
    problem_reason: reasonOutput.nullable().describe('The problem by code; null: none.'),
    files: z.array(z.strictObject({ path: z.string(), exists: z.boolean() })),
    wire_format: z.enum(['chat', 'messages', 'generate-content', 'responses']),
    needs: z.strictObject({
      tools: z.boolean(),
      context: z.int().nullable().describe('Tokens.'),
    }),
    slots: z.array(
      z.strictObject({ id: z.enum(['main', 'small', 'subagent']), label: z.string() }),
    ),
    chosen: z.record(z.string(), z.string()).nullable(),
    token: z.strictObject({ id: z.int(), name: z.string() }).nullable(),
    connected_at: seconds,
    last_call_at: seconds.describe(
      'Of its newest call that succeeded since it was connected, in Unix seconds.',
    ),
    failed_call: failedCall.nullable(),
    can_undo: z.boolean(),
    snippets: z.array(
      z.strictObject({
        shell: z.enum(['bash', 'zsh', 'fish', 'powershell', 'file']),
        path: z.string().nullable(),
        text: z.string(),
      }),
    ),
    steps: z
      .array(sentenceOutput)
      .describe('For people: all of an instruction, or what is left once the files are written.'),
    first_call: z.string().nullable().describe('Command for a terminal that makes one call.'),
    docs_url: z.string(),
    read_on: z.string(),
  })
  .meta({ id: 'ConnectTool' })

export type ToolView = z.infer<typeof toolView>

/** Stand in texts for what the reader fills in; the console does so itself. */
const MARKS = { address: '<address>', token: '<token>', model: '<model>' }

/** Somebody's machine that isn't this one: its files are at their usual places. */
const elsewhere: Machine = { platform: 'linux', home: '~', env: {}, exists: () => false }

export async function viewOf(tool: Tool, context: OperationContext): Promise<ToolView> {
  const { parts } = context
  const { machine } = parts
  const address = toolAddress(parts)
  const record = connectFolder(parts).read(tool.id)
  const { pointsTo, oldAddress, problem, ...status } = toolStatus(tool, machine, address, record)
  const token = record ? parts.tokens.byId(record.tokenId) : undefined
  const calls = token && record ? toolCalls(tool, record, parts) : null
  const isHere = isLocal(context)
  const placeholder = {
    address: isHere ? address : MARKS.address,
    token: MARKS.token,
    models: { main: MARKS.model, ...record?.models },
    facts: () => ({ context: null, output: null, images: null }),
  }
  return {
    ...{ id: tool.id, name: tool.name, kind: tool.kind, ...status, points_to: pointsTo },
    problem: problem?.message ?? null,
    problem_reason: problem?.reason ?? null,
    old_address: oldAddress,
    other_gateway: oldAddress === null ? await otherGateway(pointsTo, parts) : null,
    other_gateway_before: record?.otherGateway ?? null,
    wire_format: tool.wireFormat,
    needs: tool.needs,
    slots: [...tool.slots],
    chosen: record?.models ?? null,
    token: token ? { id: token.id, name: token.name } : null,
    connected_at: record?.connectedAt ?? null,
    last_call_at: calls?.lastCallAt ?? null,
    failed_call: calls?.failed ?? null,
    can_undo: record !== null,
    snippets: snippets(tool, placeholder, isHere ? machine : elsewhere),
    steps: tool.steps?.(placeholder) ?? [],
    first_call: tool.firstCall ?? null,
    docs_url: tool.docsUrl,
    read_on: tool.readOn,
  }
}
