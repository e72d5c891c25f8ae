import { parentPort } from 'node:worker_threads'
import { GatewayError } from '../../../base/errors.ts'
import { traitsOf } from '../../../convert/codecs.ts'
import { stringifyExact } from '../../../convert/json/exact-json.ts'
import { JsonFields } from '../../../convert/json/json-fields.ts'
import { cacheableBody } from '../../explicit-cache/cacheable-body.ts'
import { ReasoningMemory } from '../../memory/reasoning-memory.ts'
import { type AskedCall, translateRequest } from '../translate-request.ts'
import { detached } from './detached.ts'
import { echoedFields } from './echoed-fields.ts'
import type { Done, Job, JobResult, RequestDone, RequestJob } from './job.ts'
import { translateAnswer } from './translate-answer.ts'

function translate({ id, bytes, call, to, channel, owner, reasoning }: RequestJob): RequestDone {
  const body = new JsonFields(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const asked: AskedCall = { ...call, body }
  const memory = new ReasoningMemory()
  memory.adopt(reasoning)
  const request = translateRequest(asked, to, {
    resume: (one) => one,
    restore: (one) => memory.restore(owner, one),
  })
  const { loss, sent, missing } = request
  const isMissing = missing.length > 0
  const place = { channel, upstreamModel: to.model }
  const { body: made, plan } = isMissing
    ? { body: null, plan: null }
    : cacheableBody(call, to.format, request, place)
  const isKept = traitsOf(call.format).keepsAnswers && sent.store !== false
  return {
    kind: 'request',
    id,
    body: made && detached(made),
    plan,
    losses: { entries: loss.entries, uncounted: loss.uncounted },
    asked: isMissing ? '' : stringifyExact(echoedFields(request.asked, call.format)),
    turns: isKept && !isMissing ? stringifyExact(sent.turns) : '',
    store: sent.store,
    renamed: request.tools.renamed,
    callIds: request.callIds,
    estimatedInput: request.estimatedInput,
  }
}

function failureOf(error: unknown): Extract<JobResult, { failure: unknown }>['failure'] {
  if (!(error instanceof GatewayError)) {
    return { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  const { code, message, reason, field, status, retryAfter, shouldRetry, vendorCode } = error
  return {
    code,
    message,
    status,
    ...(reason && { reason }),
    ...(field === undefined ? {} : { field }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(shouldRetry === undefined ? {} : { shouldRetry }),
    ...(vendorCode === undefined ? {} : { vendorCode }),
  }
}

parentPort?.on('message', (job: Job) => {
  try {
    const done: Done = job.kind === 'answer' ? translateAnswer(job) : translate(job)
    parentPort?.postMessage(done, done.body ? [done.body.buffer] : [])
  } catch (error) {
    parentPort?.postMessage({ id: job.id, failure: failureOf(error) } satisfies JobResult)
  }
})
