import { Refusal } from './refusal.mjs'
import { coloured, confirm, shownDiff } from './terminal.mjs'

const slots = [
  ['main', 'model'],
  ['small', 'small'],
  ['subagent', 'subagent'],
]

/** At most so many models are listed in an error. */
const MOST_LISTED = 30

function listOf(models) {
  const shown = models.slice(0, MOST_LISTED).map(({ id }) => `  ${id}`)
  const more = models.length - shown.length
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

/** The main model, where no flag names one: the tool's own, or the only one that fits. */
async function mainModel(tool, gateway) {
  if (tool.chosen?.main) return tool.chosen.main
  const { models } = await gateway.ask('GET', `/api/connect/models?tool=${tool.id}`)
  const known = models.filter(({ fits }) => fits)
  const fitting = known.length > 0 ? known : models.filter(({ fits }) => fits === null)
  if (fitting.length === 1) return fitting[0].id
  if (models.length === 0) {
    throw new Refusal('No channel serves a model yet. Add one in the console, under Channels.')
  }
  throw new Refusal(
    fitting.length > 0
      ? `Name a model for ${tool.name} with --model. ${known.length > 0 ? 'These fit' : 'These may fit'}:\n${listOf(fitting)}`
      : `No model is known to fit ${tool.name}. Name one with --model all the same:\n${listOf(models)}`,
  )
}

/** With --all a tool without such a place keeps to its main model. */
async function chosenModels(tool, values, gateway) {
  const own = new Set(tool.slots.map(({ id }) => id))
  const models = {}
  for (const [slot, flag] of slots) {
    if (values.all && !own.has(slot)) continue
    const model = values[flag] ?? tool.chosen?.[slot]
    if (model !== undefined) models[slot] = model
  }
  return { ...models, main: models.main ?? (await mainModel(tool, gateway)) }
}

/** The token's id; null for a new one. */
async function chosenToken(tool, wanted, gateway) {
  if (wanted === undefined) return tool.token?.id ?? null
  const { tokens } = await gateway.ask('GET', '/api/connect/tokens')
  const named = tokens.filter(({ name }) => name === wanted)
  const found = named.length > 0 ? named : tokens.filter(({ id }) => String(id) === wanted)
  if (found.length === 1) return found[0].id
  const list = (found.length > 0 ? found : tokens).map(({ id, name }) => `  ${id}  ${name}`)
  throw new Refusal(
    found.length > 1
      ? `Several tokens are named "${wanted}". Give the number of one:\n${list.join('\n')}`
      : list.length > 0
        ? `There is no enabled token "${wanted}". Choose one of:\n${list.join('\n')}`
        : `There is no enabled token "${wanted}", nor any other. Leave --token out: a new one is made.`,
  )
}

const numbered = (steps) => steps.map((step, at) => `${at + 1}. ${step}`).join('\n')

function showByHand({ name, steps, snippets, docs_url }) {
  console.log(`${name} is set up by hand; put a token and a model in the places of <…>:\n`)
  if (steps.length > 0) console.log(`${numbered(steps.map(({ message }) => message))}\n`)
  for (const { shell, text } of snippets) console.log(`${shell}\n${text}\n`)
  console.log(`Documentation: ${docs_url}`)
}

function showChange(tool, preview) {
  console.log(coloured('bold', tool.name))
  for (const warning of preview.warnings)
    console.log(coloured('red', `Warning: ${warning.message}`))
  for (const { path, before, after, diff } of preview.files) {
    const isSame = before === after
    console.log(`\n${path}${isSame ? ': no change' : before === null ? ' (new file)' : ''}`)
    if (!isSame) console.log(shownDiff(diff))
  }
  const { id, name, adds, aliases } = preview.token
  for (const [alias, model] of Object.entries(aliases))
    console.log(
      `\n${tool.name} accepts only some model names. It calls ${model} as ${alias}, which works only with its token.`,
    )
  if (adds.length > 0)
    console.log(`\nThe token "${name}" may use ${adds.join(', ')} too after that.`)
  console.log(
    `\nToken: ${id === null ? `a new one, "${name}"` : `"${name}"`}. Secrets are masked here.`,
  )
}

/** Shows the change, asks, writes. */
export async function connectTool(tool, values, gateway) {
  if (tool.kind === 'instruction') return showByHand(tool)
  if (tool.status === 'broken') throw new Refusal(tool.problem)
  const choice = {
    tool: tool.id,
    token_id: await chosenToken(tool, values.token, gateway),
    models: await chosenModels(tool, values, gateway),
  }
  const preview = await gateway.ask('POST', '/api/connect/preview', choice)
  showChange(tool, preview)
  const { refuses } = preview.token
  if (refuses.length > 0) {
    throw new Refusal(
      `Nothing was written: every call with ${refuses.join(', ')} would be refused. Change the token's models, or take another one with --token.`,
    )
  }
  if (values['dry-run']) return console.log('Nothing was written.')
  if (!values.yes && !(await confirm('Apply?'))) return console.log('Nothing was written.')
  const { digest } = preview
  const view = await gateway.ask('POST', '/api/connect/apply', { ...choice, digest })
  const { main, ...others } = view.chosen
  const models = [main, ...Object.entries(others).map(([slot, model]) => `${slot} ${model}`)]
  console.log(`\n${coloured('green', `${view.name} points to ${gateway.address} now.`)}`)
  for (const { path } of preview.files) console.log(`Written: ${path}`)
  console.log(`Token: "${view.token?.name}". Models: ${models.join(', ')}.`)
  if (view.steps.length > 0) {
    console.log(`Left to do, with the token's key, which the Connect page shows, for <token>:`)
    console.log(numbered(view.steps.map(({ message }) => message)))
  }
  console.log(`Restart ${view.name}. To undo: npm run connect -- ${view.id} --undo`)
}
