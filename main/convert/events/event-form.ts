import type { Usage } from '../exchange.ts'
import type { AnswerEnding } from './answer-ends.ts'
import type { VendorError } from './stream-scanner.ts'

/** Marks of a format's event stream. Needles are looked for in raw bytes. */
export interface EventForm {
  /** Stands in every event that may carry usage, e.g. `"usage"`. */
  usageNeedle: string
  /** Stands in the line that ends an answer, e.g. `[DONE]`; null where the format has none. */
  terminalNeedle: string | null
  /** Is this line, which contains the needle, really the terminal one? */
  isTerminalLine(line: string): boolean
  /** End of a stream in which no terminal line came; null where none is needed. */
  answerEnding: AnswerEnding | null
  /** Usage of an event, or null. */
  readUsage(event: unknown): Partial<Usage> | null
  /** Is this event nothing but usage, which a client that did not ask must not see? */
  isUsageOnly(event: unknown): boolean
  /** The event's error, or null. */
  readError(event: unknown): VendorError | null
  /** Text, reasoning and tool arguments that the event adds. */
  readText(event: unknown): string
  /** Key whose string value is the model's name, e.g. `"model"`. */
  modelKey: string
  /** A line under another model's name, where the first such key is not always the model's. */
  renameLine?(line: string, model: string): string
}
