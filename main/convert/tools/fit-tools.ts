import type { Conversion } from '../conversion.ts'
import type {
  ExchangeRequest,
  FreeformTool,
  FunctionTool,
  HostedToolDefinition,
  Part,
  ToolChoice,
  ToolDefinition,
  Turn,
  WireFormat,
} from '../exchange.ts'
import type { ExchangeResponse } from '../exchange-response.ts'
import { keptFields } from '../foreign/kept-fields.ts'
import type { Loss } from '../loss.ts'
import type { ModelRules } from '../model/model-rules.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import { wrapInput } from './freeform-input.ts'
import { restoreResponse, StreamRestorer } from './restore-tools.ts'
import { toolId } from './tool-ids.ts'
import { type ClientTool, ToolNames, type UpstreamName } from './tool-names.ts'
import { type PlainFunction, plainFunction } from './typed-tools.ts'

/** Tools by what the upstream calls them; null where every one is called what the client calls it. */
export type RenamedTools = ReadonlyMap<string, ClientTool>

/** The client's own names and kinds of tools, back into its answer. */
export interface AnswerTools {
  readonly renamed: RenamedTools | null
  restoreResponse(response: ExchangeResponse): ExchangeResponse
  /** One for each stream. */
  restoreStream(): (part: StreamPart) => StreamPart[]
}

/** A request whose tools the upstream takes, and the way back for its answer. */
export interface FittedTools {
  request: ExchangeRequest
  tools: AnswerTools
}

/** The way back for tools that were renamed so. */
export function answerTools(renamed: RenamedTools | null): AnswerTools {
  if (renamed === null) {
    return {
      renamed,
      restoreResponse: (response) => response,
      restoreStream: () => (part) => [part],
    }
  }
  return {
    renamed,
    restoreResponse: (response) => restoreResponse(response, renamed),
    restoreStream() {
      const restorer = new StreamRestorer(renamed)
      return (part) => restorer.push(part)
    },
  }
}

/** A tool of the request beside what the client knows it as; null where the vendor runs it. */
interface ListedTool {
  definition: ToolDefinition
  client: ClientTool | null
  plain?: PlainFunction
}

function readTool(definition: ToolDefinition, format: WireFormat): ListedTool {
  if (definition.type === 'hosted') {
    const plain = definition.origin === format ? undefined : plainFunction(definition)
    if (!plain) return { definition, client: null }
    const client: ClientTool = { name: plain.name, kind: 'function' }
    return { definition, client, plain }
  }
  const { name, namespace, type } = definition
  const client: ClientTool = { name, kind: type }
  return { definition, client: namespace === undefined ? client : { ...client, namespace } }
}

const INPUT = 'The text that the tool takes, as it is, without quotes or a code fence around it.'

