import type { WireFormat } from '../../main/convert/exchange.ts'
import { asJson, type Item, type Json, type Meaning, wrongError } from './meaning.ts'

interface StreamReader {
  take(item: Item, meaning: Meaning): void
  /** May this come behind the end? */
  mayFollow(item: Item): boolean
}

const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

function fail(client: WireFormat, value: Json, meaning: Meaning): void {
  meaning.ending = 'failed'
  meaning.error = String(asJson(value.error).message ?? '')
  meaning.problems.push(...wrongError(client, value, null))
}

function readChat(): StreamReader {
  let hasFinished = false
  return {
    mayFollow: () => false,
    take({ value }, meaning) {
      if (value.error) return fail('chat', value, meaning)
      if (value.done) {
        if (!hasFinished) meaning.problems.push('[DONE] without a finish_reason')
        meaning.ending = 'whole'
        return
      }
      for (const choice of asList(value.choices)) {
        meaning.text += String(asJson(choice.delta).content ?? '')
        if (choice.finish_reason) hasFinished = true
      }
    },
  }
}

function readMessages(isTail: boolean): StreamReader {
  let hasStarted = isTail
  let openBlock: unknown = isTail ? 0 : null
  let stopReason: unknown = null
  return {
    mayFollow: () => false,
    take({ name, value }, meaning) {
      const { type } = value
      const wrong = (what: string) => meaning.problems.push(`${what}: ${JSON.stringify(value)}`)
      if (name !== type) wrong(`the event is called ${name}`)
      if (type === 'error') return fail('messages', value, meaning)
      if (!hasStarted && type !== 'message_start') wrong('no message_start before')
      if (type === 'message_start') {
        if (hasStarted) wrong('a second message_start')
        hasStarted = true
      } else if (type === 'content_block_start') {
        if (openBlock !== null) wrong('the block before is open')
        openBlock = value.index
      } else if (type === 'content_block_delta') {
        if (openBlock !== value.index) wrong('the block is not open')
        meaning.text += String(asJson(value.delta).text ?? '')
      } else if (type === 'content_block_stop') openBlock = null
      else if (type === 'message_delta') stopReason = asJson(value.delta).stop_reason
      else if (type === 'message_stop') {
        if (openBlock !== null || !stopReason) wrong('not ready to stop')
        meaning.ending = 'whole'
      }
    },
  }
}

function readGoogle(): StreamReader {
  return {
    // Usage may come behind the reason.
    mayFollow: ({ value }) => !value.error && asList(value.candidates).length === 0,
    take({ value }, meaning) {
      if (value.error) return fail('generate-content', value, meaning)
      for (const candidate of asList(value.candidates)) {
        for (const part of asList(asJson(candidate.content).parts))
          meaning.text += String(part.text ?? '')
        if (candidate.finishReason) meaning.ending = 'whole'
      }
    },
  }
}

function readResponses(isTail: boolean): StreamReader {
  let sequence = -1
  let hasCreated = isTail
  return {
    mayFollow: () => false,
    take({ name, value }, meaning) {
      const { type } = value
      const wrong = (what: string) =>
        meaning.problems.push(`${what}: ${JSON.stringify(value).slice(0, 300)}`)
      if (name !== type) wrong(`the event is called ${name}`)
      const number = Number(value.sequence_number)
      // The vendor's own error in the middle has the number that it likes.
      if (!(number > sequence)) wrong(`the number before was ${sequence}`)
      sequence = number
      if (type === 'response.created') hasCreated = true
      else if (!hasCreated && type !== 'error' && type !== 'response.failed')
        wrong('no response.created before')
      if (type === 'response.output_text.delta') meaning.text += String(value.delta)
      if (type === 'response.completed') meaning.ending = 'whole'
      if (type !== 'response.failed') return
      const { status, error } = asJson(value.response)
      const { code, message } = asJson(error)
      if (status !== 'failed' || typeof code !== 'string' || typeof message !== 'string')
        wrong('not failed as Responses fail')
      meaning.ending = 'failed'
      meaning.error = String(message)
    },
  }
}

/** One reader of each format; of the tail of a long stream the beginning is taken for granted. */
export const readers: Readonly<Record<WireFormat, (isTail: boolean) => StreamReader>> = {
  chat: readChat,
  messages: readMessages,
  'generate-content': readGoogle,
  responses: readResponses,
}
