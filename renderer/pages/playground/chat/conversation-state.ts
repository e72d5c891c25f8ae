import type { AnswerFailure } from '../run/answer-failure.ts'

export interface Turn {
  id: number
  role: 'user' | 'assistant'
  text: string
  reasoning: string
  state: 'done' | 'streaming' | 'stopped' | 'failed'
  failure: AnswerFailure | null
  model: string
  usage: { input: number; output: number } | null
  /** Milliseconds; null while unknown. */
  firstToken: number | null
  duration: number | null
}

export interface ChatSettings {
  model: string | null
  system: string
  /** Empty fields are not sent. */
  temperature: number | ''
  maxTokens: number | ''
}

export interface ConversationState {
  turns: readonly Turn[]
  settings: ChatSettings
  /** The message being typed. */
  draft: string
}
