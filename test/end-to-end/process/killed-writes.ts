import { expect } from 'vitest'
import { callModel } from '../../support/clients/model-call.ts'

/** Somebody who makes one write after another, on records of their own. */
export interface Writer {
  name: string
  index: number
  count: number
  /** Names of the channels made so far. */
  records: string[]
  /** Names of the tokens made so far. */
  tokens: string[]
  ids: Map<string, number>
}

/** Redeeming is limited to 20 in 20 minutes from one address, counted anew after a start. */
const REDEEMED_A_ROUND = 12

/** Keeps the writes to a gateway that is killed now and then, and checks that they are there afterwards. */
export class KilledWrites {
  isKilled = false
  acknowledged = 0
  /** Codes by the name they were made under. */
  readonly issued = new Map<string, readonly string[]>()
  /** Codes that nobody has tried yet. */
  readonly unused: string[] = []
  readonly redeemed = new Set<string>()
  /** Codes whose redeeming got no answer. */
  readonly cut = new Set<string>()
  /** Ids of model calls whose answer came whole. */
  readonly calls: string[] = []
  readonly creditAtFirst: number
  private redeemedNow = 0
  /** Allowed values by name: the one acknowledged last, and one whose write was cut off. */
  private readonly values = new Map<string, (string | undefined)[]>()
  private wake: () => void = () => {}

  constructor(creditAtFirst: number) {
    this.creditAtFirst = creditAtFirst
  }

  beginRound(): void {
    this.isKilled = false
    this.redeemedNow = 0
  }

  /** Resolves at the next acknowledged write. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  /** A write that leaves this value under that name. */
  async put(name: string, value: string, write: () => Promise<void>): Promise<void> {
    const before = this.values.get(name) ?? [undefined]
    this.values.set(name, [...before, value])
    if (await this.isAcknowledged(write)) this.values.set(name, [value])
  }

  async issue(name: string, write: () => Promise<string[]>): Promise<void> {
    const isThere = await this.isAcknowledged(async () => {
      this.issued.set(name, await write())
    })
    if (isThere) this.unused.push(...(this.issued.get(name) ?? []))
  }

  mayRedeem(): boolean {
    return this.redeemedNow++ < REDEEMED_A_ROUND
  }

  async redeem(code: string, write: () => Promise<void>): Promise<void> {
    if (await this.isAcknowledged(write)) this.redeemed.add(code)
    else this.cut.add(code)
  }

  async call(url: string, key: string): Promise<void> {
    const call = callModel(url, key, {})
    await call.over
    if (call.isWhole) {
      expect(call.status).toBe(200)
      this.calls.push(call.id)
    }
  }

  expectValues(found: ReadonlyMap<string, string>): void {
    const wrong = [...this.values]
      .map(([name, allowed]) => ({ name, allowed, found: found.get(name) }))
      .filter(({ allowed, found }) => !allowed.includes(found))
    expect(wrong).toEqual([])
    // The values found now are final: the next write begins from them.
    for (const name of this.values.keys()) this.values.set(name, [found.get(name)])
  }

  /** A refusal is a fault of the test; a connection that ends with the process is not. */
  private async isAcknowledged(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write()
    } catch (error) {
      if (this.isKilled) return false
      throw error
    }
    this.acknowledged++
    this.wake()
    return true
  }
}
