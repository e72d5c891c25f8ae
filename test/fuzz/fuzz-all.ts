import { inspect } from 'node:util'
import { attackBodies } from './attack-bodies.ts'
import { attackForms } from './attack-forms.ts'
import { attackHeaders } from './attack-headers.ts'
import { attackOperations } from './attack-operations.ts'
import { attackSockets } from './attack-sockets.ts'
import { attackUpstream } from './attack-upstream.ts'
import { type Attack, Fault } from './fault.ts'
import { closeConnections } from './judge.ts'
import { type Stage, startStage } from './stage.ts'

export interface FuzzOptions {
  /** How many inputs in all. */
  inputs: number
  /** The same seed makes the same inputs. */
  seed: number
  /** One attack only, and of it one index only. */
  only?: string
  at?: number
  /** Told now and then how many inputs were tried. */
  onProgress?(tried: number): void
}

/** An input that did harm, with what makes it again. */
export interface Finding {
  attack: string
  index: number
  message: string
}

export interface FuzzResult {
  tried: number
  findings: Finding[]
  /** How many inputs each attack made. */
  byAttack: Record<string, number>
}

const AT_ONCE = 32
/** A run that finds as much has found enough. */
const MOST_FINDINGS = 50
/** Inputs between two looks at the gateway's log. */
const LOOK = 500

const attacksOn = (stage: Stage, seed: number): Attack[] =>
  [attackBodies, attackHeaders, attackUpstream, attackForms, attackSockets, attackOperations].map(
    (make) => make(stage, seed),
  )

/** Throws if calls that have all ended left anything open or held back. */
async function checkLeft(stage: Stage): Promise<void> {
  const { openCalls, reservations } = stage.gateway.parts
  for (let tries = 0; tries < 100 && openCalls.size > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  if (openCalls.size > 0) throw new Error(`${openCalls.size} calls are still open`)
  const held = reservations.ofUser(1)
  if (held > 0) throw new Error(`${held} units are still held back`)
}

/**
 * Attacks a gateway in this process with inputs that are nearly right. An input does harm when it is not answered in
 * 30 s, when it is answered with a failure of the gateway's own or an error without an envelope, when a
 * converted stream has no end, or when something is thrown that nobody catches.
 */
export async function fuzz({
  inputs,
  seed,
  only,
  at,
  onProgress,
}: FuzzOptions): Promise<FuzzResult> {
  const stage = await startStage()
  const findings: Finding[] = []
  const byAttack: Record<string, number> = {}
  let tried = 0
  const found = (attack: string, index: number, error: unknown) => {
    // Any other error is a mistake of the attack itself, or comes from an unknown place.
    const message = error instanceof Fault ? error.message : inspect(error)
    findings.push({ attack, index, message })
  }
  const onStray = (error: unknown) =>
    found('stray', tried, new Fault(`thrown and not caught: ${inspect(error)}`))
  process.on('unhandledRejection', onStray)
  process.on('uncaughtException', onStray)

  async function tryOne(attack: Attack, index: number): Promise<void> {
    try {
      await attack.run(index)
    } catch (error) {
      found(attack.name, index, error)
    }
    byAttack[attack.name] = (byAttack[attack.name] ?? 0) + 1
    tried++
    if (tried % LOOK !== 0) return
    onProgress?.(tried)
    look(tried)
  }
  const look = (index: number) => {
    try {
      stage.checkLog()
    } catch (error) {
      found('log', index, error)
    }
  }

  try {
    for (const attack of attacksOn(stage, seed)) {
      if (only !== undefined && only !== attack.name) continue
      const count = only === undefined ? Math.round(inputs * attack.share) : inputs
      let next = at ?? 0
      const end = at === undefined ? count : at + 1
      const workers = Array.from({ length: AT_ONCE }, async () => {
        while (next < end && findings.length < MOST_FINDINGS) await tryOne(attack, next++)
      })
      await Promise.all(workers)
    }
    look(tried)
    await checkLeft(stage).catch((error: unknown) => found('rest', tried, error))
  } finally {
    closeConnections()
    await stage.close()
    process.off('unhandledRejection', onStray)
    process.off('uncaughtException', onStray)
  }
  return { tried, findings, byAttack }
}
