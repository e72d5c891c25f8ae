import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { BASE64, isBase64 } from '../../base/text/is-base64.ts'
import { codecOf } from '../../convert/codecs.ts'
import type { Answer, AnswerSink } from '../../relay/call/answer.ts'
import { relay } from '../../relay/relay.ts'
import { FormBody } from '../../upstream/form/form-data.ts'
import { callOf } from '../channels/maintenance/call-of.ts'
import { defineStream } from '../operation/operation.ts'
import { refuseAccessTokens } from './playground-call.ts'

/** The answer as it is; `done` is called once all of it was handed out, or it broke off or was given up. */
function whenGone(answer: Answer, done: () => void): Answer {
  const { body } = answer
  if (Buffer.isBuffer(body)) {
    done()
    return answer
  }
  const watched = (sink: AnswerSink): AnswerSink => ({
    write: (chunk) => sink.write(chunk),
    onDrain: (listener) => sink.onDrain(listener),
    end() {
      done()
      sink.end()
    },
    fail() {
      done()
      sink.fail()
    },
  })
  return {
    ...answer,
    body: {
      pipeTo: (sink) => body.pipeTo(watched(sink)),
      cancel() {
        done()
        body.cancel()
      },
    },
  }
}

const PATH = '/pg/audio/transcriptions'
/** Base64 makes four bytes of three: this is a file of 30 MiB less its few fields. */
const BODY_LIMIT = 40 * 1024 * 1024

/** A JSON field as a form's; a list is repeated. Null and what is absent are not sent. */
function textOf(name: string, value: unknown): string | readonly string[] {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new GatewayError('invalid_params', {
    message: `The field "${name}" must be text, a number, true, false, or a list of texts: a form has no other values.`,
    field: name,
    reason: { code: 'field_of_form' },
  })
}

function fieldsOf(json: Record<string, unknown>): Record<string, string | readonly string[]> {
  const sent = Object.entries(json).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(sent.map(([name, value]) => [name, textOf(name, value)]))
}

/**
 * A transcription of a file that the page sends as JSON with base64, because a form could be sent by any
 * other site's page too; the gateway makes the form that the public endpoint takes.
 */
export const transcriptions = defineStream({
  name: 'playground.transcriptions',
  summary: 'Transcribes a sound file, which is sent as base64.',
  access: 'user',
  http: { method: 'POST', path: PATH },
  bodyLimit: BODY_LIMIT,
  input: z.looseObject({
    model: z.string().min(1, fieldProblems.field_missing),
    file: z.strictObject({
      name: z.string().min(1, fieldProblems.field_missing).max(255),
      type: z.string().max(255),
      data: z
        .string()
        .min(1, fieldProblems.field_empty)
        .max(BODY_LIMIT)
        .refine(isBase64, fieldProblems.field_base64)
        .meta({ pattern: BASE64 }),
    }),
    stream: z.boolean().optional(),
    group: z.string().optional(),
  }),
  before: refuseAccessTokens(PATH),
  async run({ group, file, ...json }, context) {
    const fields = fieldsOf(json)
    const lists = Object.entries(fields).map(([name, text]) => [name, [text].flat()])
    const codec = codecOf('transcriptions')
    for (const name of Object.keys(fields)) codec.guard.checkName(name)
    codec.form?.check(Object.fromEntries(lists))
    const form = FormBody.of(fields, [
      {
        field: 'file',
        filename: file.name,
        contentType: file.type || 'application/octet-stream',
        bytes: Buffer.from(file.data, 'base64'),
      },
    ])
    const call = callOf(
      {
        format: 'transcriptions',
        origin: 'playground',
        path: PATH,
        model: json.model,
        stream: json.stream === true,
        json: {},
        form,
        group: group || null,
      },
      context,
      context.parts.captures,
    )
    const close = () => void form.close()
    try {
      return whenGone(await relay(call, context.parts), close)
    } catch (error) {
      close()
      throw error
    }
  },
})
