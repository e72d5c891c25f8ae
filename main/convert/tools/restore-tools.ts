import type { ToolCallPart } from '../exchange.ts'
import type { ExchangeResponse } from '../exchange-response.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import { FreeformInput } from './freeform-input.ts'
import { type ClientTool, clientTool } from './tool-names.ts'

type Renamed = ReadonlyMap<string, ClientTool>

type CallStart = Extract<StreamPart, { type: 'call-start' }>

/** The call with the client's names and kind; its arguments are not looked at. */
function withClientNames<Call extends ToolCallPart | CallStart>(
  call: Call,
  tool: ClientTool,
): Call {
  const { namespace: _, ...rest } = call
  return { ...rest, ...tool } as Call
}

function restoreCall(call: ToolCallPart, renamed: Renamed): ToolCallPart {
  const tool = clientTool(call, renamed)
  if (!tool) return call
  const restored = withClientNames(call, tool)
  if (tool.kind !== 'freeform' || call.kind === 'freeform') return restored
  const input = new FreeformInput()
  return { ...restored, arguments: input.push(call.arguments) + input.end() }
}

/** A whole answer with the client's own names, namespaces and kinds of its tools. */
export function restoreResponse(response: ExchangeResponse, renamed: Renamed): ExchangeResponse {
  const choices = response.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) => (part.type === 'call' ? restoreCall(part, renamed) : part)),
  }))
  return { ...response, choices }
}

/** A streamed answer with the client's own names, namespaces and kinds of its tools. */
export class StreamRestorer {
  readonly #renamed: Renamed
  /** Calls whose arguments are free text in JSON, by block. */
  readonly #inputs = new Map<number, FreeformInput>()

  constructor(renamed: Renamed) {
    this.#renamed = renamed
  }

  push(part: StreamPart): StreamPart[] {
    if (part.type === 'call-start') {
      const tool = clientTool(part, this.#renamed)
      if (!tool) return [part]
      if (tool.kind === 'freeform' && part.kind === 'function') {
        this.#inputs.set(part.block, new FreeformInput())
      }
      return [withClientNames(part, tool)]
    }
    if (part.type !== 'call-delta' && part.type !== 'call-end') return [part]
    const input = this.#inputs.get(part.block)
    if (!input) return [part]
    const { block } = part
    if (part.type === 'call-delta') return inputDelta(block, input.push(part.text))
    this.#inputs.delete(block)
    return [...inputDelta(block, input.end()), part]
  }
}

const inputDelta = (block: number, text: string): StreamPart[] =>
  text === '' ? [] : [{ type: 'call-delta', block, text }]
