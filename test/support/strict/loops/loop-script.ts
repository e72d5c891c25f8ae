import type { Usage } from '../../../../main/convert/exchange.ts'

export interface ScriptedCall {
  name: string
  /** JSON source text; empty for a call without arguments. */
  arguments: string
}

/** One answer of the loop, before a vendor gives it its shape. */
export interface ScriptedTurn {
  thinking: string
  text: string
  calls: readonly ScriptedCall[]
  usage: Usage
}

/** A number that a double cannot hold. */
export const BIG = '9007199254740993'

const noteArguments = `{"id":${BIG},"title":"größer 长 🎉 \\"quoted\\"","nested":{"list":[1,-2.5,{"deep":null}],"empty":{},"none":[]},"path":"a\\\\b\\n"}`

/**
 * The answers of every strict upstream to a conversation whose request offers `list_files`: two calls at
 * once, then one, then text. The number of results in the request tells which one.
 */
export const loopTurns: readonly [ScriptedTurn, ScriptedTurn, ScriptedTurn] = [
  {
    thinking: 'Two things are wanted: die Größe und 列表. I look at both.',
    text: 'I look at both. 🎉',
    calls: [
      { name: 'list_files', arguments: '' },
      { name: 'write_note', arguments: noteArguments },
    ],
    usage: { input: 1200, cachedInput: 1000, cacheWrite: 64, output: 160, reasoning: 45 },
  },
  {
    thinking: 'The note failed, so I read the file.',
    text: '',
    calls: [{ name: 'read_file', arguments: '{"path":"größe.txt"}' }],
    usage: { input: 1500, cachedInput: 1200, cacheWrite: 0, output: 70, reasoning: 20 },
  },
  {
    thinking: '',
    text: 'All done: größer,\n列表 🎉.',
    calls: [],
    usage: { input: 1800, cachedInput: 1500, cacheWrite: 0, output: 91, reasoning: 30 },
  },
]

/** The turn for a request with this many results, or the last where no loop is offered. */
export function loopTurn(results: number, offersLoop: boolean): ScriptedTurn {
  if (!offersLoop) return loopTurns[2]
  return results === 0 ? loopTurns[0] : results === 2 ? loopTurns[1] : loopTurns[2]
}

/** Text in pieces of a few characters, never through the middle of one. */
export function pieces(text: string, size = 7): string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}
