import { type CallFormat, wireFormats } from './call-format.ts'
import { chatCodec } from './chat/codec.ts'
import type { Codec } from './codec.ts'
import type { ClientConversion, Conversion } from './conversion.ts'
import type { WireFormat } from './exchange.ts'
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

const codecs: Partial<Record<CallFormat, Codec>> = {}

const isWhole = (conversion: ClientConversion): conversion is Conversion =>
  'createDecoder' in conversion

/** Makes a format one that clients call in, and with a whole conversion one that upstreams are called in. */
export function registerCodec(codec: Codec): void {
  codecs[codec.format] = codec
  if (codec.conversion && isWhole(codec.conversion)) wireFormats.add(codec.conversion.format)
}

for (const codec of [
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
])
  registerCodec(codec)

/** Can a conversation in it be converted to the other wire formats? */
export const isWireFormat = (format: CallFormat): format is WireFormat =>
  wireFormats.has(format as WireFormat)

/** The format whose calls, or whose failures, belong to this path. */
export function formatAtPath(path: string): WireFormat | null {
  for (const format of wireFormats) {
    const own = codecs[format]?.path
    if (own !== undefined && path.startsWith(own)) return format
  }
  return null
}

/** Optional members of a format's codec; none for a format in which nobody calls over HTTP. */
export const traitsOf = (format: CallFormat): Partial<Codec> => codecs[format] ?? NO_TRAITS

const NO_TRAITS: Partial<Codec> = {}

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

/** The same with the upstream's half; throws on a format to which no call is converted. */
export function conversionOf(format: CallFormat): Conversion {
  const conversion = clientConversionOf(format)
  if (!isWhole(conversion)) throw new Error(`no call is converted to ${format}`)
  return conversion
}
