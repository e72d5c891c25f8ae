import { estimateTokens } from '../../../base/estimate-tokens.ts'
import { randomText } from '../../../base/ids.ts'
import { asObject, type Json } from '../json-access.ts'
import type { EchoTool, EchoTurn } from './echo-turn.ts'
import { sampleValue } from './sample-value.ts'

/** Echo's answer, before it is written in a format. */
export interface EchoReply {
  thinking: string
  text: string
  toolCall: { id: string; name: string; arguments: Json } | null
  finish: 'stop' | 'length' | 'tool' | 'stop-sequence'
  stopSequence: string | null
  /** In tokens; `output` includes `reasoning`. */
  usage: { input: number; output: number; reasoning: number }
}

const THINKING = 'The user has said something. I am an echo, so I will say it back.'

/** Characters echoed at most. */
const LONGEST = 2000

const ASKS_FOR_TOOL = /\b(?:call|use|run|try)\b[\s\S]{0,60}\b(?:tools?|functions?)\b/i

/** Characters of a tool's name that somebody would say; vendors take 128 at most. */
const LONGEST_NAME = 256

/** `get_weather` is also asked for as “get weather”. */
function isNamed(tool: EchoTool, text: string): boolean {
  if (tool.name.length > LONGEST_NAME) return false
  const words = tool.name
    .split(/[_\-.\s]+/)
    .map((word) => word.replace(/[^\w]/g, '\\$&'))
    .join('[_\\-.\\s]')
  return new RegExp(`(?<![\\w-])${words}(?![\\w-])`, words === tool.name ? '' : 'i').test(text)
}

function wantedTool(turn: EchoTurn): EchoTool | undefined {
  const { toolChoice, tools, text } = turn
  // A tool's result is answered in words, or an agent would go round for ever.
  if (toolChoice === 'none' || turn.toolResult !== null) return undefined
  if (typeof toolChoice === 'object') return tools.find((tool) => tool.name === toolChoice.name)
  const named = tools.find((tool) => isNamed(tool, text))
  if (named) return named
  return toolChoice === 'required' || ASKS_FOR_TOOL.test(text) ? tools[0] : undefined
}

/** Arguments that the user wrote as JSON, else the least that the schema asks for. */
function argumentsFor(tool: EchoTool, text: string): Json {
  try {
    return asObject(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)))
  } catch {
    // None, or braces in plain speech.
  }
  return asObject(sampleValue({ type: 'object', ...tool.schema }))
}

function wholeText(turn: EchoTurn): string {
  if (turn.json !== null) {
    const isAny = Object.keys(turn.json).length === 0
    return JSON.stringify(isAny ? { echo: turn.text } : sampleValue(turn.json))
  }
  const text = turn.toolResult === null ? turn.text : `the tool answered ${turn.toolResult}`
  return `Echo: ${text === '' ? '(nothing)' : text.slice(0, LONGEST)}`
}

/** The longest beginning of `text` that is within `budget` tokens. */
function within(text: string, budget: number): string {
  if (estimateTokens(text) <= budget) return text
  const characters = Array.from(text)
  let kept = 0
  for (let step = characters.length; step >= 1; step = Math.floor(step / 2)) {
    while (estimateTokens(characters.slice(0, kept + step).join('')) <= budget) kept += step
  }
  return characters.slice(0, kept).join('')
}

/** Where the first stop sequence stands in `text`. */
function firstStop(text: string, stops: readonly string[]): { at: number; stop: string } | null {
  let first: { at: number; stop: string } | null = null
  for (const stop of stops) {
    const at = text.indexOf(stop)
    if (at >= 0 && (first === null || at < first.at)) first = { at, stop }
  }
  return first
}

/** Decides what Echo says to a turn: the user's words back, or a call of the tool that they ask for. */
export function replyTo(turn: EchoTurn): EchoReply {
  let budget = turn.maxTokens ?? Number.POSITIVE_INFINITY
  const thinking = turn.thinking ? within(THINKING, budget) : ''
  const reasoning = estimateTokens(thinking)
  budget -= reasoning

  const tool = wantedTool(turn)
  const toolArguments = tool && argumentsFor(tool, turn.text)
  const whole = tool ? `Echo: calling ${tool.name}.` : wholeText(turn)
  const stop = firstStop(whole, turn.stop)
  const meant = stop ? whole.slice(0, stop.at) : whole
  const text = within(meant, budget)
  let output = reasoning + estimateTokens(text)
  budget -= estimateTokens(text)

  let finish: EchoReply['finish'] = stop ? 'stop-sequence' : 'stop'
  let toolCall: EchoReply['toolCall'] = null
  if (text.length < meant.length) {
    finish = 'length'
  } else if (tool && toolArguments && !stop) {
    const tokens = estimateTokens(tool.name + JSON.stringify(toolArguments))
    if (tokens > budget) {
      finish = 'length'
    } else {
      finish = 'tool'
      output += tokens
      toolCall = { id: randomText(24), name: tool.name, arguments: toolArguments }
    }
  }
  return {
    thinking,
    text,
    toolCall,
    finish,
    stopSequence: finish === 'stop-sequence' && stop ? stop.stop : null,
    usage: { input: turn.inputTokens, output, reasoning },
  }
}
