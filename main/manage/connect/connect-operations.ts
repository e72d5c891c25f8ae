import { createTwoFilesPatch } from 'diff'
import { z } from 'zod'
import { digest } from '../../base/digest.ts'
import { GatewayError } from '../../base/errors.ts'
import { applyConnection } from '../../connect/apply-connection.ts'
import { maskSecrets } from '../../connect/mask-secrets.ts'
import { type ConnectionPlan, planConnection } from '../../connect/plan-connection.ts'
import { tools } from '../../connect/tools.ts'
import { undoConnection } from '../../connect/undo-connection.ts'
import { usableModels } from '../../relay/channel/usable-models.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { callerOf } from '../server/own-models.ts'
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
import { toolView, viewOf } from './tool-view.ts'

const isLocal = ({ via, loopback }: OperationContext) => via === 'ipc' || loopback

/** Files are changed for who sits at this machine, and for nobody else. */
function onlyLocal(context: OperationContext): void {
  if (isLocal(context)) return
  throw new GatewayError('forbidden', {
    message:
      'Tools are connected only from the machine that Switchyard runs on. Open the console there, or paste the text that is shown here.',
  })
}

const list = defineOperation({
  name: 'connect.tools',
  summary: 'Lists the coding tools on this machine and where each points.',
  access: 'root',
  http: { method: 'GET', path: '/api/connect/tools' },
  input: z.object({}),
  output: z.strictObject({
    local: z.boolean().describe('Whether tools may be connected from here.'),
    tools: z.array(toolView),
  }),
  run: (_input, context) => ({
    local: isLocal(context),
    tools: tools.map((tool) => viewOf(tool, context)),
  }),
})

interface Prepared {
  plan: ConnectionPlan
  digest: string
}

/** The same files and the same choice give the same digest. */
function prepare(choice: Choice, context: OperationContext): Prepared {
  const { parts } = context
  const tool = toolNamed(choice.tool)
  checkModels(tool, choice, context)
  const token = tokenOf(choice, context)
  const connection = connectionOf(choice, token, context)
  const plan = planConnection(tool, connection, parts.machine, connectFolder(parts))
  const files = plan.files.map(({ current }) => [current.path, current.real, current.sha256])
  return { plan, digest: digest(JSON.stringify([choice, connection.address, files])) }
}

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
    warnings: z.array(z.string()),
    token: z.strictObject({ id: z.int().nullable(), name: z.string() }),
    digest: z.string().describe('For `connect.apply`.'),
  }),
  before: onlyLocal,
  run(choice, context) {
    const { plan, digest } = prepare(choice, context)
    const token = tokenOf(choice, context)
    const limits = token?.modelLimitsEnabled ? token.modelLimits : null
    const refused = modelsOf(choice).filter((name) => limits && !limits.includes(name))
    const files = plan.files.map(({ current, after }) => {
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
    const warnings = refused.map(
      (name) =>
        `The token "${token?.name}" may not use "${name}". Change its models, or take another token.`,
    )
    return {
      files,
      warnings: [...plan.warnings, ...warnings],
      token: { id: token?.id ?? null, name: token?.name ?? toolNamed(choice.tool).name },
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
  run({ digest, ...choice }, context) {
    const { parts } = context
    const tool = toolNamed(choice.tool)
    if (prepare(choice, context).digest !== digest) {
      throw new GatewayError('conflict', {
        message: `A file of ${tool.name} has changed since the preview. Look at the new preview, then apply.`,
      })
    }
    const given = tokenOf(choice, context)
    const token =
      given ??
      parts.tokens.create({
        ...{ userId: signedIn(context).id, name: tool.name, unlimitedQuota: true },
        ...{ modelLimitsEnabled: true, modelLimits: modelsOf(choice) },
      })
    try {
      const connection = connectionOf(choice, token, context)
      const folder = connectFolder(parts)
      const plan = planConnection(tool, connection, parts.machine, folder)
      applyConnection(tool, connection, token.id, plan, folder)
    } catch (error) {
      if (!given) parts.tokens.remove([token.id])
      throw error
    }
    return viewOf(tool, context)
  },
})

const undone = z.array(
  z.strictObject({ path: z.string(), restored: z.enum(['whole', 'keys', 'removed']) }),
)

const undo = defineOperation({
  name: 'connect.undo',
  summary: "Puts a tool's files back as they were; of a file changed since, only our keys.",
  access: 'root',
  http: { method: 'POST', path: '/api/connect/undo' },
  input: z.strictObject({ tool: choiceFields.tool }),
  output: z.strictObject({ tool: toolView, files: undone }),
  before: onlyLocal,
  run(input, context) {
    const { parts } = context
    const tool = toolNamed(input.tool)
    const files = undoConnection(tool, parts.machine, connectFolder(parts))
    return { tool: viewOf(tool, context), files }
  },
})

const undoAll = defineOperation({
  name: 'connect.undo-all',
  summary: 'Disconnects every tool that was connected here.',
  access: 'root',
  http: { method: 'POST', path: '/api/connect/undo-all' },
  input: z.strictObject({}),
  output: z.strictObject({
    undone: z.array(z.string()),
    failed: z.array(z.strictObject({ tool: z.string(), problem: z.string() })),
  }),
  before: onlyLocal,
  run(_input, { parts }) {
    const folder = connectFolder(parts)
    const undone: string[] = []
    const failed: { tool: string; problem: string }[] = []
    for (const tool of tools.filter(({ id }) => folder.read(id) !== null)) {
      try {
        undoConnection(tool, parts.machine, folder)
        undone.push(tool.id)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        failed.push({ tool: tool.id, problem: error.message })
      }
    }
    return { undone, failed }
  },
})

const models = defineOperation({
  name: 'connect.models',
  summary: 'Lists your models for a tool, those that fit it first.',
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
        fits: z.boolean(),
      }),
    ),
  }),
  run(input, context) {
    const { needs } = toolNamed(input.tool)
    const all = usableModels(callerOf(context), context.parts).map((model) => {
      const { id, displayName, contextWindow, capabilities } = model
      const isChat = capabilities.includes('chat')
      const isLarge = (contextWindow ?? Infinity) >= (needs.context ?? 0)
      return {
        ...{ id, display_name: displayName, tools: isChat ? null : false },
        ...{ context: contextWindow, fits: isChat && isLarge },
      }
    })
    return { models: [...all.filter(({ fits }) => fits), ...all.filter(({ fits }) => !fits)] }
  },
})

export const connectOperations = [list, preview, apply, undo, undoAll, models] as const
