import type { EndpointType } from '../../adaptor/adaptor.ts'
import { modelName } from '../../convert/model/model-name.ts'

/** A use of a model for a person. */
export type Capability =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'speech'
  | 'transcription'
  | 'rerank'
  | 'realtime'

const CONVERSATION: readonly Capability[] = ['chat', 'completions']

/** The uses of an endpoint type. */
const servedBy: Readonly<Record<EndpointType, readonly Capability[]>> = {
  openai: CONVERSATION,
  'openai-response': CONVERSATION,
  anthropic: CONVERSATION,
  gemini: CONVERSATION,
  embeddings: ['embeddings'],
  'image-generation': ['images'],
  'jina-rerank': ['rerank'],
  audio: ['speech', 'transcription'],
  realtime: ['realtime'],
}

/**
 * Kinds of models by what their names say; the first that matches counts. What no name gives away is a
 * model of conversations, for that is what most are.
 */
const kinds: readonly [RegExp, readonly Capability[]][] = [
  // Echo answers everything.
  [
    /^echo(-mini)?$/,
    [...CONVERSATION, 'embeddings', 'images', 'speech', 'transcription', 'rerank', 'realtime'],
  ],
  [/realtime|(^|-)live(-|$)|native-audio/, ['realtime']],
  // Films, songs and verdicts have no endpoint here.
  [
    /(^|-)(sora|veo|kling|hailuo|seedance|lyria|suno)(-|\d|$)|[ti]2v|(imagine|hunyuan|ltx)-?video|cogvideo|moderation/,
    [],
  ],
  [/rerank|ms-marco/, ['rerank']],
  [
    /embed|(^|-)(bge|e5|gte|gtr)(-|$)|^voyage-|minilm|^(jina-clip|jina-colbert|nomic|mxbai|paraphrase)/,
    ['embeddings'],
  ],
  [/whisper|transcri|asr(?![a-z])|sensevoice|paraformer|parakeet/, ['transcription']],
  [/tts|text-to-speech|cosyvoice|fish-speech|^speech-|kokoro|orpheus/, ['speech']],
  [/^(gemini|gpt-\d).*image|nano-banana/, ['images', ...CONVERSATION]],
  [
    /^dall-e|(^|-)image|^imagen|(^|-)flux(-|\.|\d|$)|stable-diffusion|(^|-)sd(xl|3)|seedream|kolors|hidream|recraft|ideogram/,
    ['images'],
  ],
  [/^(gpt-3\.5-turbo-instruct|(text-)?(davinci|babbage|curie|ada)(-|$))/, ['completions']],
  // Gemini listens: transcripts are asked of it in a conversation.
  [/^gemini-/, [...CONVERSATION, 'transcription']],
]

/**
 * The uses of a model: those that its channels serve and its names do not rule out. The first
 * name that says anything counts, so the upstream's comes before the one that is mapped to it.
 */
export function capabilitiesOf(
  names: readonly string[],
  endpointTypes: readonly EndpointType[],
): Capability[] {
  const spelled = names.map(modelName)
  const found = spelled.map((name) => kinds.find(([pattern]) => pattern.test(name))?.[1])
  const kind = found.find((one) => one !== undefined) ?? CONVERSATION
  const served = new Set(endpointTypes.flatMap((type) => servedBy[type]))
  return kind.filter((capability) => served.has(capability))
}
