import {
  type Content,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from '@google/genai'
import { afterAll, beforeAll } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { describeLoops } from '../../support/strict/loops/describe-loops.ts'
import {
  content,
  expectLoop,
  expectResults,
  failure,
  fileSchema,
  listing,
  noteSchema,
  question,
  type SeenTurn,
  type Stage,
  startStage,
  systemText,
} from '../../support/strict/loops/stage.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'

let stage: Stage
let client: GoogleGenAI

beforeAll(async () => {
  stage = await startStage()
  client = new GoogleGenAI({
    apiKey: stage.gateway.key,
    httpOptions: { baseUrl: stage.gateway.url },
  })
})
afterAll(() => stage.close())

interface Answer {
  parts: Part[]
  turn: SeenTurn
}

async function ask(model: string, contents: Content[], stream: boolean): Promise<Answer> {
  const request = {
    model,
    contents,
    config: {
      systemInstruction: systemText,
      tools: [
        {
          functionDeclarations: [
            { name: 'list_files', description: 'Lists.' },
            { name: 'write_note', parametersJsonSchema: noteSchema },
            { name: 'read_file', parametersJsonSchema: fileSchema },
          ],
        },
      ],
      thinkingConfig: {
        includeThoughts: true,
        ...(model === 'gemini-2.5-flash'
          ? { thinkingBudget: -1 }
          : { thinkingLevel: ThinkingLevel.HIGH }),
      },
    },
  }
  const answers: GenerateContentResponse[] = []
  if (!stream) answers.push(await client.models.generateContent(request))
  else for await (const one of await client.models.generateContentStream(request)) answers.push(one)
  const parts = answers.flatMap((one) => one.candidates?.[0]?.content?.parts ?? [])
  const last = answers.at(-1)
  const usage = last?.usageMetadata
  const textOf = (isThought: boolean) =>
    parts
      .filter((part) => Boolean(part.thought) === isThought)
      .map(({ text }) => text ?? '')
      .join('')
  return {
    parts: joined(parts),
    turn: {
      thinking: textOf(true),
      text: textOf(false),
      calls: parts.flatMap(({ functionCall: call }) =>
        call ? [{ name: call.name ?? '', arguments: call.args ?? {} }] : [],
      ),
      stop: last?.candidates?.[0]?.finishReason,
      usage: {
        input: usage?.promptTokenCount ?? 0,
        cachedInput: usage?.cachedContentTokenCount ?? 0,
        cacheWrite: 0,
        output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
        reasoning: usage?.thoughtsTokenCount ?? 0,
      },
    },
  }
}

/** Neighbouring pieces of text become one part, as Gemini CLI keeps its history. */
function joined(parts: readonly Part[]): Part[] {
  const kept: Part[] = []
  for (const part of parts) {
    const last = kept.at(-1)
    const isPlain = (one: Part | undefined) => one?.text !== undefined && !one.thoughtSignature
    if (isPlain(last) && isPlain(part) && Boolean(last?.thought) === Boolean(part.thought)) {
      kept[kept.length - 1] = { ...last, text: `${last?.text}${part.text}` }
    } else kept.push(part)
  }
  return kept.filter((part) => part.text !== '' || part.thoughtSignature)
}

const response = (
  parts: readonly Part[],
  name: string,
  answer: Record<string, unknown>,
  media?: Part[],
): Part => {
  const call = parts.find(({ functionCall }) => functionCall?.name === name)?.functionCall
  return {
    functionResponse: {
      name,
      response: answer,
      ...(call?.id !== undefined && { id: call.id }),
      ...(media && { parts: media }),
    },
  }
}

async function runLoop(model: string, stream: boolean): Promise<Answer[]> {
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }]
  const image = { inlineData: { mimeType: 'image/png', data: PNG } }
  // Gemini 2 has no media in its function responses: its clients put them beside.
  const isOld = model === 'gemini-2.5-flash'
  const first = await ask(model, contents, stream)
  contents.push(
    { role: 'model', parts: first.parts },
    {
      role: 'user',
      parts: [
        response(first.parts, 'list_files', { output: listing }, isOld ? undefined : [image]),
        response(first.parts, 'write_note', { error: failure }),
        ...(isOld ? [image] : []),
      ],
    },
  )
  const second = await ask(model, contents, stream)
  contents.push(
    { role: 'model', parts: second.parts },
    { role: 'user', parts: [response(second.parts, 'read_file', { output: content })] },
  )
  return [first, second, await ask(model, contents, stream)]
}

async function check(format: WireFormat, model: string, stream: boolean): Promise<SeenTurn[]> {
  const upstream = stage.upstreams[format]
  upstream.refusals.length = 0
  const turns = (await runLoop(model, stream)).map(({ turn }) => turn)
  expectLoop(turns, ['STOP', 'STOP', 'STOP'], 'generate-content', upstream)
  expectResults('generate-content', upstream, model)
  return turns
}

describeLoops('a Google client', check)
