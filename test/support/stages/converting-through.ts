import { conversionOf } from '../../../main/convert/codecs.ts'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { ConvertingScanner } from '../../../main/relay/translate/converting-scanner.ts'
import { type Passage, pass } from '../strict/loops/through.ts'
import type { Json } from '../strict/requests/refusal.ts'

/** A small call of each format's client that asks for a stream with its usage. */
const calls: Readonly<Record<WireFormat, Json>> = {
  chat: {
    model: 'asked-for',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    stream_options: { include_usage: true },
  },
  messages: {
    model: 'asked-for',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
  },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'asked-for', input: 'Hi', stream: true, store: false },
}

/** That call of a client on its way to an upstream. */
export const smallCall = (client: WireFormat, upstream: WireFormat): Passage =>
  pass(client, upstream, calls[client])

/** Turns an upstream's stream into the client's as the relay does, from bytes to bytes. */
export class StreamPassage {
  readonly #client: WireFormat
  readonly #upstream: WireFormat
  readonly #passage: Passage

  constructor(client: WireFormat, upstream: WireFormat) {
    this.#client = client
    this.#upstream = upstream
    this.#passage = smallCall(client, upstream)
  }

  createScanner(): ConvertingScanner {
    return new ConvertingScanner({
      decoder: conversionOf(this.#upstream).createDecoder(),
      restore: (part) => this.#passage.shown(part),
      encoder: conversionOf(this.#client).createEncoder({
        id: 'call1234567890',
        model: 'asked-for',
        request: this.#passage.request,
        estimatedInput: 77,
        created: 1_790_000_000,
      }),
      estimateInput: () => 77,
      onPart: () => undefined,
    })
  }

  /** The client's text of a stream whose bytes come in these pieces. */
  text(pieces: Iterable<Buffer>): string {
    const scanner = this.createScanner()
    // Each push gives whole events, so its text may be put together as it is.
    let text = ''
    for (const piece of pieces) text += scanner.push(piece).toString()
    return text + scanner.flush().toString()
  }
}
