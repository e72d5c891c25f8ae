import type { Capture, CapturedBody } from './capture.ts'

/** Is the text in one of the call's bodies, as it is or as JSON writes it, case aside? */
export function containsText(
  { client, exchanges, frames }: Omit<Capture, 'source'>,
  text: string,
): boolean {
  const wanted = text.toLowerCase()
  const inJson = JSON.stringify(text).slice(1, -1).toLowerCase()
  const isIn = (bytes: Buffer) => {
    const told = bytes.toString('utf8').toLowerCase()
    return told.includes(wanted) || (inJson !== wanted && told.includes(inJson))
  }
  const has = (body: CapturedBody | undefined) =>
    body !== undefined && body.chunks.length > 0 && isIn(Buffer.concat(body.chunks))
  return (
    has(client.request.body) ||
    has(client.answer?.body) ||
    exchanges.some(({ request, answer }) => has(request.body) || has(answer?.body)) ||
    (frames ?? []).some(({ data }) => isIn(data))
  )
}
