import { ownValue } from '../../base/own-value.ts'
import type { Stop, StopReason } from '../exchange-response.ts'

/**
 * Words for the end of an answer that vendors carry from one format into another, or from their own server (TGI,
 * Cohere, Google, Bedrock); lower case, `_` between words.
 */
const words: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  end: 'end',
  end_turn: 'end',
  eos: 'end',
  eos_token: 'end',
  done: 'end',
  complete: 'end',
  completed: 'end',
  finished: 'end',
  success: 'end',
  succeeded: 'end',
  stop_sequence: 'stop-sequence',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'context-window',
  model_context_window_exceeded: 'context-window',
  tool_call: 'tool-calls',
  tool_calls: 'tool-calls',
  tool_use: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
  safety: 'content-filter',
  refusal: 'refusal',
}

/** Meaning of a word that the format itself does not have; undefined where nobody knows. */
export function stopOfWord(word: string): StopReason | undefined {
  const plain = word.toLowerCase().replaceAll('-', '_')
  return ownValue(words, plain)
}

/** The answer, or the rest of it, was kept back. */
export const isWithheld = ({ reason }: Stop): boolean =>
  reason === 'refusal' || reason === 'content-filter'
