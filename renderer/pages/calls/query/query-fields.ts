/** The fields of the query bar, as the gateway knows them (`main/manage/calls/query/query-fields.ts`). */
export interface FieldEntry {
  name: string
  /** Values to choose from; examples where any amount will do. Without them the gateway lists the values there are. */
  values?: readonly string[]
  /** The gateway lists the values there are. */
  isListed?: true
  /** Others neither see the field nor may search by it. */
  isAdministrators?: true
}

const flag = ['yes', 'no']
const times = ['>1s', '>5s', '>30s', '1s..5s']
const counts = ['>1k', '>10k', '>100k']
const ago = ['1h', '24h', '7d', '30d']

export const fieldEntries = [
  { name: 'status', values: ['2xx', '4xx', '5xx', '>=400'], isListed: true },
  { name: 'model', isListed: true },
  { name: 'channel', isListed: true, isAdministrators: true },
  { name: 'token', isListed: true },
  { name: 'slow', values: times },
  { name: 'cost', values: ['>0.01', '>0.1', '>1'] },
  { name: 'error', isListed: true },
  { name: 'loss', values: flag },
  { name: 'cut', values: flag },
  { name: 'refused', values: flag },
  { name: 'running', values: flag },
  { name: 'replay', values: flag },
  { name: 'estimated', values: flag },
  { name: 'stream', values: flag },
  { name: 'cached', values: ['>50%', '<10%', '20%..80%'] },
  { name: 'input', values: counts },
  { name: 'output', values: counts },
  { name: 'first_token', values: times },
  { name: 'path', isListed: true },
  { name: 'client', isListed: true },
  { name: 'session', isListed: true },
  { name: 'format', isListed: true },
  { name: 'user', isListed: true, isAdministrators: true },
  { name: 'type', values: ['call', 'error'] },
  { name: 'after', values: ago },
  { name: 'before', values: ago },
  { name: 'id', isListed: true },
  { name: 'text' },
] as const satisfies readonly FieldEntry[]

export type FieldName = (typeof fieldEntries)[number]['name']
