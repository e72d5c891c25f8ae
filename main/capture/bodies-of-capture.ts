import type { Capture, CapturedBody } from './capture.ts'

/** All bodies that are searched, each whole. */
export function bodiesOfCapture({ client, exchanges, frames }: Omit<Capture, 'source'>): Buffer[] {
  const messages = [client, ...exchanges].flatMap(({ request, answer }) => [request, answer])
  const bodies = messages.flatMap((message) => wholeOf(message?.body))
  return [...bodies, ...(frames ?? []).map(({ data }) => data)]
}

const wholeOf = (body: CapturedBody | undefined): Buffer[] =>
  body && body.chunks.length > 0 ? [Buffer.concat(body.chunks)] : []
