import type { BridgeRequest } from '../../convert/other/bridge.ts'
import type { Call } from '../call/call.ts'

type Source = NonNullable<Call['form']> | Call['body']

/** By what the client sent, which the targets of a route share under different models. */
const requests = new WeakMap<Source, Promise<BridgeRequest>>()

/** Text fields as the body of a JSON call would hold them: a list only where there are several. */
function bodyOf(fields: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      values.length > 1 || name.endsWith('[]') ? values : values[0],
    ]),
  )
}

async function readRequest(call: Call): Promise<BridgeRequest> {
  const { format, model, form, stream, asArray } = call
  if (!form) return { format, model, stream, asArray, body: call.body.parse(), files: [] }
  // While its client is still sending nobody else hears of the call's end.
  call.cancellation.listen(() => void form.close())
  const { fields, files } = await form.whole()
  const read = files.map(async (file) => {
    const { field, filename, contentType } = file
    return { field, filename, contentType, bytes: await file.bytes() }
  })
  const body = bodyOf(fields)
  return {
    format,
    model,
    stream: /^true$/i.test(String(body.stream)),
    asArray,
    body,
    files: await Promise.all(read),
  }
}

/** A call that is no conversation as a whole, its files included; read once, however many channels are tried. */
export async function bridgeRequest(call: Call): Promise<BridgeRequest> {
  const source = call.form ?? call.body
  const request = requests.get(source) ?? readRequest(call)
  requests.set(source, request)
  return { ...(await request), model: call.model }
}
