// The vendors of a soak, in a process of their own: they do what the plan says of each call, and count.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from '../faults/fault.ts'
import { goodAnswer, typeOf } from '../faults/good-answer.ts'
import { beginChunked, chunk, JSON_TYPE, lastChunk, sendWhole } from '../faults/raw-answer.ts'
import { type RawExchange, startRawUpstream } from '../faults/raw-upstream.ts'
import { vendorAnswer } from '../faults/vendor-answer.ts'
import { faultOf, SOAK_MODEL, type UpstreamName, upstreamFormats, usageOf } from './call-plan.ts'

/** One attempt as its upstream counted it. */
export interface CountedAttempt {
  call: number
  upstream: UpstreamName
  fault: string | null
  input: number
  output: number
  /** The answer went out to its last byte, over a connection that was still there. */
  isDelivered: boolean
}

const attempts: CountedAttempt[] = []

/** The same exchange, whose answer names the attempt that it is of. */
function naming(exchange: RawExchange, id: string): RawExchange {
  let hasHead = false
  return {
    ...exchange,
    write(bytes) {
      if (hasHead || !bytes.toString('latin1').startsWith('HTTP/1.1 ')) return exchange.write(bytes)
      hasHead = true
      return exchange.write(bytes.toString().replace('\r\n', `\r\nx-request-id: ${id}\r\n`))
    },
  }
}

/** A stream whose events come one by one, as models write them. */
async function streamSlowly(exchange: RawExchange, scene: Scene): Promise<void> {
  await beginChunked(exchange, typeOf(scene), [])
  for (const [index, event] of scene.answer.events.entries()) {
    if (index % 4 === 3) await sleep(2)
    if (!(await exchange.write(chunk(event)))) return
  }
  await exchange.write(lastChunk)
  exchange.done()
}

async function answer(exchange: RawExchange, name: UpstreamName): Promise<void> {
  const body = exchange.body.toString()
  const call = Number(/Call (\d+)\./.exec(body)?.[1])
  const stream = body.includes('"stream":true') || exchange.url.includes('streamGenerateContent')
  const format = upstreamFormats[name]
  const { input, output } = usageOf(call, name)
  const asArray = stream && format === 'generate-content' && !exchange.url.includes('alt=sse')
  const scene: Scene = {
    ...{ client: format, upstream: format, stream, asArray },
    answer: vendorAnswer(format, SOAK_MODEL, input, output, asArray),
    // Long enough for most; what is looked at together with the beginning is retried instead.
    hasBegun: () => sleep(60),
  }
  const fault = faultOf(call, name, stream)
  const counted: CountedAttempt = {
    ...{ call, upstream: name, fault: fault?.name ?? null, input, output },
    isDelivered: false,
  }
  attempts.push(counted)
  const named = naming(exchange, `${call}-${name}-${attempts.length}`)
  if (fault) return fault.play(named, scene)
  await (stream ? streamSlowly(named, scene) : goodAnswer(named, scene))
  counted.isDelivered = !exchange.socket.destroyed
}

const upstream = await startRawUpstream((exchange) => {
  const [, name] = exchange.url.split('/')
  if (name === 'report') return sendWhole(exchange, 200, JSON_TYPE, JSON.stringify(attempts))
  return answer(exchange, name as UpstreamName)
})
process.stdout.write(`The vendors are at ${upstream.url}\n`)
