import { chatCodec } from './chat/codec.ts'
import type { Codec } from './codec.ts'
import type { WireFormat } from './exchange.ts'
import { generateContentCodec } from './generate-content/codec.ts'
import { messagesCodec } from './messages/codec.ts'
import { responsesCodec } from './responses/codec.ts'

const codecs: Partial<Record<WireFormat, Codec>> = {
  chat: chatCodec,
  messages: messagesCodec,
  'generate-content': generateContentCodec,
  responses: responsesCodec,
}

/** The codec of a wire format; throws on one that is not served. */
export function codecOf(format: WireFormat): Codec {
  const codec = codecs[format]
  if (!codec) throw new Error(`no codec for ${format}`)
  return codec
}
