import type { BookedFigures } from '../../run/booked-figures.ts'
import {
  type Attachment,
  blankSettings,
  blankTurn,
  type Column,
  type ColumnSettings,
  type Ending,
  MOST_COLUMNS,
  newId,
  newRecord,
  numberParameters,
  type ToolCall,
  type ToolDraft,
  type Turn,
  toolChoices,
  verbosities,
  wireFormats,
} from '../desk/chat-record.ts'
import { withSplitThought } from '../stream/split-thought.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' ? (value as Fields) : {}
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const maybeText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const maybeNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value)

class WrongForm extends Error {}

/** An id that others refer to. */
function idOf({ id }: Fields): string {
  if (typeof id !== 'string' || id === '') throw new WrongForm()
  return id
}

const attachment = (file: Fields): Attachment => ({
  id: idOf(file),
  kind: oneOf(['image', 'document', 'audio', 'text'], file.kind) ?? 'text',
  name: textOf(file.name),
  type: textOf(file.type),
  size: maybeNumber(file.size) ?? 0,
})

const call = (one: Fields): ToolCall => ({
  id: idOf(one),
  name: textOf(one.name),
  arguments: textOf(one.arguments),
  result: maybeText(one.result),
})

const booked = (figures: Fields): BookedFigures => ({
  channel: maybeText(figures.channel),
  ...{ input: maybeNumber(figures.input), output: maybeNumber(figures.output) },
  quota: maybeNumber(figures.quota),
  ...{ firstToken: maybeNumber(figures.firstToken), duration: maybeNumber(figures.duration) },
  ...{ unpriced: figures.unpriced === true, estimated: figures.estimated === true },
  // Its call may be another gateway's.
  ...{ losses: [], hasCapture: false },
})

/** A turn stands behind its parent, so that none leads in a circle. */
function turn(given: Fields, known: ReadonlySet<unknown>): Turn {
  const role = oneOf(['user', 'assistant'], given.role)
  const parent = maybeText(given.parent)
  const id = idOf(given)
  if (!role || known.has(id) || (parent !== null && !known.has(parent))) throw new WrongForm()
  const usage = fieldsOf(given.usage)
  const ending = oneOf<Ending>(['length', 'filter'], given.ending) ?? null
  return withSplitThought({
    ...blankTurn,
    ...{ id, parent, role, ending, text: textOf(given.text), model: textOf(given.model) },
    ...{ reasoning: textOf(given.reasoning), prompt: maybeText(given.prompt) },
    attachments: listOf(given.attachments).map(attachment),
    calls: listOf(given.calls).map(call),
    state: given.state === 'done' ? 'done' : 'stopped',
    ...{ isEdited: given.isEdited === true, isTagged: given.isTagged === true },
    goesBack: given.goesBack === true,
    usage: given.usage
      ? { input: maybeNumber(usage.input), output: maybeNumber(usage.output) }
      : null,
    ...{ firstToken: maybeNumber(given.firstToken), duration: maybeNumber(given.duration) },
    booked: given.booked ? booked(fieldsOf(given.booked)) : null,
  })
}

const tool = (given: Fields): ToolDraft => ({
  id: idOf(given),
  ...{ name: textOf(given.name), description: textOf(given.description) },
  ...{ schema: textOf(given.schema), fixed: maybeText(given.fixed) },
})

/** Without channel and token: their numbers are those of the gateway that it came from. */
function settingsOf(given: Fields): ColumnSettings {
  const numbers = fieldsOf(given.numbers)
  const tools = listOf(given.tools).map(tool)
  const choices = [...toolChoices, ...tools.map(({ id }) => `tool ${id}` as const)]
  return {
    ...blankSettings,
    ...{ model: textOf(given.model), system: textOf(given.system), stop: textOf(given.stop) },
    ...{ effort: textOf(given.effort), schema: textOf(given.schema), extra: textOf(given.extra) },
    format: oneOf(wireFormats, given.format) ?? 'chat',
    numbers: Object.fromEntries(
      numberParameters.flatMap((name) => {
        const number = maybeNumber(numbers[name])
        return number === null ? [] : [[name, number]]
      }),
    ),
    verbosity: oneOf(verbosities, given.verbosity) ?? '',
    budget: maybeNumber(given.budget),
    tools,
    toolChoice: oneOf(choices, given.toolChoice) ?? '',
  }
}

function column(given: Fields): Column {
  const turns: Turn[] = []
  const known = new Set<unknown>()
  for (const one of listOf(given.turns)) {
    turns.push(turn(one, known))
    known.add(one.id)
  }
  const leaf = known.has(given.leaf) ? textOf(given.leaf) : (turns.at(-1)?.id ?? null)
  return { key: newId(), settings: settingsOf(fieldsOf(given.settings)), turns, leaf }
}

/** The conversation of a file that was exported as JSON; null where it holds none. */
export function readConversation(text: string) {
  try {
    const given = fieldsOf(JSON.parse(text))
    const columns = listOf(given.columns).map(column)
    const isSaid = columns.some(({ turns }) => turns.length > 0)
    if (!isSaid || columns.length > MOST_COLUMNS) return null
    return { ...newRecord(), name: textOf(given.name).slice(0, 200), columns }
  } catch (error) {
    if (error instanceof WrongForm || error instanceof SyntaxError) return null
    throw error
  }
}
