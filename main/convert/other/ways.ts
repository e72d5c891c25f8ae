import type { CallFormat } from '../call-format.ts'
import { embeddingsWays } from './embeddings/ways.ts'
import { imageWays } from './images/google-ways.ts'
import { rerankWays } from './rerank/ways.ts'
import { googleSpeechWay } from './speech/google-speech.ts'
import { openaiSpeechWay } from './speech/openai-speech.ts'
import { transcriptionWays } from './transcriptions/google-ways.ts'
import type { Way } from './way.ts'

const ways: readonly Way[] = [
  ...embeddingsWays,
  ...rerankWays,
  ...imageWays,
  ...transcriptionWays,
  googleSpeechWay,
  openaiSpeechWay,
]

const byPair = new Map(ways.map((way) => [`${way.from} ${way.to}`, way]))

/** The way from one format to another; undefined where there is none. */
export const wayOf = (from: CallFormat, to: CallFormat): Way | undefined =>
  byPair.get(`${from} ${to}`)
