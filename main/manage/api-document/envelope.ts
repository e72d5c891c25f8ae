import { z } from 'zod'
import { failureCodes } from '../channels/maintenance/failure.ts'
import type { Operation } from '../operation/operation.ts'

type Answering = Pick<Operation, 'output' | 'beside'>

/** Does the answer say anything beyond that it worked? */
const hasData = (output: z.ZodType | undefined): output is z.ZodType =>
  output !== undefined && !(output instanceof z.ZodUndefined)

/** The whole body of a success: the envelope, the data, and what stands beside it. */
export const successEnvelope = ({ output, beside }: Answering): z.ZodObject =>
  z.strictObject({
    success: z.literal(true),
    message: z.string().describe('A notice; mostly empty.'),
    ...(hasData(output) ? { data: output } : {}),
    ...beside?.shape,
  })

const failureFields = {
  success: z.literal(false),
  message: z.string().min(1).describe('What is wrong and what to do, for a person.'),
  code: z.enum(failureCodes as [string, ...string[]]).describe('Stable, for programs.'),
  field: z.string().optional().describe('Path of the field at fault.'),
  reason: z
    .looseObject({ code: z.string() })
    .optional()
    .describe('The message by code, with the values in it; some failures have none.'),
  request_id: z.string().describe('By which the log finds the request.'),
}

/** The whole body of a failure; some say beside it what the success would, such as the time it took. */
export const failureEnvelope = ({
  beside,
  failureData,
}: Pick<Operation, 'beside' | 'failureData'> = {}): z.ZodObject =>
  z.strictObject({
    ...failureFields,
    ...beside?.partial().shape,
    ...(failureData ? { data: failureData.optional() } : {}),
  })

/** A failure as the document shows it once for all operations. */
export const anyFailure = z.looseObject(failureFields).meta({ id: 'Failure' })

/** Each failure status in a few words. */
export const failureStatuses: Readonly<Record<number, string>> = {
  400: 'The input is wrong: `field` names the place, `message` what it should be.',
  401: 'Not signed in, or the name, the password or the access token is wrong.',
  403: 'Not allowed: by the role, the missing step-up, the `Host` or the `Origin`.',
  404: 'There is no such record, or it belongs to somebody else.',
  409: 'The record is not in a state in which this could be done.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  423: 'Locked after too many wrong codes or passwords: `Retry-After` says for how many seconds.',
  429: 'Too many requests, or failed logins: `Retry-After` says in how many seconds to try again.',
  500: 'Something went wrong inside the gateway; its log has the reason.',
  502: 'The vendor or the payment provider failed.',
  503: 'The gateway cannot do its work at present.',
  507: 'What was to be kept could not be written.',
}

/** Answered only to what brings a body. */
const ofBodies = new Set([413, 415])

/** Answered only where codes, or passwords beside them, can be guessed at. */
const LOCKED = 423

/** The statuses that an operation can fail with. */
export const statusesOf = ({
  http: { method },
  guesses,
}: Pick<Operation, 'http' | 'guesses'>): number[] =>
  Object.keys(failureStatuses)
    .map(Number)
    .filter((status) => !ofBodies.has(status) || method === 'POST' || method === 'PUT')
    .filter((status) => status !== LOCKED || (guesses && guesses !== 'login-password'))
