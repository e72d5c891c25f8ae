import type { RouteNote } from '../../main/relay/call/route-note.ts'
import type { StoredCall } from '../../main/store/ledger/ledger.ts'
import type { Expected, Scene } from './fault.ts'
import type { SeenAnswer } from './faulty-call.ts'
import { readAnswer } from './read-answer.ts'
import { INPUT_RATIO, OUTPUT_RATIO, type Placed } from './stage.ts'

type Failing = Extract<Expected, { kind: 'fails' }>

/** Collects what does not hold, as sentences. */
class Findings {
  readonly list: string[] = []

  demand(holds: boolean, what: string): void {
    if (!holds) this.list.push(what)
  }
}

/** Channel whose answer the client gets in the end; null for none. */
function answeringScene({ bad, good }: Placed, expected: Expected): Scene | null {
  if (expected.kind === 'answer') return bad
  return expected.kind === 'fails' && expected.isRetried ? good : null
}

/** Seconds that the headers tell a client to wait. */
function waitOf({ headers }: SeenAnswer): number {
  if (headers['retry-after-ms'] !== undefined) return Number(headers['retry-after-ms']) / 1000
  const after = String(headers['retry-after'] ?? '')
  const seconds = Number(after)
  return Number.isNaN(seconds) ? (Date.parse(after) - Date.now()) / 1000 : seconds
}

function checkRefusal(answer: SeenAnswer, expected: Failing, error: string, found: Findings) {
  const { status, headers } = answer
  found.demand(expected.status.includes(status), `status ${status}, not ${expected.status}`)
  const { says, wait, isFinal } = expected
  if (says) found.demand(error.includes(says), `"${error.slice(0, 200)}" does not say "${says}"`)
  if (wait) {
    const seconds = waitOf(answer)
    found.demand(
      headers['retry-after'] !== undefined || headers['retry-after-ms'] !== undefined,
      'no retry-after',
    )
    found.demand(seconds >= wait[0] && seconds <= wait[1], `a wait of ${seconds} s, not ${wait}`)
  }
  const word = headers['x-should-retry']
  if (isFinal) found.demand(word === 'false', `x-should-retry is ${word} for what cannot heal`)
  else if (status >= 500 || status === 429)
    found.demand(word !== 'false', `x-should-retry is false for ${status}`)
}

function checkSeen(placed: Placed, answer: SeenAnswer, expected: Expected, found: Findings): void {
  const { cell, bad } = placed
  found.demand(!answer.isHung, 'the call hung')
  found.demand(answer.isWhole, 'the answer’s own connection broke')
  if (answer.isHung || answer.status === 0) return
  const meaning = readAnswer(cell, answer)
  found.list.push(...meaning.problems.map((problem) => `client reads: ${problem}`))
  const scene = answeringScene(placed, expected)
  if (scene) {
    found.demand(answer.status === 200, `status ${answer.status}: ${answer.body.slice(0, 300)}`)
    found.demand(meaning.ending === 'whole', `the answer ends ${meaning.ending}`)
    found.demand(meaning.text === scene.answer.text, `the text is "${meaning.text.slice(0, 100)}"`)
    return
  }
  found.demand(meaning.ending === 'failed', `the answer ends ${meaning.ending}, not failed`)
  if (expected.kind === 'fails') checkRefusal(answer, expected, meaning.error, found)
  else if (expected.kind === 'cut') {
    found.demand(answer.status === 200, `status ${answer.status} after the beginning`)
    const { says } = expected
    if (says) found.demand(meaning.error.includes(says), `"${meaning.error}" does not say it`)
    const isPart =
      answer.isTail || placed.cell.fault.isHeavy || bad.answer.text.startsWith(meaning.text)
    found.demand(isPart, `the text is "${meaning.text.slice(0, 100)}"`)
  }
}

