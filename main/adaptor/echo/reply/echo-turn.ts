import type { Json } from '../json-access.ts'

export interface EchoTool {
  name: string
  /** JSON Schema of its arguments. */
  schema: Json
}

/** Echo's view of a request, read from any of the four formats. */
export interface EchoTurn {
  /** The user's last words, with a word for everything that is not text. */
  text: string
  /** The result that the request ends with, when it ends with a tool's. */
  toolResult: string | null
  tools: EchoTool[]
  /** `{name}` forces one tool. */
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  /** In tokens. */
  maxTokens: number | null
  stop: string[]
  /** Was reasoning asked for? */
  thinking: boolean
  /** Schema of the JSON that is asked for; an empty one stands for any object; null is plain text. */
  json: Json | null
  /** Everything that was read, in tokens. */
  inputTokens: number
}
