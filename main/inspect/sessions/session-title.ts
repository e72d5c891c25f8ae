import { cutText } from '../body/cut-text.ts'
import type { ReadingPart } from '../reading/reading-part.ts'

const TITLE_CHARACTERS = 120

/** Blocks that agents add to what a person said: `<system-reminder>`, `<environment_context>`, `<session_context>`, … */
const BLOCK = /<([A-Za-z]+(?:[-_ ][A-Za-z]+)+|INSTRUCTIONS)(?: [^>]*)?>[\s\S]*?<\/\1>/g

const isInstructions = (text: string): boolean => /^# AGENTS\.md instructions/i.test(text.trim())

/** A text without what its agent added. */
export const withoutBlocks = (text: string): string =>
  isInstructions(text) ? '' : text.replace(BLOCK, '').trim()

/** The first thing that a person asked; null where nobody asked anything. */
export function sessionTitle(input: readonly ReadingPart[]): string | null {
  for (const { role, kind, text } of input) {
    if (role !== 'user' || kind !== 'text') continue
    const asked = withoutBlocks(text)
      .replaceAll(/\s+/g, ' ')
      .replace(/^"(.*)"$/, '$1')
    if (asked !== '') return cutText(asked, TITLE_CHARACTERS)
  }
  return null
}
