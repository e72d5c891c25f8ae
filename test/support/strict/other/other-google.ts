import type { Reply } from '../../upstreams/scripted-upstream.ts'
import { dataLine, type PlannedAnswer } from '../answers/answer.ts'
import { isObject, type Json, refuse } from '../requests/refusal.ts'
import { type EmbeddingsVendor, embedContentVendor, embeddingsVendors } from './check-embeddings.ts'
import { answerGoogleImage, checkGoogleImage } from './check-images.ts'
import { answerGoogleSpeech, checkGoogleSpeech, tone } from './check-speech.ts'
import { answerGoogleTranscript, checkGoogleTranscription } from './check-transcriptions.ts'
import type { OtherRequest, OtherTable } from './other-endpoint.ts'

/** The transcript of every recording by Gemini's models, in the pieces of a stream. */
export const GOOGLE_HEARD = ['Into the valley ', 'of Death.'] as const
/** The samples that Gemini's models speak, whatever the text. */
export const GOOGLE_SPOKEN = tone(6000)

const has = (list: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(list) && list.some(test)

/** Pictures, sound and transcripts are all asked for here; what is wanted shows in the body. */
function planned({ body, model }: OtherRequest): Pick<PlannedAnswer, 'whole' | 'chunks'> {
  const config = isObject(body.generationConfig) ? body.generationConfig : {}
  if (has(config.responseModalities, (one) => one === 'IMAGE')) {
    checkGoogleImage(body, model)
    const whole = answerGoogleImage()
    return { whole, chunks: [dataLine(whole)] }
  }
  if (has(config.responseModalities, (one) => one === 'AUDIO')) {
    checkGoogleSpeech(body, model)
    return answerGoogleSpeech(model, GOOGLE_SPOKEN)
  }
  const isHeard = has(body.contents, (turn) =>
    has((turn as Json).parts, (part) => isObject((part as Json).inlineData)),
  )
  if (!isHeard) refuse('contents', 'This endpoint draws, speaks and hears, but does not converse')
  checkGoogleTranscription(body)
  return answerGoogleTranscript(GOOGLE_HEARD)
}

const generate = (request: OtherRequest): Reply => {
  const { whole, chunks } = planned(request)
  return request.verb === 'streamGenerateContent' ? { chunks, pause: 1 } : { body: whole }
}

const embed = ({ check, answer }: EmbeddingsVendor) => ({
  takes: 'json' as const,
  answer: ({ body, model }: OtherRequest): Reply => {
    check(body, model)
    return { body: answer(body) }
  },
})

/** Endpoints of the Gemini API. */
export const googleEndpoints: OtherTable = {
  '/v1beta/models/{model}:generateContent': { takes: 'json', answer: generate },
  '/v1beta/models/{model}:streamGenerateContent': { takes: 'json', answer: generate },
  '/v1beta/models/{model}:embedContent': embed(embedContentVendor),
  '/v1beta/models/{model}:batchEmbedContents': embed(embeddingsVendors['batch-embed-contents']),
}
