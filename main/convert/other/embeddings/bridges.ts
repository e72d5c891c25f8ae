import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { Loss } from '../../loss.ts'
import type { BridgeAnswer, FormatBridge } from '../bridge.ts'
import { ownFields } from '../own-fields.ts'
import { invalidAnswer, parseAnswer } from '../parse-answer.ts'
import { sumUsage } from '../sum-usage.ts'
import { batchesOf } from './batches.ts'
import { cohereUpstream } from './cohere-upstream.ts'
import { embeddingsClient } from './embeddings-client.ts'
import type {
  EmbeddingInput,
  EmbeddingsClient,
  EmbeddingsRequest,
  EmbeddingsUpstream,
} from './exchange.ts'
import { batchEmbedContentsClient, embedContentClient } from './gemini-clients.ts'
import { geminiUpstream } from './gemini-upstream.ts'
import { jinaUpstream } from './jina-upstream.ts'
import { ollamaUpstream } from './ollama-upstream.ts'
import { openaiUpstream } from './openai-upstream.ts'
import { readVector } from './vector.ts'

/** One batch's vectors in its order. Throws `upstream_invalid` where they are not what was asked for. */
function vectorsOf(found: readonly unknown[], batch: readonly EmbeddingInput[]): number[][] {
  if (found.length !== batch.length) {
    invalidAnswer({
      ...{ code: 'answer_embeddings_other_count', count: found.length },
      inputs: batch.length,
    })
  }
  const vectors = found.map(readVector)
  const { dimensions } = batch[0] ?? {}
  const wrong = dimensions && vectors.find(({ length }) => length !== dimensions.value)
  // Old models and servers pass over a length that they do not know.
  if (wrong) {
    invalidAnswer({
      ...{ code: 'answer_embeddings_other_length', length: wrong.length },
      ...{ field: dimensions.at, wanted: dimensions.value },
    })
  }
  return vectors
}

/** Tokens of what was embedded, for a client whose answer has to tell and a vendor that does not. */
function estimatedTokens({ inputs }: EmbeddingsRequest, loss: Loss): number {
  loss.approximate('usage', 'usage_untold')
  return inputs.reduce((sum, { text }) => sum + estimateTokens(text ?? ''), 0)
}

const wayBetween = (client: EmbeddingsClient, upstream: EmbeddingsUpstream): FormatBridge => ({
  from: client.format,
  to: upstream.format,
  encode({ body }, target) {
    const asked = client.decode(body, target.loss)
    const own = ownFields(asked.fields, upstream.ownFields, target.loss)
    const batches = batchesOf(asked.inputs, upstream)
    const { wholeField } = upstream
    if (batches.length > 1 && wholeField !== undefined && own[wholeField] === true) {
      target.loss.refuse(wholeField, {
        code: 'inputs_at_most',
        most: upstream.limit,
        count: asked.inputs.length,
      })
    }
    return batches.map((batch) => upstream.encode(batch, own, target))
  },
  decode(answers, { body, model }, { loss }): BridgeAnswer {
    const asked = client.decode(body, loss)
    const batches = batchesOf(asked.inputs, upstream)
    const found = answers.map((answer) => upstream.decode(parseAnswer(answer)))
    const vectors = batches.flatMap((batch, index) => vectorsOf(found[index]?.vectors ?? [], batch))
    const usage = sumUsage(found.map((one) => one.usage))
    const tokens = usage ? usage.input : estimatedTokens(asked, loss)
    return {
      body: Buffer.from(JSON.stringify(client.encode(vectors, tokens, asked, model))),
      contentType: 'application/json; charset=utf-8',
      usage,
    }
  },
})

const geminiClients = [embedContentClient, batchEmbedContentsClient]
const otherUpstreams = [cohereUpstream, jinaUpstream, ollamaUpstream]

/** From OpenAI's embeddings to other vendors' own, and from Gemini's to OpenAI's and those. */
export const embeddingsBridges: readonly FormatBridge[] = [
  ...[geminiUpstream, ...otherUpstreams].map((upstream) => wayBetween(embeddingsClient, upstream)),
  ...geminiClients.flatMap((client) =>
    [openaiUpstream, ...otherUpstreams].map((upstream) => wayBetween(client, upstream)),
  ),
]
