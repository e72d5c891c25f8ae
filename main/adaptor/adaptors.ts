import type { Adaptor } from './adaptor.ts'
import { anthropic } from './vendor/anthropic.ts'
import { azure } from './vendor/azure.ts'
import { cohere } from './vendor/cohere.ts'
import { compatibleVendors } from './vendor/compatible-vendors.ts'
import { custom } from './vendor/custom.ts'
import { echo } from './vendor/echo.ts'
import { gemini } from './vendor/gemini.ts'
import { jina } from './vendor/jina.ts'
import { ollama } from './vendor/ollama.ts'
import { openAi } from './vendor/openai.ts'

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
