import type { CallFormat } from '../call-format.ts'
import type { Way } from './bridge.ts'
import { embeddingsWays } from './embeddings/bridges.ts'
import { imageWays } from './images/google-bridges.ts'
import { rerankWays } from './rerank/bridges.ts'
import { googleSpeechWay } from './speech/google-speech.ts'
import { openaiSpeechWay } from './speech/openai-speech.ts'
import { transcriptionWays } from './transcriptions/google-bridges.ts'

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
