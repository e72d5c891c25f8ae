import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { ConnectFolder } from '../../connect/connect-record.ts'
import { modelAliases } from '../../connect/model-aliases.ts'
import type { Connection, Tool } from '../../connect/tool.ts'
import { tools } from '../../connect/tools.ts'
import { usableModels } from '../../relay/channel/usable-models.ts'
import { modelFacts } from '../../relay/pricing/model-facts.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { OperationContext } from '../operation/operation.ts'
import { callerOf, ownModels } from '../server/own-models.ts'
import { ownToken, readableKey } from '../tokens/own-token.ts'
import { toolAddress } from './tool-address.ts'

export const connectFolder = ({ dataFolder }: Pick<GatewayParts, 'dataFolder'>): ConnectFolder =>
  new ConnectFolder(dataFolder)

export function toolNamed(id: string): Tool {
  const tool = tools.find((one) => one.id === id)
  if (tool) return tool
  throw new GatewayError('not_found', {
    message: `There is no tool "${id}". Choose one of ${tools.map((one) => one.id).join(', ')}.`,
    field: 'tool',
    reason: { code: 'no_tool', id },
  })
}

const model = z.string().min(1).max(200).optional()

export const choiceFields = {
  tool: z.string().describe('Id of a tool.'),
  token_id: z.int().nullable().describe('null: a new token, named after the tool.'),
  models: z.strictObject({ main: z.string().min(1).max(200), small: model, subagent: model }),
}

export type Choice = z.output<z.ZodObject<typeof choiceFields>>

/** The key of a token that is not made yet. */
export const NEW_KEY = 'sk-new-token'

/** Refuses models that nobody serves here, and slots that the tool has not. */
export function checkModels(tool: Tool, { models }: Choice, context: OperationContext): void {
  const known = new Set(ownModels(context, ''))
  for (const [slot, name] of Object.entries(models)) {
    if (name === undefined) continue
    const field = `models.${slot}`
    if (!tool.slots.some(({ id }) => id === slot)) {
      throw new GatewayError('invalid_params', {
        message: `${tool.name} has no place for a "${slot}" model.`,
        field,
        reason: { code: 'tool_without_slot', tool: tool.name, slot },
      })
    }
    if (known.has(name)) continue
    throw new GatewayError('invalid_params', {
      message: `No channel serves the model "${name}". Add it to a channel, or choose another one.`,
      field,
      reason: { code: 'model_not_served', model: name },
    })
  }
}

export const modelsOf = ({ models }: Choice): string[] => [
  ...new Set(Object.values(models).filter((name) => name !== undefined)),
]

export const tokenOf = ({ token_id }: Choice, context: OperationContext): Token | null =>
  token_id === null ? null : ownToken(token_id, context)

export function connectionOf(
  choice: Choice,
  token: Token | null,
  context: OperationContext,
): Connection {
  const tool = toolNamed(choice.tool)
  const named = (model: string | undefined) => model && (tool.nameOf?.(model) ?? model)
  const { main, small, subagent } = choice.models
  const aliases = modelAliases(tool, modelsOf(choice))
  const usable = usableModels(callerOf(context), context.parts)
  return {
    address: toolAddress(context.parts),
    token: token ? readableKey(token, context) : NEW_KEY,
    models: {
      main: named(main) ?? main,
      ...(small && { small: named(small) }),
      ...(subagent && { subagent: named(subagent) }),
    },
    facts(name) {
      const id = aliases[name] ?? name
      const known = usable.find((one) => one.id === id) ?? modelFacts(id)
      return {
        ...{ context: known.contextWindow, output: known.maxOutput, images: known.takesImages },
      }
    },
  }
}
