import { ownValue } from '../../../base/own-value.ts'
import type { BodyRule } from '../../../base/sentences/body-rules.ts'
import type { ExchangeRequest, Part } from '../../exchange.ts'
import { wordOf } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import { definitionOf } from '../client-tools.ts'
import { keptFields } from '../own-fields.ts'
import { isFromInput } from './encode-input.ts'

/** Fields that bring a part of the conversation from where only OpenAI can fetch it. */
const fieldRules: Readonly<Record<string, BodyRule>> = {
  conversation: 'input_at_openai',
  prompt: 'template_at_openai',
  background: 'no_background',
}

/** Why an item means nothing to another vendor. */
const itemRules: Readonly<Record<string, BodyRule>> = {
  item_reference: 'item_not_kept',
  compaction: 'only_openai_reads',
  compaction_trigger: 'only_openai_compacts',
}

function refuseParts(parts: readonly Part[], at: string, loss: Loss): void {
  for (const part of parts) {
    if (part.type === 'result') refuseParts(part.parts, part.at ?? at, loss)
    if (part.type !== 'native' || part.origin !== 'responses') continue
    const rule = ownValue(itemRules, wordOf(part.value.type))
    if (rule !== undefined) loss.refuse(part.at ?? at, rule)
  }
}

/** Which item of the input a path leads into; Infinity for one that stands elsewhere. */
const indexOf = (at: string | undefined): number =>
  Number(/^input\[(\d+)\]/.exec(at ?? '')?.[1] ?? Number.POSITIVE_INFINITY)

/**
 * Throws `invalid_request` for what a request of this format asks and no other format can give: what lies at
 * OpenAI, and items that only OpenAI can read. Notes what another upstream gets in another form.
 */
export function refuseForeignFields(request: ExchangeRequest, loss: Loss): void {
  const fields = keptFields(request.native)
  for (const [name, rule] of Object.entries(fieldRules)) {
    if (fields[name] !== undefined) loss.refuse(name, rule)
  }
  for (const { parts, at } of request.turns) refuseParts(parts, at ?? 'input', loss)
  const beginning = Math.min(...request.turns.map(({ at }) => indexOf(at)))
  for (const tool of request.tools) {
    if (isFromInput(tool) && indexOf(tool.at) > beginning) {
      const place = (tool.at ?? 'input').replace(/\.tools.*$/, '')
      loss.approximate(place, 'tools_from_beginning')
    }
    if (definitionOf(tool)) {
      loss.approximate(tool.at ?? 'tools', 'function_instead')
    }
  }
}
