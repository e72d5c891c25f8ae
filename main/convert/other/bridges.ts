import type { CallFormat } from '../call-format.ts'
import type { FormatBridge } from './bridge.ts'
import { embeddingsBridges } from './embeddings/bridges.ts'
import { imageBridges } from './images/google-bridges.ts'
import { rerankBridges } from './rerank/bridges.ts'
import { googleSpeechBridge } from './speech/google-speech.ts'
import { openaiSpeechBridge } from './speech/openai-speech.ts'
import { transcriptionBridges } from './transcriptions/google-bridges.ts'

const bridges: readonly FormatBridge[] = [
  ...embeddingsBridges,
  ...rerankBridges,
  ...imageBridges,
  ...transcriptionBridges,
  googleSpeechBridge,
  openaiSpeechBridge,
]

const byPair = new Map(bridges.map((bridge) => [`${bridge.from} ${bridge.to}`, bridge]))

/** The bridge from one format to another; undefined where there is none. */
export const bridgeOf = (from: CallFormat, to: CallFormat): FormatBridge | undefined =>
  byPair.get(`${from} ${to}`)
