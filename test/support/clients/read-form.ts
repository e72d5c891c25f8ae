import type { BridgeFile } from '../../../main/convert/other/bridge.ts'
import type { RecordedRequest } from '../upstreams/scripted-upstream.ts'

/** The text fields and files of a form, as its client sent them. */
export async function readForm(
  request: Pick<RecordedRequest, 'headers' | 'body'>,
): Promise<{ fields: Record<string, string[]>; files: BridgeFile[] }> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(request.body), { headers }).formData()
  const fields: Record<string, string[]> = {}
  const files: BridgeFile[] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') {
      fields[field] = [...(fields[field] ?? []), value]
      continue
    }
    const bytes = Buffer.from(await value.arrayBuffer())
    files.push({ field, filename: value.name, contentType: value.type, bytes })
  }
  return { fields, files }
}
