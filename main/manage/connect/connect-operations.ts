import { createTwoFilesPatch } from 'diff'
import { z } from 'zod'
import { digest } from '../../base/digest.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'
import { type AppliedConnection, applyConnection } from '../../connect/apply-connection.ts'
import { maskSecrets } from '../../connect/mask-secrets.ts'
import { modelAliases } from '../../connect/model-aliases.ts'
import { type ConnectionPlan, planConnection } from '../../connect/plan-connection.ts'
import { isSameAddress } from '../../connect/same-address.ts'
import type { Tool } from '../../connect/tool.ts'
import { addressOf } from '../../connect/tool-status.ts'
import { tools } from '../../connect/tools.ts'
import { usableModels } from '../../relay/channel/usable-models.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { sentenceOutput } from '../operation/sentence.ts'
import { signedIn } from '../operation/signed-in.ts'
import { callerOf } from '../server/own-models.ts'
import { ownTokens } from '../tokens/own-token.ts'
import {
  type Choice,
  checkModels,
  choiceFields,
  connectFolder,
  connectionOf,
  modelsOf,
  NEW_KEY,
  tokenOf,
  toolNamed,
} from './chosen-connection.ts'
import { checkHome, factsOf, machineFacts } from './machine-facts.ts'
import { isLocal, onlyLocal } from './only-local.ts'
import { otherGateway } from './other-gateway.ts'
import { aliasesWith, isToolsOwn, releaseToken, tokenAccess } from './tool-token.ts'
import { toolView, viewOf } from './tool-view.ts'

const ENABLED = 1

const list = defineOperation({
  name: 'connect.tools',
  summary: 'Lists the coding tools on this machine and where each points.',
  access: 'root',
  http: { method: 'GET', path: '/api/connect/tools' },
  input: z.object({}),
  output: z.strictObject({
    local: z.boolean().describe('Whether tools may be connected from here.'),
    machine: machineFacts,
    tools: z.array(toolView),
  }),
  run: async (_input, context) => ({
    local: isLocal(context),
    machine: factsOf(context.parts.machine),
    tools: await Promise.all(tools.map((tool) => viewOf(tool, context))),
  }),
})

/** Another Switchyard that the tool points at; not an earlier address of this one. */
async function otherThan(tool: Tool, { parts }: OperationContext): Promise<string | null> {
  const pointsTo = addressOf(tool, parts.machine)
  const own = connectFolder(parts).read(tool.id)?.address
  if (pointsTo !== null && own !== undefined && isSameAddress(pointsTo, own)) return null
  return otherGateway(pointsTo, parts)
}

interface Prepared {
  plan: ConnectionPlan
  digest: string
}

/** The same files and the same choice give the same digest. */
async function prepare(choice: Choice, context: OperationContext): Promise<Prepared> {
  const { parts } = context
  const tool = toolNamed(choice.tool)
  checkHome(parts.machine)
  checkModels(tool, choice, context)
  const token = tokenOf(choice, context)
  const connection = connectionOf(choice, token, context)
  const other = await otherThan(tool, context)
  const plan = planConnection(tool, connection, parts.machine, connectFolder(parts), other)
  const read = [...plan.files, ...plan.left.map(({ step }) => step)]
  const files = read.map(({ current }) => [current.path, current.real, current.sha256])
  return { plan, digest: digest(JSON.stringify([choice, connection.address, other, files])) }
}

const refusedModel = (token: string, model: string): Sentence => ({
  message: `The token "${token}" may not use "${model}". Change its models, or take another token.`,
  reason: { code: 'connect_model_refused', token, model },
})

const preview = defineOperation({
  name: 'connect.preview',
  summary: 'Shows what connecting a tool would change in its files, with secrets masked.',
  access: 'root',
  http: { method: 'POST', path: '/api/connect/preview' },
  input: z.strictObject(choiceFields),
  output: z.strictObject({
    files: z.array(
      z.strictObject({
        path: z.string(),
        before: z.string().nullable().describe('null: there is no such file.'),
        after: z.string(),
        diff: z.string().describe('Unified.'),
      }),
    ),
    warnings: z.array(sentenceOutput),
    token: z.strictObject({
      id: z.int().nullable(),
      name: z.string(),
      aliases: z
        .record(z.string(), z.string())
        .describe(
          'Names that the tool takes in place of those of its models; its token alone has them.',
        ),
      adds: z
        .array(z.string())
        .describe("Models that Apply adds to those of the tool's own token."),
      refuses: z
        .array(z.string())
        .describe('Models that the token may not use; then it is not applied.'),
    }),
    digest: z.string().describe('For `connect.apply`.'),
  }),
  before: onlyLocal,
  async run(choice, context) {
    const { plan, digest } = await prepare(choice, context)
    const token = tokenOf(choice, context)
    const tool = toolNamed(choice.tool)
    const record = connectFolder(context.parts).read(tool.id)
    const access = tokenAccess(token, modelsOf(choice), record)
    const put = plan.left.map(({ step }) => ({
      current: step.current,
      after: step.restored === 'removed' ? '' : step.bytes.toString('utf8'),
    }))
    const files = [...plan.files, ...put].map(({ current, after }) => {
      const before = current.text === null ? null : maskSecrets(current.text)
      const masked = maskSecrets(after, [NEW_KEY])
      const { path } = current
      return {
        path,
        before,
        after: masked,
        diff: createTwoFilesPatch(path, path, before ?? '', masked),
      }
    })
    const address = plan.otherGateway
    const others: Sentence[] =
      address === null
        ? []
        : [
            {
              message: `It points to another Switchyard now, at ${address}, and will no longer call that one.`,
              reason: { code: 'connect_other_gateway', address },
            },
          ]
    const warnings = access.refuses.map((model) => refusedModel(token?.name ?? '', model))
    return {
      files,
      warnings: [...others, ...plan.warnings, ...warnings],
      token: {
        ...{ id: token?.id ?? null, name: token?.name ?? tool.name, ...access },
        aliases: modelAliases(tool, modelsOf(choice)),
      },
      digest,
    }
  },
})