/** A freeform tool as a function whose one argument is its text. */
function asFunction({ type: _, grammar, description, ...rest }: FreeformTool): FunctionTool {
  const rule = grammar
    ? `The text in \`input\` must follow this ${grammar.syntax} grammar:\n${grammar.definition}`
    : undefined
  const text = [description, rule].filter((part) => part !== undefined && part !== '').join('\n\n')
  return {
    ...rest,
    type: 'function',
    ...(text === '' ? {} : { description: text }),
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: INPUT } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

function plainTool(
  { at, cacheMark, native }: HostedToolDefinition,
  { description, schema }: PlainFunction,
  name: string,
): FunctionTool {
  return {
    type: 'function',
    name,
    description,
    schema,
    // Most arguments are optional, which strict mode does not know.
    strict: false,
    ...(at === undefined ? {} : { at }),
    ...(cacheMark === undefined ? {} : { cacheMark }),
    ...(native === undefined ? {} : { native }),
  }
}

/** Where the decoder of Responses keeps, on a namespace's first tool, what the namespace is for. */
const NAMESPACE_WORDS = 'namespace.description'

/** Does OpenAI define the tool? Its decoder makes such a tool a function and keeps its type. */
const isOpenAiTool = ({ native }: FunctionTool): boolean =>
  typeof keptFields('responses', native).type === 'string'

type Upstream = Pick<Conversion, 'format' | 'toolNames'>

/** One request's tools, history and choice on their way to the upstream. */
class Fitting {
  readonly names: ToolNames
  readonly #format: WireFormat
  readonly #rules: ModelRules
  readonly #loss: Loss
  readonly #listed: readonly ListedTool[]

  constructor(tools: readonly ToolDefinition[], to: Upstream, rules: ModelRules, loss: Loss) {
    const { format } = to
    this.names = new ToolNames(to.toolNames, rules.maxToolName, rules.namespaces)
    this.#format = format
    this.#rules = rules
    this.#loss = loss
    this.#listed = tools.map((tool) => readTool(tool, format))
    this.names.add(this.#listed.flatMap(({ client }) => client ?? []))
  }

  tools(): ToolDefinition[] {
    const seen = new Set<string>()
    return this.#listed.flatMap((listed) => {
      const { definition, client } = listed
      if (!client) return [definition]
      const name = this.names.upstreamName(client)
      const at = definition.at ?? this.#loss.field('tools')
      if (seen.size === seen.add(JSON.stringify(name)).size) {
        this.#loss.drop(at, 'tool_named_twice')
        return []
      }
      return [this.#tool(listed, name, at)]
    })
  }

  #tool(listed: ListedTool, upstream: UpstreamName, at: string): ToolDefinition {
    const { definition, client, plain } = listed
    if (definition.type === 'hosted') {
      if (!plain) return definition
      this.#loss.approximate(at, 'function_instead')
      return plainTool(definition, plain, upstream.name)
    }
    if (client?.namespace === undefined && definition.name !== upstream.name) {
      this.#loss.approximate(at, { code: 'known_as', name: upstream.name })
    }
    const { namespace: _, ...tool } = this.#asTaken(this.#withNamespace(definition, upstream), at)
    return { ...tool, ...upstream }
  }

  /** A namespace's description, put on its first tool where the upstream has no namespaces. */
  #withNamespace<Tool extends FunctionTool | FreeformTool>(
    tool: Tool,
    upstream: UpstreamName,
  ): Tool {
    const { [NAMESPACE_WORDS]: words, ...others } = keptFields('responses', tool.native)
    if (typeof words !== 'string' || upstream.namespace !== undefined) return tool
    const { native: _, ...rest } = tool
    const bare = {
      ...rest,
      ...(Object.keys(others).length > 0 ? { native: { ...tool.native, fields: others } } : {}),
    } as Tool
    if (words.trim() === '') return bare
    const place = (tool.at ?? this.#loss.field('tools')).replace(/\.tools\[\d+\]$/, '')
    this.#loss.approximate(place, 'tools_described_first')
    const about = `Tools of ${tool.namespace}: ${words}`
    return { ...bare, description: tool.description ? `${tool.description}\n\n${about}` : about }
  }

  #asTaken(tool: FunctionTool | FreeformTool, at: string): FunctionTool | FreeformTool {
    if (tool.type === 'freeform') {
      if (this.#rules.freeformTools) return tool
      this.#loss.approximate(at, 'free_text_as_argument')
      return asFunction(tool)
    }
    if (this.#format === 'responses' || !isOpenAiTool(tool)) return tool
    this.#loss.approximate(at, 'function_instead')
    const { native: _, ...plain } = tool
    return plain
  }

  choice(choice: ToolChoice): ToolChoice {
    if (choice.mode === 'one') {
      const { name, namespace, kind } = choice
      const named = this.#named(name)
      const tool = named.find((one) => one.namespace === namespace) ?? named[0]
      // A tool that runs at the vendor is the encoder's to find.
      if (kind === 'hosted' && !tool) return choice
      const place = namespace === undefined ? {} : { namespace }
      const upstream = this.names.upstreamName(tool ?? { name, ...place, kind: 'function' })
      const isFreeform = kind === 'freeform' && this.#rules.freeformTools
      return { mode: 'one', ...upstream, kind: isFreeform ? 'freeform' : 'function' }
    }
    if (choice.mode !== 'some') return choice
    const names = choice.names.flatMap((name) => {
      const named = this.#named(name)
      // One that is not listed may run at the vendor: its name is left as it is, for it fits anywhere.
      const tools = named.length > 0 ? named : [{ name, kind: 'function' } as const]
      return tools.map((tool) => this.names.upstreamName(tool).name)
    })
    return { ...choice, names: [...new Set(names)] }
  }

  /** The listed tools of a name, of every namespace. */
  #named(name: string): ClientTool[] {
    return this.#listed.flatMap(({ client }) => (client?.name === name ? client : []))
  }

  turns(turns: readonly Turn[]): Turn[] {
    const upstreamNames = new Map<string, string>()
    return turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) => this.#part(part, upstreamNames)),
    }))
  }

  /** `upstreamNames` tells what the tool of a call that came before is called, by the call's id. */
  #part(part: Part, upstreamNames: Map<string, string>): Part {
    const { toolId: idRule, freeformTools } = this.#rules
    if (part.type === 'call') {
      const upstream = this.names.upstreamName(part)
      if (part.id !== null) upstreamNames.set(part.id, upstream.name)
      const id = part.id === null ? null : toolId(part.id, idRule)
      const isWrapped = part.kind === 'freeform' && !freeformTools
      const isNamed = upstream.name === part.name && upstream.namespace === part.namespace
      if (isNamed && id === part.id && !isWrapped) return part
      const { namespace: _, ...call } = part
      return {
        ...call,
        ...upstream,
        id,
        ...(isWrapped ? { kind: 'function', arguments: wrapInput(part.arguments) } : {}),
      }
    }
    if (part.type !== 'result') return part
    const known = part.callId === null ? undefined : upstreamNames.get(part.callId)
    const callId = part.callId === null ? null : toolId(part.callId, idRule)
    const name =
      part.name === null
        ? null
        : (known ?? this.names.upstreamName({ name: part.name, kind: part.kind }).name)
    const kind = freeformTools ? part.kind : 'function'
    const isSame = callId === part.callId && name === part.name && kind === part.kind
    return isSame ? part : { ...part, callId, name, kind }
  }
}

/**
 * Makes tools, their names and namespaces, the calls in the history and the choice fit an
 * upstream: what a model does not take (freeform tools, namespaces, tools that another vendor defines and
 * the client runs, long names, foreign ids) becomes what it does. Tools that run at a vendor are left for
 * the encoder. The answer's calls get the client's own names and kinds back; their ids stay the upstream's.
 */
export function fitTools(
  request: ExchangeRequest,
  to: Upstream,
  rules: ModelRules,
  loss: Loss,
): FittedTools {
  const fitting = new Fitting(request.tools, to, rules, loss)
  const { names } = fitting
  const fitted: ExchangeRequest = {
    ...request,
    tools: fitting.tools(),
    turns: fitting.turns(request.turns),
    ...(request.toolChoice === undefined ? {} : { toolChoice: fitting.choice(request.toolChoice) }),
  }
  return { request: fitted, tools: answerTools(names.areUnchanged ? null : names.renamed) }
}
