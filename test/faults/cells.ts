import type { WireFormat } from '../../main/convert/exchange.ts'
import { bodyFaults } from './body-faults.ts'
import { connectionFaults } from './connection-faults.ts'
import { endlessFaults } from './endless-faults.ts'
import type { Fault } from './fault.ts'
import { hintedFaults, statusFaults } from './status-faults.ts'
import { streamFaults } from './stream-faults.ts'

export const faults: readonly Fault[] = [
  ...connectionFaults,
  ...streamFaults,
  ...bodyFaults,
  ...statusFaults,
  ...hintedFaults,
  ...endlessFaults,
]

/** One way in which one fault can meet a client. */
export interface Cell {
  name: string
  fault: Fault
  client: WireFormat
  upstream: WireFormat
  /** The format of the second channel's upstream, where there is one. */
  second: WireFormat | null
  stream: boolean
  asArray: boolean
}

interface Shape {
  client: WireFormat
  upstream: WireFormat
  stream: boolean
  asArray: boolean
}

/** Each format is the client's, and an upstream's, once as it is and once converted. */
const converted: Readonly<Record<WireFormat, WireFormat>> = {
  chat: 'messages',
  messages: 'generate-content',
  'generate-content': 'responses',
  responses: 'chat',
}
const formats = Object.keys(converted) as WireFormat[]

const shapes: readonly Shape[] = formats.flatMap((client) =>
  [client, converted[client]].flatMap((upstream) =>
    [false, true].flatMap((stream) => [
      { client, upstream, stream, asArray: false },
      ...(stream && client === 'generate-content'
        ? [{ client, upstream, stream, asArray: true }]
        : []),
    ]),
  ),
)

const suits = (fault: Fault, { upstream, stream, asArray }: Shape): boolean =>
  !(fault.exceptArray && asArray) &&
  (fault.only === undefined || (fault.only === 'stream') === stream) &&
  (fault.upstream === undefined || fault.upstream === upstream)

const nameOf = (fault: Fault, shape: Shape, second: WireFormat | null): string =>
  [
    fault.name,
    `${shape.client}${shape.asArray ? ' array' : ''}${shape.upstream === shape.client ? '' : ` on ${shape.upstream}`}`,
    shape.stream ? 'stream' : 'whole',
    second === null ? 'one channel' : 'two channels',
  ].join(' | ')

const cellsOf = (fault: Fault): Cell[] =>
  shapes
    .filter((shape) => suits(fault, shape))
    .flatMap((shape) => {
      const { client, upstream } = shape
      // Where the first channel passes through, the second converts, and the other way round.
      const other = upstream === client ? converted[client] : client
      return [null, other].map((second) => ({
        ...shape,
        fault,
        second,
        name: nameOf(fault, shape, second),
      }))
    })

/** Every fault with every client, streamed or not, with one channel and with two. */
export const allCells: readonly Cell[] = faults.flatMap(cellsOf)

/**
 * Some cells of each fault, always the same ones: one with one channel and one with two, the clients and
 * shapes in turn.
 */
export const sampleCells: readonly Cell[] = faults.flatMap((fault, index) => {
  const cells = cellsOf(fault)
  const wanted = fault.isHeavy ? [0] : [0, 1]
  return wanted.flatMap((second) => {
    const group = cells.filter((cell) => (cell.second === null) === (second === 0))
    const cell = group[(index * 5 + second * 3) % group.length]
    return cell ? [cell] : []
  })
})
