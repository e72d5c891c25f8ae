import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import * as claudeCode from '../../support/agent-requests/claude-code.ts'
import * as codex from '../../support/agent-requests/codex.ts'
import * as geminiCli from '../../support/agent-requests/gemini-cli.ts'
import * as openCode from '../../support/agent-requests/opencode.ts'
import { formats, modelsOf, type Stage, startStage } from '../../support/strict/loops/stage.ts'

interface AgentRequest {
  name: string
  format: WireFormat
  headers: Record<string, string>
  path(model: string): string
  body(model: string): object
  /** Holds state of a real vendor, which a played one of the same format would not know. */
  isForeign?: boolean
}

const claude = (name: string, body: AgentRequest['body'], isForeign = false): AgentRequest => ({
  name: `Claude Code, ${name}`,
  format: 'messages',
  headers: claudeCode.claudeCodeHeaders,
  path: () => '/v1/messages?beta=true',
  body,
  isForeign,
})
const codexCall = (name: string, body: AgentRequest['body'], isForeign = false): AgentRequest => ({
  name: `Codex, ${name}`,
  format: 'responses',
  headers: codex.codexHeaders,
  path: () => '/v1/responses',
  body,
  isForeign,
})
const gemini = (
  name: string,
  verb: string,
  body: AgentRequest['body'],
  isForeign = false,
): AgentRequest => ({
  name: `Gemini CLI, ${name}`,
  format: 'generate-content',
  headers: geminiCli.geminiCliHeaders,
  path: (model) => `/v1beta/models/${model}:${verb}`,
  body,
  isForeign,
})
const open = (name: string, body: AgentRequest['body']): AgentRequest => ({
  name: `OpenCode, ${name}`,
  format: 'chat',
  headers: openCode.openCodeHeaders,
  path: () => '/v1/chat/completions',
  body,
})

const requests: readonly AgentRequest[] = [
  claude('first call', claudeCode.claudeCodeFirst),
  claude('later call', claudeCode.claudeCodeLater, true),
  claude('title', claudeCode.claudeCodeTitle),
  codexCall('first call', codex.codexFirst),
  codexCall('later call', codex.codexLater, true),
  codexCall('output schema', codex.codexSchema),
  gemini('first call', 'streamGenerateContent?alt=sse', geminiCli.geminiCliFirst),
  gemini('later call', 'streamGenerateContent?alt=sse', geminiCli.geminiCliLater, true),
  gemini('side task', 'generateContent', geminiCli.geminiCliSchema),
  open('first call', openCode.openCodeFirst),
  open('later call', openCode.openCodeLater),
]

const ends: Readonly<Record<WireFormat, string>> = {
  chat: 'data: [DONE]',
  messages: 'event: message_stop',
  responses: 'event: response.completed',
  'generate-content': '"finishReason":"STOP"',
}

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
beforeEach(() => {
  for (const format of formats) stage.upstreams[format].refusals.length = 0
})
afterAll(() => stage.close())

const targets = formats.flatMap((format) => modelsOf[format].map((model) => ({ format, model })))

describe.each(requests)('$name', (request) => {
  const fitting = targets.filter(
    ({ format, model }) =>
      format !== request.format ||
      // The vendor's own rules for its own format are the agent's business: its usual model only.
      (!request.isForeign && model === modelsOf[format][0]),
  )

  test.each(fitting)('is taken by $format with $model', async ({ format, model }) => {
    const answer = await fetch(stage.gateway.url + request.path(model), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${stage.gateway.key}`,
        ...request.headers,
      },
      body: JSON.stringify(request.body(model)),
    })
    const text = await answer.text()
    expect(stage.upstreams[format].refusals).toEqual([])
    expect(answer.status, text).toBe(200)
    expect(text).toContain(ends[request.format])
    const sent = stage.upstreams[format].last().body.toString()
    if (format !== request.format) {
      for (const foreign of ['billing-header', 'Foreign', 'EqQBCkYI', 'client_metadata']) {
        expect(sent).not.toContain(foreign)
      }
    }
  })
})
