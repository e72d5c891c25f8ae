import { Refusal } from './refusal.mjs'
import { coloured } from './terminal.mjs'

/** Tools at an old address of the gateway, all of them or those that are named, get its new one. */
export async function updateAddress(named, tools, gateway) {
  const chosen = named.length > 0 ? named : tools.filter(({ old_address }) => old_address !== null)
  if (chosen.length === 0) return console.log('No tool points to an old address of this gateway.')
  for (const { id, name, old_address } of chosen) {
    if (old_address === null) {
      throw new Refusal(`${name} doesn't point to an old address of this gateway.`)
    }
    await gateway.ask('POST', '/api/connect/update-address', { tool: id })
    console.log(coloured('green', `${name} points to ${gateway.address} now. Restart it.`))
  }
}
