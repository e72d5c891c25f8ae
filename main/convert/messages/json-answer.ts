import { asObject } from '../json/json-value.ts'

/**
 * Names of the tool that carries an answer's JSON schema to a model without structured output. Nobody else
 * uses them, so a call of one of them is known to be the answer's text.
 */
const ANSWER = 'switchyard_json_answer'
/** The same where the schema is no plain object: it stands under `answer`. */
const WRAPPED_ANSWER = 'switchyard_json_wrapped'

const unfit = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if']

/** Is a call of this name the answer itself, and has it to be taken out of `answer`? */
export function jsonAnswerKind(name: string): 'plain' | 'wrapped' | null {
  if (name === ANSWER) return 'plain'
  return name === WRAPPED_ANSWER ? 'wrapped' : null
}

/** The tool whose arguments are an answer of this schema. */
export function jsonAnswerTool(schema: Record<string, unknown>): {
  name: string
  description: string
  input_schema: Record<string, unknown>
} {
  const description = 'Gives the answer. Call it exactly once, with nothing before or after it.'
  if (schema.type === 'object' && !unfit.some((keyword) => keyword in schema)) {
    return { name: ANSWER, description, input_schema: schema }
  }
  // References count from the root, so what they refer to has to stay there.
  const { $defs, definitions, $schema: _, ...answer } = schema
  return {
    name: WRAPPED_ANSWER,
    description,
    input_schema: {
      type: 'object',
      properties: { answer },
      required: ['answer'],
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
    },
  }
}

/** The answer out of a wrapped call's input. */
export function unwrapAnswer(input: unknown): unknown {
  const object = asObject(input)
  return object && 'answer' in object ? object.answer : input
}
