import type { Translators } from '../../../main/relay/translate/threads/translators.ts'
import type { Pair } from './pair.ts'

/** With no thread at hand the gateway translates all itself. */
export async function withoutThreads<Value>(
  { gateway: { parts } }: Pair,
  run: () => Promise<Value>,
): Promise<Value> {
  const { translators } = parts
  const none: Pick<Translators, 'translate' | 'translateAnswer' | 'close'> = {
    translate: async () => null,
    translateAnswer: async () => null,
    close() {},
  }
  parts.translators = none as Translators
  try {
    return await run()
  } finally {
    parts.translators = translators
  }
}

/** The text without the marks in which two answers to the same call differ. */
export const unmarked = (text: string): string =>
  text
    .replace(/[0-9]{14}[0-9a-f]+/g, '<id>')
    .replace(/"created(_at)?":\d+/g, '"created":0')
    .replace(/"completed_at":\d+/g, '"completed_at":0')
