import { Agent } from 'node:http'
import { makeCall } from '../faults/faulty-call.ts'
import { readAnswer } from '../faults/read-answer.ts'
import { planOf, SOAK_MODEL, type TokenName } from './call-plan.ts'

/** One call as its client saw it. */
export interface SeenCall {
  number: number
  /** The gateway's id of the call; '' where no head came. */
  id: string
  status: number
  /** `left`: its client did not wait for the end. */
  outcome: 'whole' | 'refused' | 'cut' | 'left' | 'wrong'
  /** The fault found in the answer, or the error's sentence. */
  note: string
}

function outcomeOf(isLeft: boolean, status: number, ending: string): SeenCall['outcome'] {
  if (isLeft) return 'left'
  if (status >= 400 && ending === 'failed') return 'refused'
  if (status !== 200) return 'wrong'
  return ending === 'whole' ? 'whole' : ending === 'failed' ? 'cut' : 'wrong'
}

async function callOnce(
  url: string,
  keys: Readonly<Record<TokenName, string>>,
  number: number,
  agent: Agent,
): Promise<SeenCall> {
  const { client, stream, token, leavesAfter } = planOf(number)
  const answer = await makeCall({
    ...{ url, key: keys[token], client, model: SOAK_MODEL, stream, agent },
    text: `Call ${number}.`,
    ...(leavesAfter === null ? {} : { leavesAfter }),
  })
  const meaning = readAnswer({ client, stream, asArray: false }, answer)
  const isWrong = !answer.hasLeft && (meaning.problems.length > 0 || !answer.isWhole)
  return {
    number,
    id: String(answer.headers['x-oneapi-request-id'] ?? ''),
    status: answer.status,
    outcome: isWrong ? 'wrong' : outcomeOf(answer.hasLeft, answer.status, meaning.ending),
    note: isWrong
      ? `${answer.isHung ? 'hung ' : ''}${answer.isWhole ? '' : 'broken off '}${meaning.problems.join('; ')}`
      : meaning.error,
  }
}

/** Makes calls 0 to `count` - 1, so many at once; `done` hears of each. */
export async function makeCalls(
  url: string,
  keys: Readonly<Record<TokenName, string>>,
  count: number,
  atOnce: number,
  done: (call: SeenCall) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) done(await callOnce(url, keys, next++, agent))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  agent.destroy()
}
