import { cutText } from '../body/cut-text.ts'
import type { ReadingPart } from '../reading/reading-part.ts'

const TITLE_CHARACTERS = 120

/** Blocks that agents add to what a person said: `<system-reminder>`, `<environment_context>`, `<session_context>`, … */
const BLOCK = /<([A-Za-z]{1,40}(?:[-_ ][A-Za-z]{1,40}){1,8}|INSTRUCTIONS)(?: [^<>]{0,500})?>/g
/** Names of blocks that don't end, after which no more are looked for: each is sought through all of the text. */
const MOST_UNENDED = 20

/** Texts that are an agent's own as a whole. */
const isInstructions = (text: string): boolean =>
  /^# AGENTS\.md instructions|^This is the [A-Z][\w ]{1,40}\. We are setting up the context /i.test(
    text.trim(),
  )

/** A text without what its agent added. */
export function withoutBlocks(text: string): string {
  if (isInstructions(text)) return ''
  let kept = ''
  let at = 0
  const unended = new Set<string>()
  for (const { 0: begin, 1: name = '', index } of text.matchAll(BLOCK)) {
    if (index < at || unended.has(name)) continue
    const end = text.indexOf(`</${name}>`, index + begin.length)
    if (end >= 0) {
      kept += text.slice(at, index)
      at = end + name.length + '</>'.length
    } else if (unended.add(name).size > MOST_UNENDED) break
  }
  return (kept + text.slice(at)).trim()
}

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
