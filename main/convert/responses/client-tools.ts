import type { ToolDefinition } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'
import type { ItemKind } from './item-ids.ts'
import { keptFields } from './own-fields.ts'

/**
 * A tool that the vendor defines and the client runs. In the exchange it is a plain function whose
 * arguments are what the vendor's item holds, so that any model can call it
 * (https://platform.openai.com/docs/guides/tools).
 */
export interface ClientTool {
  /** `type` in its definition, such as `{type: 'shell'}`. */
  type: string
  callType: string
  outputType: string
  idKind: ItemKind
  description: string
  schema: JsonObject
  /** The model's text, out of the vendor's item. */
  readCall(item: JsonObject): unknown
  /** The item's fields, out of what the model wrote. */
  writeCall(input: JsonObject): JsonObject
  /** An output item's text. */
  readOutput(item: JsonObject): string
  writeOutput(text: string, isError: boolean): JsonObject
}

const text = { type: 'string' }
const count = { type: 'integer' }
const texts = { type: 'array', items: text }

const plainOutput = {
  readOutput: (item: JsonObject) => asString(item.output) ?? '',
  writeOutput: (output: string): JsonObject => ({ output }),
}

const withoutType = (object: JsonObject | undefined): JsonObject => {
  const { type: _type, ...rest } = object ?? {}
  return rest
}

/** A model may write one command where a list is asked for. */
const listOf = (value: unknown): unknown => (typeof value === 'string' ? [value] : value)

const applyPatch: ClientTool = {
  type: 'apply_patch',
  callType: 'apply_patch_call',
  outputType: 'apply_patch_call_output',
  idKind: 'apc',
  description:
    'Creates, updates or deletes one file. `diff` is in the V4A format; leave it out to delete.',
  schema: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
      path: text,
      diff: text,
    },
    required: ['type', 'path'],
  },
  readCall: (item) => item.operation,
  writeCall: (input) => ({ operation: asObject(input.operation) ?? input }),
  readOutput: plainOutput.readOutput,
  writeOutput: (output, isError) => ({ status: isError ? 'failed' : 'completed', output }),
}

const localShell: ClientTool = {
  type: 'local_shell',
  callType: 'local_shell_call',
  outputType: 'local_shell_call_output',
  idKind: 'lsh',
  description: 'Runs one command on the user’s machine and gives back what it prints.',
  schema: {
    type: 'object',
    properties: {
      command: texts,
      working_directory: text,
      timeout_ms: count,
      env: { type: 'object', additionalProperties: text },
    },
    required: ['command'],
  },
  readCall: (item) => withoutType(asObject(item.action)),
  writeCall: (input) => ({
    action: {
      type: 'exec',
      env: {},
      ...input,
      command:
        typeof input.command === 'string' ? ['sh', '-c', input.command] : asArray(input.command),
    },
  }),
  ...plainOutput,
}

const shell: ClientTool = {
  type: 'shell',
  callType: 'shell_call',
  outputType: 'shell_call_output',
  idKind: 'sh',
  description: 'Runs shell commands on the user’s machine and gives back what they print.',
  schema: {
    type: 'object',
    properties: { commands: texts, timeout_ms: count, max_output_length: count },
    required: ['commands'],
  },
  readCall: (item) => withoutType(asObject(item.action)),
  writeCall: (input) => ({
    action: { ...input, commands: listOf(input.commands ?? input.command) ?? [] },
  }),
  readOutput: (item) => JSON.stringify(item.output ?? []),
  writeOutput(output, isError) {
    const parsed = parsedArray(output)
    const outcome = { type: 'exit', exit_code: isError ? 1 : 0 }
    return { output: parsed ?? [{ stdout: output, stderr: '', outcome }] }
  },
}

const toolSearch: ClientTool = {
  type: 'tool_search',
  callType: 'tool_search_call',
  outputType: 'tool_search_output',
  idKind: 'tsc',
  description: 'Finds tools that are not listed yet; those that it finds can be called afterwards.',
  schema: { type: 'object', properties: { query: text }, required: ['query'] },
  readCall: (item) => item.arguments,
  writeCall: (input) => ({ execution: 'client', arguments: input }),
  readOutput(item) {
    const names = asArray(item.tools).flatMap((tool) => asString(asObject(tool)?.name) ?? [])
    return names.length === 0 ? 'No tools were found.' : `Tools found: ${names.join(', ')}.`
  },
  // The tools themselves stand in the request's list and are put back from there.
  writeOutput: () => ({ execution: 'client', status: 'completed' }),
}

const clientTools = [applyPatch, localShell, shell, toolSearch]

const byField = (field: 'type' | 'callType' | 'outputType') =>
  new Map(clientTools.map((tool) => [tool[field], tool]))

const byType = byField('type')
const byCall = byField('callType')
const byOutput = byField('outputType')

function parsedArray(value: string): unknown[] | null {
  try {
    const parsed = JSON.parse(value) as unknown
    return Array.isArray(parsed) && parsed.every((one) => asObject(one)) ? parsed : null
  } catch {
    return null
  }
}

/** Does the vendor run it? A shell in one of its containers, and a search that it makes itself. */
function runsAtVendor(object: JsonObject): boolean {
  const place = asObject(object.environment)?.type
  if (place !== undefined && place !== 'local') return true
  const isSearch = object.type === 'tool_search' || object.type === 'tool_search_call'
  return isSearch && object.execution !== 'client'
}

/** The client's tool that a definition stands for; undefined for every other tool. */
export const clientToolOf = (definition: JsonObject): ClientTool | undefined =>
  runsAtVendor(definition) ? undefined : byType.get(asString(definition.type) ?? '')

/** The client's tool that an item is a call of. */
export const clientToolOfCall = (item: JsonObject): ClientTool | undefined =>
  runsAtVendor(item) ? undefined : byCall.get(asString(item.type) ?? '')

/** The client's tool that an item is the output of. */
export const clientToolOfOutput = (item: JsonObject): ClientTool | undefined =>
  item.type === 'tool_search_output' && item.execution !== 'client'
    ? undefined
    : byOutput.get(asString(item.type) ?? '')

/**
 * The vendor's definition that a function in the exchange stands for; undefined for every other tool. It is
 * known by its type, which a plain function does not keep.
 */
export function definitionOf({ native }: ToolDefinition): JsonObject | undefined {
  const fields = keptFields(native)
  return typeof fields.type === 'string' ? fields : undefined
}

/** The client's tool that a function of this name stands for in a request. */
export function clientToolNamed(
  name: string,
  tools: readonly ToolDefinition[],
): ClientTool | undefined {
  const isMeant = (tool: ToolDefinition) => tool.name === name && definitionOf(tool) !== undefined
  return tools.some(isMeant) ? byType.get(name) : undefined
}
