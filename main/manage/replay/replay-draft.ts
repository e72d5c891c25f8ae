import { z } from 'zod'
import { jsonOf } from '../../inspect/body/body-content.ts'
import { prettyJson } from '../../inspect/formats/pretty-json.ts'
import { captureId } from '../captures/own-capture.ts'
import { defineOperation } from '../operation/operation.ts'
import { replaySource, wholeBody } from './replay-source.ts'
import { replayedHeaders } from './replayed-headers.ts'
import { replayedPath } from './replayed-path.ts'

const asIs = { model: undefined, stream: undefined }

const replayDraft = z.strictObject({
  format: z.string().describe('The client’s wire format.'),
  path: z.string(),
  model: z.string(),
  stream: z.boolean(),
  headers: z
    .array(z.tuple([z.string(), z.string()]))
    .describe('Headers of the original that go along; never a key.'),
  body: z.string().describe('JSON over several lines; as it was sent where it is none.'),
})

/** A captured call, ready to be changed and sent again. */
export const draft = defineOperation({
  name: 'replay.draft',
  summary: 'Reads what a replay of a captured call sends, or says why it can’t be replayed.',
  access: 'user',
  proof: 'session',
  http: { method: 'GET', path: '/api/replays/draft/:capture' },
  input: z.object({ capture: captureId.describe('Request id of the captured call.') }),
  output: replayDraft,
  run({ capture: id }, context): z.infer<typeof replayDraft> {
    const source = replaySource(id, context)
    const { url, headers, body: kept } = source.capture.client.request
    const text = wholeBody(source).toString()
    const value = jsonOf(kept)
    const { path, model, streams } = replayedPath(url, asIs)
    const isObject = typeof value === 'object' && value !== null
    return {
      format: source.format,
      path,
      model: model ?? source.capture.model,
      stream: streams || (isObject && (value as { stream?: unknown }).stream === true),
      headers: Object.entries(replayedHeaders(headers)),
      body: value === undefined ? text : prettyJson(text.replace(/^\ufeff/, '')),
    }
  },
})
