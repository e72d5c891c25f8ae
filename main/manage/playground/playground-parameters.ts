import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { codecOf, isWireFormat } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { type ModelRules, modelRules } from '../../convert/model/model-rules.ts'
import type { Call } from '../../relay/call/call.ts'
import { formatFor } from '../../relay/channel/channel-format.ts'
import { mapModel } from '../../relay/channel/map-model.ts'
import { servedBy } from '../../relay/channel/usable-models.ts'
import { modelFacts } from '../../relay/pricing/model-facts.ts'
import { rulesOf } from '../../relay/translate/translate-request.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { playgroundCall, requestOf } from './playground-request.ts'

const parametersOutput = z.strictObject({
  format: z.string().nullable().describe('Wire format of the upstream; null where none serves it.'),
  temperature: z.number().nullable().describe('Highest temperature; null where it is not taken.'),
  top_p: z.boolean(),
  top_k: z.boolean(),
  max_tokens: z.int().nullable().describe('Most output tokens; null where unknown.'),
  stop: z.int().describe('Most stop sequences; 0 where none is taken.'),
  seed: z.boolean(),
  penalties: z.boolean(),
  efforts: z.array(z.string()).describe('Reasoning efforts, rising; empty where it takes none.'),
  budget: z
    .strictObject({ least: z.int(), most: z.int() })
    .nullable()
    .describe('Tokens to think with; null where the model takes no such number.'),
  verbosity: z.boolean().describe('A verbosity is taken: low, medium or high.'),
  forced_tool: z.boolean().describe('The model can be made to call a tool.'),
  structured_output: z.boolean().describe('A JSON schema for the answer is taken.'),
})

type Parameters = z.infer<typeof parametersOutput>

/** The upstream's name of the model; a mapping that loops is for a call to report. */
function upstreamName(model: string, channel: Channel): string {
  try {
    return mapModel(model, channel)
  } catch {
    return model
  }
}

/** OpenAI brought it with GPT-5, whose efforts begin below `low`. */
const takesVerbosity = ({ openaiFields, efforts }: ModelRules): boolean =>
  openaiFields && efforts.some((effort) => effort === 'none' || effort === 'minimal')

function parametersOf(asked: Call, parts: GatewayParts): Parameters {
  const { pinnedChannel } = asked.caller
  const pinned = pinnedChannel === null ? undefined : parts.channels.byId(pinnedChannel)
  const { serving: found, model } = servedBy(asked.model, asked, parts)
  const call = { ...asked, model }
  const serving = pinned ? [pinned] : found
  const channel = serving.find((one) => formatFor(one, call) !== null)
  const format = channel ? formatFor(channel, call) : null
  const wire: WireFormat = format !== null && isWireFormat(format) ? format : 'chat'
  const name = channel ? upstreamName(call.model, channel) : call.model
  const rules = modelRules(wire, name, channel ? rulesOf(channel.settings, name) : {})
  return {
    format,
    temperature: rules.sampling ? rules.temperatureMax : null,
    top_p: rules.sampling,
    top_k: rules.sampling && rules.topK,
    max_tokens: modelFacts(name).maxOutput,
    stop: rules.stop ? rules.maxStop : 0,
    seed: rules.seed,
    penalties: rules.penalties,
    efforts: rules.thinking === 'none' ? [] : [...rules.efforts],
    budget: rules.budgetThinking ? { least: rules.minBudget, most: rules.maxBudget } : null,
    verbosity: takesVerbosity(rules) && codecOf(call.format).takesVerbosity === true,
    forced_tool: rules.forcedTool !== 'no',
    structured_output: rules.structuredOutput,
  }
}

export const parameters = defineOperation({
  name: 'playground.parameters',
  summary: 'Lists the parameters that a model takes at the channel that serves it.',
  access: 'user',
  http: { method: 'GET', path: '/pg/parameters' },
  input: z.object({
    model: z.string().min(1, fieldProblems.field_missing),
    format: z.enum(['chat', 'responses', 'messages', 'generate-content']).default('chat'),
    channel: recordId.optional(),
  }),
  output: parametersOutput,
  run({ model, format, channel }, context): Parameters {
    const asked = { format, model, channel, body: { messages: [{ role: 'user', content: '.' }] } }
    const call = playgroundCall(asked, requestOf(asked), context, { isCaptured: false })
    return parametersOf(call, context.parts)
  },
})
