import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'

/** A body that came in chunks of so many bytes. */
function bodyOf(text: string, chunk: number): CapturedBody {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
  return { chunks, times: chunks.map(() => 0), size: bytes.length }
}

/** Capture of a passthrough call with this request text and answer text. */
export function captureOf(id: string, sent: string, got: string, chunk = 7): Capture {
  const request = {
    ...{ at: 0, method: 'POST', url: '/v1/messages', headers: [], files: [] },
    body: bodyOf(sent, chunk),
  }
  const answer = {
    ...{ at: 1, status: 200, headers: [], endedAt: 2, isCut: false },
    body: bodyOf(got, chunk),
  }
  const exchange = {
    ...{ channelId: 1, channelName: 'c', model: 'm', format: 'messages', connectedAt: 0 },
    ...{ request, answer, failure: null },
  }
  return {
    ...{ id, receivedAt: Date.now(), userId: 1, tokenId: 1, format: 'messages', model: 'm' },
    ...{ client: { request, answer }, exchanges: [exchange], source: 'disk' },
  } as Capture
}
