import type { CallFormat } from './call-format.ts'
import { chatCodec } from './chat/codec.ts'
import type { Codec } from './codec.ts'
import type { ClientConversion, Conversion } from './conversion.ts'
import { generateContentCodec } from './generate-content/codec.ts'
import { messagesCodec } from './messages/codec.ts'
import { compactCodec } from './other/compact/codec.ts'
import { completionsCodec } from './other/completions/codec.ts'
import {
  batchEmbedContentsCodec,
  embedContentCodec,
  embeddingsCodec,
} from './other/embeddings/codecs.ts'
import { imageEditsCodec, imagesCodec, imageVariationsCodec } from './other/images/codecs.ts'
import { cohereRerankCodec, rerankCodec } from './other/rerank/codecs.ts'
import { speechCodec } from './other/speech/codec.ts'
import { transcriptionsCodec, translationsCodec } from './other/transcriptions/codecs.ts'
import { responsesCodec } from './responses/codec.ts'

const codecs: Partial<Record<CallFormat, Codec>> = Object.fromEntries(
  [
    chatCodec,
    messagesCodec,
    generateContentCodec,
    responsesCodec,
    completionsCodec,
    compactCodec,
    embeddingsCodec,
    embedContentCodec,
    batchEmbedContentsCodec,
    imagesCodec,
    imageEditsCodec,
    imageVariationsCodec,
    transcriptionsCodec,
    translationsCodec,
    speechCodec,
    rerankCodec,
    cohereRerankCodec,
  ].map((codec) => [codec.format, codec]),
)

/** The codec of a wire format; throws on one in which nobody calls. */
export function codecOf(format: CallFormat): Codec {
  const codec = codecs[format]
  if (!codec) throw new Error(`no codec for ${format}`)
  return codec
}

/** The way of clients from and to other formats; throws on a format in which no conversation is held. */
export function clientConversionOf(format: CallFormat): ClientConversion {
  const { conversion } = codecOf(format)
  if (!conversion) throw new Error(`no conversation is held in ${format}`)
  return conversion
}

const isWhole = (conversion: ClientConversion): conversion is Conversion =>
  'createDecoder' in conversion

/** The same with the upstream's half; throws on a format to which no call is converted. */
export function conversionOf(format: CallFormat): Conversion {
  const conversion = clientConversionOf(format)
  if (!isWhole(conversion)) throw new Error(`no call is converted to ${format}`)
  return conversion
}
