import { parseArgs } from 'node:util'
import { Refusal } from './refusal.mjs'

export const USAGE = `Usage: npm run connect -- TOOL [options]

  --list              show every tool, its state and where it points
  --all               every installed tool, in place of TOOL
  --undo              put the tool's files back as they were; with --all of every connected tool
  --update            after a change of port: the new address for TOOL, or for every tool at the old one
  --model MODEL       main model; a connected tool keeps its own
  --small MODEL       small model, where the tool has one
  --subagent MODEL    model of sub-agents, where the tool has one
  --token NAME|ID     token that the tool sends (default: its own, or a new one)
  --dry-run           show the change, write nothing
  --yes               don't ask
  --data-dir DIR      data folder of the gateway (default: as npm run gateway)
  --url URL           address of the gateway (default: the one of the data folder, else http://127.0.0.1:4747)

Where the data folder isn't yours to read, it asks for the owner's access token, or takes it from
SWITCHYARD_ACCESS_TOKEN. Create one in the console: Settings, Access token.`

const options = {
  ...{ list: { type: 'boolean' }, all: { type: 'boolean' }, undo: { type: 'boolean' } },
  update: { type: 'boolean' },
  ...{ model: { type: 'string' }, small: { type: 'string' }, subagent: { type: 'string' } },
  ...{ token: { type: 'string' }, 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } },
  ...{ 'data-dir': { type: 'string' }, url: { type: 'string' } },
  help: { type: 'boolean', short: 'h' },
}

/** Flags that mean nothing together. */
const exclusive = [
  ['list', 'undo'],
  ['list', 'update'],
  ['undo', 'update'],
  ['undo', 'model'],
  ['undo', 'small'],
  ['undo', 'subagent'],
  ['undo', 'token'],
  ['undo', 'dry-run'],
]

function parse(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new Refusal(`${cause.message}\n\n${USAGE}`)
  }
}

/** The flags, and `tools`: ids. */
export function readArguments(args) {
  const { values, positionals: tools } = parse(args)
  if (values.help) return { values, tools }
  const empty = Object.keys(values).find((name) => values[name] === '')
  if (empty) throw new Refusal(`--${empty} is empty. Give it a value or leave it out.`)
  const pair = exclusive.find((names) => names.every((name) => values[name] !== undefined))
  if (pair) throw new Refusal(`--${pair[0]} and --${pair[1]} don't go together.`)
  if (values.all && tools.length > 0) throw new Refusal('Name tools or give --all, not both.')
  const isNothing = !values.list && !values.all && !values.update && tools.length === 0
  if (isNothing) throw new Refusal(USAGE)
  return { values, tools }
}
