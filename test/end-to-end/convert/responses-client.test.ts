import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { describeLoops } from '../../support/strict/loops/describe-loops.ts'
import { BIG, loopTurns } from '../../support/strict/loops/loop-script.ts'
import {
  content,
  expectLoop,
  expectResults,
  failure,
  fileSchema,
  listing,
  modelsOf,
  noteSchema,
  question,
  type SeenTurn,
  type Stage,
  startStage,
  systemText,
} from '../../support/strict/loops/stage.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'

type Answer = OpenAI.Responses.Response
type Item = OpenAI.Responses.ResponseInputItem

let stage: Stage
let client: OpenAI

beforeAll(async () => {
  stage = await startStage()
  client = new OpenAI({
    apiKey: stage.gateway.key,
    baseURL: `${stage.gateway.url}/v1`,
    maxRetries: 0,
  })
})
afterAll(() => stage.close())

const tool = (
  name: string,
  parameters: Record<string, unknown> | null,
): OpenAI.Responses.FunctionTool => ({ type: 'function', name, parameters, strict: false })

async function ask(model: string, input: Item[], stream: boolean): Promise<Answer> {
  const body = {
    model,
    input,
    instructions: systemText,
    store: false,
    include: ['reasoning.encrypted_content' as const],
    reasoning: { effort: 'medium' as const, summary: 'auto' as const },
    tools: [
      tool('list_files', null),
      tool('write_note', noteSchema),
      tool('read_file', fileSchema),
    ],
    parallel_tool_calls: true,
    tool_choice: 'auto' as const,
  }
  if (!stream) return await client.responses.create({ ...body, stream: false })
  return await client.responses.stream(body).finalResponse()
}

const callsOf = ({ output }: Answer) =>
  output.flatMap((item) => (item.type === 'function_call' ? [item] : []))

function seen(answer: Answer): SeenTurn {
  const { usage } = answer
  return {
    thinking: answer.output
      .flatMap((item) =>
        item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])] : [],
      )
      .map(({ text }) => text)
      .join(''),
    text: answer.output_text,
    calls: callsOf(answer).map((call) => ({
      name: call.name,
      arguments: JSON.parse(call.arguments),
    })),
    stop: answer.status,
    usage: {
      input: usage?.input_tokens ?? 0,
      cachedInput: usage?.input_tokens_details.cached_tokens ?? 0,
      cacheWrite:
        (usage?.input_tokens_details as { cache_write_tokens?: number } | undefined)
          ?.cache_write_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? 0,
    },
  }
}

/** The output as input; the SDK's stream helper adds a field to calls that is its own. */
const echo = ({ output }: Answer): Item[] =>
  output.map((item) => {
    const { parsed_arguments: _, ...rest } = item as typeof item & { parsed_arguments?: unknown }
    if (rest.type !== 'message') return rest as Item
    const parts = rest.content.map((part) => {
      const { parsed: __, ...plain } = part as typeof part & { parsed?: unknown }
      return plain
    })
    return { ...rest, content: parts } as Item
  })

async function runLoop(model: string, stream: boolean): Promise<Answer[]> {
  const input: Item[] = [{ role: 'user', content: question }]
  const first = await ask(model, input, stream)
  const [list, note] = callsOf(first)
  input.push(
    ...echo(first),
    {
      type: 'function_call_output',
      call_id: list?.call_id ?? '',
      output: [
        { type: 'input_text', text: listing },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
    { type: 'function_call_output', call_id: note?.call_id ?? '', output: `Error: ${failure}` },
  )
  const second = await ask(model, input, stream)
  const [read] = callsOf(second)
  input.push(...echo(second), {
    type: 'function_call_output',
    call_id: read?.call_id ?? '',
    output: content,
  })
  return [first, second, await ask(model, input, stream)]
}

async function check(format: WireFormat, model: string, stream: boolean): Promise<SeenTurn[]> {
  const upstream = stage.upstreams[format]
  upstream.refusals.length = 0
  const answers = await runLoop(model, stream)
  const turns = answers.map(seen)
  expectLoop(turns, ['completed', 'completed', 'completed'], 'responses', upstream)
  expectResults('responses', upstream, model)
  const [list, note] = callsOf(answers[0] as Answer)
  expect(list?.arguments).toBe('{}')
  expect(note?.arguments).toContain(BIG)
  expect(list?.call_id).not.toBe(note?.call_id)
  for (const { id } of answers) expect(id).toMatch(/^resp_/)
  return turns
}

describeLoops('a Responses client', check)

describe.each(['chat', 'messages', 'generate-content'] as const)(
  'a Responses client that sends only what is new, on %s',
  (format) => {
    test.each([true, false])('the gateway keeps the rest, streamed: %s', async (stream) => {
      const upstream = stage.upstreams[format]
      upstream.refusals.length = 0
      const common = {
        model: modelsOf[format][0],
        instructions: systemText,
        reasoning: { effort: 'medium' as const, summary: 'auto' as const },
        tools: [
          tool('list_files', null),
          tool('write_note', noteSchema),
          tool('read_file', fileSchema),
        ],
      }
      const next = (input: Item[], previous: string | null) => {
        const body = { ...common, input, previous_response_id: previous }
        return stream
          ? client.responses.stream(body).finalResponse()
          : client.responses.create({ ...body, stream: false })
      }
      const outputs = (answer: Answer): Item[] =>
        callsOf(answer).map((call) => ({
          type: 'function_call_output',
          call_id: call.call_id,
          output: content,
        }))
      const first = await next([{ role: 'user', content: question }], null)
      const second = await next(outputs(first), first.id)
      const third = await next(outputs(second), second.id)
      expect(upstream.refusals).toEqual([])
      expect(third.output_text).toBe(loopTurns[2].text)
      expect(third.previous_response_id).toBe(second.id)
    })
  },
)
