import { homedir } from 'node:os'
import { coloured, shownTable } from './terminal.mjs'

const words = {
  not_found: 'not found',
  elsewhere: 'points elsewhere',
  here: 'points here',
  changed: 'changed since',
  broken: 'file broken',
}

function stateOf({ status, kind, points_to, old_address, other_gateway }) {
  if (old_address !== null) return 'old address'
  if (other_gateway !== null) return 'another Switchyard'
  if (kind === 'instruction' && status !== 'here') return 'by hand'
  return status === 'elsewhere' && points_to === null ? 'not connected' : words[status]
}

const colours = { here: 'green', changed: 'red', broken: 'red' }

/** Why tools may be there that it doesn't see. */
function* placeNotes({ home, kind, home_problem }) {
  if (home_problem === 'missing') {
    yield `The gateway's home folder ${home} doesn't exist. Start it as yourself, or with HOME set.`
  }
  if (home_problem === 'foreign') {
    yield `The gateway's home folder ${home} is a path of another system. Start it with HOME set.`
  }
  if (home_problem === null && home !== homedir()) {
    yield `The gateway connects tools in ${home}, and your home folder is ${homedir()}. Start one as yourself for your own tools.`
  }
  if (kind === 'wsl') {
    yield 'The gateway runs in WSL: tools that run in Windows keep their files there, and are set up by hand.'
  }
  if (kind === 'container') {
    yield 'The gateway runs in a container: tools outside of it keep their files there, and are set up by hand.'
  }
}

/** One row for each tool, and under the table the problems. */
export function listTools(tools, machine) {
  const rows = tools.map((tool) => [tool.id, stateOf(tool), tool.points_to ?? '–'])
  console.log(shownTable([['TOOL', 'STATE', 'POINTS TO'], ...rows]))
  const problems = tools.filter(({ problem }) => problem !== null)
  if (problems.length > 0) console.log()
  for (const { id, status, problem } of problems) {
    console.log(`${coloured(colours[status] ?? 'bold', id)}: ${problem}`)
  }
  for (const note of placeNotes(machine)) console.log(`\n${note}`)
}