const apply = defineOperation({
  name: 'connect.apply',
  summary: 'Connects a tool as it was previewed; its files are backed up first.',
  access: 'root',
  http: { method: 'POST', path: '/api/connect/apply' },
  input: z.strictObject({ ...choiceFields, digest: z.string() }),
  output: toolView,
  before: onlyLocal,
  async run({ digest, ...choice }, context) {
    const { parts } = context
    const tool = toolNamed(choice.tool)
    const { plan: shown, digest: current } = await prepare(choice, context)
    if (current !== digest) {
      throw new GatewayError('conflict', {
        message: `A file of ${tool.name} has changed since the preview. Look at the new preview, then apply.`,
        reason: { code: 'file_changed', tool: tool.name },
      })
    }
    const given = tokenOf(choice, context)
    const folder = connectFolder(parts)
    const earlier = folder.read(tool.id)
    const { adds, refuses } = tokenAccess(given, modelsOf(choice), earlier)
    const [refused] = refuses
    if (given && refused !== undefined) {
      const problem = refusedModel(given.name, refused)
      throw new GatewayError('conflict', { ...problem })
    }
    const isMade = !given || isToolsOwn(given, earlier)
    let applied: AppliedConnection | undefined
    try {
      // Written as one, after the files: no token is left of a connection that failed.
      parts.state.together(() => {
        const token =
          given ??
          parts.tokens.create({
            ...{ userId: signedIn(context).id, name: tool.name, unlimitedQuota: true },
            ...{ modelLimitsEnabled: true, modelLimits: modelsOf(choice) },
          })
        parts.tokens.update(token.id, {
          modelLimits: [...token.modelLimits, ...adds],
          modelAliases: aliasesWith(token, tool, modelsOf(choice), earlier, parts),
        })
        const connection = connectionOf(choice, token, context)
        const { otherGateway: other } = shown
        const plan = planConnection(tool, connection, parts.machine, folder, other)
        const chosen = { models: choice.models, token: { id: token.id, isMade } }
        applied = applyConnection(tool, connection, chosen, plan, folder)
        if (earlier && earlier.tokenId !== token.id) releaseToken(tool, earlier, parts)
      })
    } catch (error) {
      applied?.takeBack()
      throw error
    }
    applied?.keep()
    return viewOf(tool, context)
  },
})

/** Known ones first; what is not known may fit. */
const ranks = [true, null, false] as const

const models = defineOperation({
  name: 'connect.models',
  summary: 'Lists your models for a tool: those that fit it, those not known, the others.',
  access: 'root',
  http: { method: 'GET', path: '/api/connect/models' },
  input: z.object({ tool: choiceFields.tool }),
  output: z.strictObject({
    models: z.array(
      z.strictObject({
        id: z.string(),
        display_name: z.string(),
        tools: z.boolean().nullable().describe('null: not known.'),
        context: z.int().nullable().describe('Tokens.'),
        fits: z
          .boolean()
          .nullable()
          .describe('null: its context window, or whether it calls tools, is not known.'),
      }),
    ),
  }),
  run(input, context) {
    const { needs } = toolNamed(input.tool)
    const all = usableModels(callerOf(context), context.parts).map((model) => {
      const { id, displayName, contextWindow, capabilities } = model
      const isChat = capabilities.includes('chat')
      const callsTools = isChat ? model.callsTools : false
      const fitting = [
        isChat,
        !needs.tools || callsTools,
        needs.context === null || (contextWindow === null ? null : contextWindow >= needs.context),
      ]
      return {
        ...{ id, display_name: displayName, tools: callsTools, context: contextWindow },
        fits: fitting.includes(false) ? false : fitting.includes(null) ? null : true,
      }
    })
    return { models: ranks.flatMap((rank) => all.filter(({ fits }) => fits === rank)) }
  },
})

const tokens = defineOperation({
  name: 'connect.tokens',
  summary: 'Lists the tokens that a tool can be given.',
  access: 'root',
  http: { method: 'GET', path: '/api/connect/tokens' },
  input: z.object({}),
  output: z.strictObject({
    tokens: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  }),
  run: (_input, context) => ({
    tokens: ownTokens(context)
      .filter(({ status }) => status === ENABLED)
      .map(({ id, name }) => ({ id, name })),
  }),
})

export const connectOperations = [list, preview, apply, models, tokens] as const
