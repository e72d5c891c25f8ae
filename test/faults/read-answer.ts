import type { WireFormat } from '../../main/convert/exchange.ts'
import type { SeenAnswer } from './faulty-call.ts'
import { asJson, type Item, type Json, type Meaning, wrongError } from './meaning.ts'
import { readers } from './stream-readers.ts'

/** The request, which decides how the answer is read. */
export interface CallShape {
  client: WireFormat
  stream: boolean
  asArray: boolean
}

/** The answer's text where it is no stream. */
function wholeText(client: WireFormat, value: Json): string | null {
  const first = (list: unknown): Json => asJson(Array.isArray(list) ? list[0] : undefined)
  if (client === 'chat') {
    const choice = first(value.choices)
    const { content } = asJson(choice.message)
    return choice.finish_reason === 'stop' && typeof content === 'string' ? content : null
  }
  if (client === 'messages') {
    const { text } = first(value.content)
    return value.stop_reason === 'end_turn' && typeof text === 'string' ? text : null
  }
  if (client === 'generate-content') {
    const candidate = first(value.candidates)
    const { text } = first(asJson(candidate.content).parts)
    return candidate.finishReason === 'STOP' && typeof text === 'string' ? text : null
  }
  const message = (Array.isArray(value.output) ? (value.output as Json[]) : []).find(
    ({ type }) => type === 'message',
  )
  const { text } = first(message?.content)
  return value.status === 'completed' && typeof text === 'string' ? text : null
}

function readWhole({ client }: CallShape, answer: SeenAnswer): Meaning {
  const meaning: Meaning = { text: '', ending: 'nothing', error: '', problems: [] }
  let value: Json
  try {
    const parsed: unknown = JSON.parse(answer.body)
    value = asJson(Array.isArray(parsed) ? parsed[0] : parsed)
  } catch {
    meaning.problems.push(`status ${answer.status} with no JSON: ${answer.body.slice(0, 200)}`)
    return meaning
  }
  if (answer.status >= 200 && answer.status < 300) {
    const text = wholeText(client, value)
    if (text === null) meaning.problems.push(`no answer: ${answer.body.slice(0, 300)}`)
    else Object.assign(meaning, { text, ending: 'whole' })
    return meaning
  }
  meaning.ending = 'failed'
  meaning.error = String(asJson(value.error).message ?? '')
  meaning.problems.push(...wrongError(client, value, answer.status))
  return meaning
}

/** An item that broke off makes no array of what follows; but the error behind it is there to be read. */
function errorAtEnd(body: string): Item[] | null {
  const start = body.lastIndexOf('{"error"')
  try {
    const [value] = JSON.parse(`[${body.slice(start)}`) as Json[]
    return start > 0 && value ? [{ name: null, value }] : null
  } catch {
    return null
  }
}

/** The items of a stream; what is left over at its end is told as a problem. */
function itemsOf({ asArray, client }: CallShape, answer: SeenAnswer, problems: string[]): Item[] {
  if (asArray) {
    try {
      return (JSON.parse(answer.body) as Json[]).map((value) => ({ name: null, value }))
    } catch {
      const item = errorAtEnd(answer.body)
      if (item === null) problems.push(`no JSON array: …${answer.body.slice(-300)}`)
      return item ?? []
    }
  }
  const blocks = answer.body.split(/\r?\n\r?\n/)
  if (answer.isTail) blocks.shift()
  const rest = blocks.pop() ?? ''
  // Google's own form of the error, behind the event.
  const isToldTwice = client === 'generate-content' && blocks.at(-1) === `data: ${rest}`
  if (rest.trim() !== '' && !isToldTwice)
    problems.push(`ends inside an event: …${rest.slice(-200)}`)
  return blocks.flatMap((block) => {
    const lines = block.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith(':'))
    const unknown = lines.find((line) => !/^(?:data|event|id|retry):/.test(line))
    if (unknown !== undefined) problems.push(`no line of an event: ${unknown.slice(0, 200)}`)
    const data = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
    const name =
      lines
        .find((line) => line.startsWith('event:'))
        ?.slice(6)
        .trim() ?? null
    if (data.length === 0) return []
    const text = data.join('\n')
    if (text === '[DONE]') return [{ name, value: { done: true } }]
    try {
      return [{ name, value: asJson(JSON.parse(text)) }]
    } catch {
      // Half an event, closed with an empty line, is what a client of a broken stream has to pass over.
      problems.push(`no JSON in an event: ${text.slice(0, 200)}`)
      return []
    }
  })
}

/** Reads what a client got for what it asked. */
export function readAnswer(asked: CallShape, answer: SeenAnswer): Meaning {
  if (!asked.stream || answer.status !== 200) return readWhole(asked, answer)
  const meaning: Meaning = { text: '', ending: 'nothing', error: '', problems: [] }
  const items = itemsOf(asked, answer, meaning.problems)
  const read = readers[asked.client](answer.isTail)
  for (const item of items) {
    if (item.value.type === 'ping') continue
    if (meaning.ending === 'failed' || (meaning.ending === 'whole' && !read.mayFollow(item))) {
      meaning.problems.push(`after the end: ${JSON.stringify(item.value).slice(0, 200)}`)
    }
    read.take(item, meaning)
  }
  return meaning
}