/** The attempts that the row explains, against the channels that were tried. */
function checkRoute(
  placed: Placed,
  tried: number[],
  route: RouteNote | undefined,
  found: Findings,
) {
  const attempts = route?.attempts ?? []
  found.demand(
    attempts.map(({ channel }) => channel).join() === tried.join(),
    `attempts ${JSON.stringify(attempts)} for the channels ${tried}`,
  )
  for (const id of placed.channels)
    found.demand(route?.candidates.some((one) => one.id === id) ?? false, `${id} is no candidate`)
  for (const [index, attempt] of attempts.entries()) {
    const isLast = index === attempts.length - 1
    if (!isLast)
      found.demand(
        attempt.after === 'next' && Boolean(attempt.code),
        `attempt ${index + 1} says ${JSON.stringify(attempt)}`,
      )
    const quotes = attempt.message?.includes('sk-fault') ?? false
    found.demand(!quotes, 'an attempt quotes a key')
  }
}

/** Checks the charge for an answer that had begun: by its reported usage, else by counted tokens. */
function checkCut(placed: Placed, seen: SeenAnswer, row: StoredCall, found: Findings): void {
  const { answer } = placed.bad
  const { promptTokens: input, completionTokens: output, quota } = row
  found.demand(
    quota === input * INPUT_RATIO + output * OUTPUT_RATIO,
    `${quota} units for ${input} and ${output}`,
  )
  if (answer.tellsInputFirst)
    found.demand(input === answer.input, `${input} tokens in, and ${answer.input} were told`)
  else found.demand(input > 0 && input < 100, `${input} tokens in were counted`)
  const hasWords = readAnswer(placed.cell, seen).text !== ''
  found.demand(output > 0 || !hasWords, `${output} tokens out were counted`)
  const most = placed.cell.fault.mostCounted ?? 1000
  found.demand(output <= most, `${output} tokens out were counted`)
  const { estimated } = JSON.parse(row.other) as { estimated?: boolean }
  // Usage that is reported before the end is not an estimate.
  const isTold = output === answer.output
  found.demand(estimated === true || isTold, 'counted tokens are not called so')
}

function checkRow(
  placed: Placed,
  answer: SeenAnswer,
  expected: Expected,
  row: StoredCall,
  found: Findings,
) {
  const scene = answeringScene(placed, expected)
  const isRetried = expected.kind === 'fails' && expected.isRetried && placed.good !== null
  const shouldTry = isRetried ? placed.channels : placed.channels.slice(0, 1)
  const { admin_info: info } = JSON.parse(row.other) as {
    admin_info?: { use_channel?: string[]; route?: RouteNote }
  }
  const tried = (info?.use_channel ?? []).map(Number)
  found.demand(tried.join() === shouldTry.join(), `tried ${tried}, not ${shouldTry}`)
  found.demand(row.channelId === tried.at(-1), `booked on channel ${row.channelId}`)
  checkRoute(placed, tried, info?.route, found)
  if (scene) {
    const { input, output } = scene.answer
    const units = input * INPUT_RATIO + output * OUTPUT_RATIO
    found.demand(row.type === 2, `a row of type ${row.type}`)
    found.demand(row.quota === units, `${row.quota} units, not ${units}`)
    found.demand(row.promptTokens === input, `${row.promptTokens} tokens in, not ${input}`)
    found.demand(row.completionTokens === output, `${row.completionTokens} out, not ${output}`)
  } else if (expected.kind === 'cut') checkCut(placed, answer, row, found)
  else {
    found.demand(row.type === 5, `a row of type ${row.type}`)
    found.demand(row.quota === 0, `${row.quota} units for nothing`)
    found.demand(row.status === answer.status, `booked as ${row.status}, seen ${answer.status}`)
  }
  if (!scene) found.demand(row.content !== '', 'the row does not say why')
  found.demand(!JSON.stringify(row).includes('sk-fault'), 'the row quotes a key')
}

/** Everything that does not hold in a cell; empty where it holds. */
export function checkCell(
  placed: Placed,
  answer: SeenAnswer,
  rows: readonly StoredCall[],
): string[] {
  const found = new Findings()
  const expected = placed.cell.fault.expected(placed.bad)
  checkSeen(placed, answer, expected, found)
  found.demand(rows.length === 1, `${rows.length} rows in the ledger`)
  const [row] = rows
  if (row) checkRow(placed, answer, expected, row, found)
  found.demand(!answer.body.includes('sk-fault'), 'the client is told a key')
  return found.list
}
