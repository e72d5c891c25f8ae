import { addressGroup } from '../../base/net/address-list.ts'
import type { StoredRefusal } from './refused-request.ts'

/** Rows of one second: from one address, and in all. */
const OF_ADDRESS = 20
const IN_ALL = 200

interface Share {
  count: number
  last: StoredRefusal
}

/** IPv4 addresses count each, IPv6 ones by their network. */
const keyOf = (ip: string): string => (ip.includes(':') ? addressGroup(ip) : ip)

/** How many refused requests of each second get a row of their own. Holds as many addresses as rows. */
export class RefusalRate {
  #second = 0
  #count = 0
  #last: StoredRefusal | null = null
  readonly #shares = new Map<string, Share>()

  /** The row that stands for one more request from the address; null where that gets its own. */
  rowInstead(ip: string, now: number): StoredRefusal | null {
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#count = 0
      this.#shares.clear()
    }
    // Below this no address can have had its share.
    if (this.#count < OF_ADDRESS) return null
    const share = this.#shares.get(keyOf(ip))
    if (share && share.count >= OF_ADDRESS) return share.last
    return this.#count >= IN_ALL ? (share?.last ?? this.#last) : null
  }

  add(row: StoredRefusal): void {
    const key = keyOf(row.ip)
    const share = this.#shares.get(key)
    this.#shares.set(key, { count: (share?.count ?? 0) + 1, last: row })
    this.#count++
    this.#last = row
  }
}
