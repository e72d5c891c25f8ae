import type { ToolCallPart, ToolResultPart } from '../../exchange.ts'
import type { ModelRules } from '../../model/model-rules.ts'
import { inventedId, toolId } from '../../tools/tool-ids.ts'

/**
 * Ids of calls and results, made to fit and unique in the conversation: some vendors give none, others count
 * from zero in every turn. They depend only on what came before, so a history that is sent again reads the
 * same. Results have to come in the order of their calls.
 */
export class CallIds {
  readonly #rule: ModelRules['toolId']
  readonly #used = new Set<string>()
  #count = 0
  /** Calls whose results are still to come. */
  #open: { given: string | null; id: string }[] = []

  constructor(rule: ModelRules['toolId']) {
    this.#rule = rule
  }

  ofCall({ id: given, name, arguments: text }: ToolCallPart): string {
    const number = this.#count++
    const fitting =
      given === null ? inventedId(`${number} ${name} ${text}`) : toolId(given, this.#rule)
    const id = this.#used.has(fitting) ? inventedId(`${number} ${fitting}`) : fitting
    this.#used.add(id)
    this.#open.push({ given, id })
    return id
  }

  ofResult({ callId }: ToolResultPart): string {
    const index = this.#open.findIndex(({ given }) => given === callId)
    const [call] = this.#open.splice(Math.max(0, index), 1)
    return call?.id ?? toolId(callId ?? '', this.#rule)
  }
}
