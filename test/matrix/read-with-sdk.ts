import type { WireFormat } from '../../main/convert/exchange.ts'
import { vendorClients } from '../support/clients/vendor-clients.ts'

/** Where an SDK calls, and what it asks for. */
export interface SdkCall {
  url: string
  key: string
  client: WireFormat
  model: string
  stream: boolean
}

const QUESTION = 'Hi'

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

/** Makes the call with the official SDK of the client's format and reads its answer to the end; throws as it does. */
export async function readWithSdk({ url, key, client, model, stream }: SdkCall): Promise<void> {
  const { openai, anthropic, google } = vendorClients({ url, key })
  const messages = [{ role: 'user' as const, content: QUESTION }]
  if (client === 'chat') {
    if (!stream) await openai.chat.completions.create({ model, messages })
    // Not by `stream()`, which knows function calls only: OpenAI's custom tools fail in it.
    else await drain(await openai.chat.completions.create({ model, messages, stream: true }))
  } else if (client === 'messages') {
    const params = { model, messages, max_tokens: 500 }
    if (!stream) await anthropic.messages.create(params)
    else await anthropic.messages.stream(params).finalMessage()
  } else if (client === 'responses') {
    const params = { model, input: QUESTION, store: false }
    if (!stream) await openai.responses.create(params)
    else await openai.responses.stream(params).finalResponse()
  } else if (!stream) await google.models.generateContent({ model, contents: QUESTION })
  else await drain(await google.models.generateContentStream({ model, contents: QUESTION }))
}
