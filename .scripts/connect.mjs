// npm run connect: points a coding tool at the running gateway, and back.
import './require-node.mjs'
import { readArguments, USAGE } from './connect/arguments.mjs'
import { connectTool } from './connect/connect-tool.mjs'
import { findGateway } from './connect/find-gateway.mjs'
import { listTools } from './connect/list-tools.mjs'
import { Refusal } from './connect/refusal.mjs'
import { closeTerminal } from './connect/terminal.mjs'
import { undoTool } from './connect/undo-tool.mjs'
import { updateAddress } from './connect/update-address.mjs'

const namedTools = ({ tools: named }, all) =>
  named.map((id) => {
    const tool = all.find((one) => one.id === id)
    if (tool) return tool
    throw new Refusal(
      `There is no tool "${id}". Choose one of:\n${all.map((one) => `  ${one.id}`).join('\n')}`,
    )
  })

function chosenTools({ values, tools: named }, all) {
  if (values.all) {
    const chosen = all.filter(({ installed, kind, can_undo }) =>
      values.undo ? can_undo : installed && kind === 'file',
    )
    if (chosen.length > 0) return chosen
    throw new Refusal(values.undo ? 'No tool is connected.' : 'No known tool is installed here.')
  }
  return namedTools({ tools: named }, all)
}

async function run() {
  const given = readArguments(process.argv.slice(2))
  const { values } = given
  if (values.help) return console.log(USAGE)
  const gateway = await findGateway(values, process.env)
  const { tools, machine } = await gateway.ask('GET', '/api/connect/tools')
  if (values.list) return listTools(tools, machine)
  if (values.update) return updateAddress(namedTools(given, tools), tools, gateway)
  for (const [at, tool] of chosenTools(given, tools).entries()) {
    if (at > 0) console.log()
    try {
      await (values.undo ? undoTool(tool, values, gateway) : connectTool(tool, values, gateway))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The others are worth it all the same.
      fail(values.all ? `${tool.name}: ${error.message}` : error.message)
      if (!values.all) return
    }
  }
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}

try {
  await run()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  fail(error.message)
} finally {
  closeTerminal()
}
