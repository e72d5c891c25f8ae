import { Refusal } from './refusal.mjs'
import { coloured, confirm } from './terminal.mjs'

const words = {
  whole: 'as it was before, byte for byte',
  keys: "changed since it was connected: only Switchyard's keys were taken back",
  removed: "removed: it didn't exist before",
}

const reasons = {
  tool: 'another tool uses it',
  file: 'its key stands in a file of the tool',
  renamed: 'it was renamed',
  calls: 'several programs called with it',
}

/** Where another Switchyard was set before, who asks says whether to go back to it. */
async function leadsTo({ name, other_gateway_before: other }, values) {
  if (other === null || values.yes) return 'before'
  console.log(`Before, ${name} pointed to another Switchyard, at ${other}.`)
  return (await confirm('Go back to that one? No: away from both.')) ? 'before' : 'none'
}

export async function undoTool(tool, values, gateway) {
  if (!tool.can_undo) {
    throw new Refusal(`${tool.name} was not connected by this gateway: there is nothing to undo.`)
  }
  const input = { tool: tool.id, to: await leadsTo(tool, values) }
  const { files, token, tool: view } = await gateway.ask('POST', '/api/connect/undo', input)
  console.log(coloured('green', `${tool.name} is disconnected.`))
  for (const { path, restored } of files) console.log(`${path}: ${words[restored]}`)
  if (token) {
    const outcome = token.kept === null ? 'removed' : `kept, since ${reasons[token.kept]}`
    console.log(`Its token "${token.name}": ${outcome}`)
  }
  if (view.other_gateway !== null) {
    console.log(`${tool.name} points to another Switchyard again, at ${view.other_gateway}.`)
  }
}
