type SlotsIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | SlotsIn<Rest>
  : never

/** The codes of a table of texts, with the values whose names stand in a text as `{{name}}`. */
export type CodedValues<Texts extends Readonly<Record<string, string>>, Value> = {
  [Code in keyof Texts]: [SlotsIn<Texts[Code]>] extends [never]
    ? unknown
    : Record<SlotsIn<Texts[Code]>, Value>
}

/** A code where its text has no values, else the code with them. */
export type CodedText<Values> = {
  [Code in keyof Values]: unknown extends Values[Code] ? Code : { code: Code } & Values[Code]
}[keyof Values]

/** The code of a text, with its values where it has some, as a reason. */
export type CodedReason<Text> = { code: Extract<Text, string> } | Exclude<Text, string>

export const codedReason = <Text extends string | { code: string }>(text: Text) =>
  (typeof text === 'string' ? { code: text } : text) as CodedReason<Text>

/** The text with values in the place of their names. */
export const filledText = (text: string, said: (name: string) => string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => said(name))

/** A list is one of alternatives. */
export type PlainValue = number | string | readonly string[]

/** `a, b or c`. */
const alternatives = (values: readonly string[]): string =>
  [values.slice(0, -1).join(', '), ...values.slice(-1)].filter((one) => one !== '').join(' or ')

const plainText = (text: string, values: Readonly<Record<string, PlainValue>>): string =>
  filledText(text, (name) => {
    const value = values[name]
    return typeof value === 'object' ? alternatives(value) : String(value)
  })

/** The English of a text by its code. */
export const englishText = <Code extends string>(
  texts: Readonly<Record<Code, string>>,
  text: Code | ({ code: Code } & Readonly<Record<string, PlainValue>>),
): string => (typeof text === 'string' ? texts[text] : plainText(texts[text.code], text))
