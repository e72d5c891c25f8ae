import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'
import { typesOf } from '../../schema/flat-schema.ts'
import { mapSchema } from '../../schema/map-schema.ts'

/**
 * Limits of one request's strict schemas together; more is refused as too costly to compile:
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs#schema-complexity-limits
 */
const MOST_TOOLS = 20
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16

/** Counts the strict tools of one request, and what makes their schemas costly. */
export class StrictBudget {
  #tools = 0
  #optional = 0
  #unions = 0

  /** Is there room for another tool of this schema? Then it is counted. */
  takes(schema: JsonObject): boolean {
    let optional = this.#optional
    let unions = this.#unions
    mapSchema(schema, (one) => {
      const required = asArray(one.required)
      const names = Object.keys(asObject(one.properties) ?? {})
      optional += names.filter((name) => !required.includes(name)).length
      if (Array.isArray(one.anyOf) || typesOf(one).length > 1) unions++
      return one
    })
    if (this.#tools >= MOST_TOOLS || optional > MOST_OPTIONAL || unions > MOST_UNIONS) return false
    this.#tools++
    this.#optional = optional
    this.#unions = unions
    return true
  }
}
