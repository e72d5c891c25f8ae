import type { Adaptor } from './adaptor.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { cohere } from './cohere.ts'
import { compatibleVendors } from './compatible-vendors.ts'
import { custom } from './custom.ts'
import { echo } from './echo.ts'
import { gemini } from './gemini.ts'
import { jina } from './jina.ts'
import { ollama } from './ollama.ts'
import { openAi } from './openai.ts'

const adaptors: readonly Adaptor[] = [
  openAi,
  azure,
  ollama,
  custom,
  anthropic,
  gemini,
  cohere,
  jina,
  ...compatibleVendors,
  echo,
]

const byType = new Map(adaptors.map((adaptor) => [adaptor.type, adaptor]))

/** The adaptor of a channel type; undefined for a type that is not supported. */
export const adaptorOf = (type: number): Adaptor | undefined => byType.get(type)

/** Every channel type that can be created, by number. */
export const channelTypes: readonly { type: number; name: string; defaultBaseUrl: string }[] =
  adaptors
    .map(({ type, name, defaultBaseUrl }) => ({ type, name, defaultBaseUrl }))
    .sort((one, other) => one.type - other.type)
