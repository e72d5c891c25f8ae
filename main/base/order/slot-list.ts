/** An item of a SlotList. */
export interface Slotted {
  /** Kept by the list: -1 while the member is in none. A member is in one list at most. */
  slot: number
}

/**
 * An unordered list with cheap adding and removing, for what lives as long as a call. A Set would do but
 * for V8: when a Set that has grown old makes itself a new table, the old one stays until the next full
 * collection and keeps alive all that stood in it, and with it the bodies of thousands of calls.
 */
export class SlotList<Member extends Slotted> {
  readonly #members: Member[] = []

  get size(): number {
    return this.#members.length
  }

  add(member: Member): void {
    if (member.slot >= 0) return
    member.slot = this.#members.length
    this.#members.push(member)
  }

  remove(member: Member): void {
    const { slot } = member
    if (slot < 0) return
    member.slot = -1
    const last = this.#members.pop()
    if (last === undefined || last === member) return
    this.#members[slot] = last
    last.slot = slot
  }

  /** Visits every member; members may be removed meanwhile. */
  each(visit: (member: Member) => void): void {
    // Backwards, because removing moves the last member, which has been visited, into the gap.
    for (let index = this.#members.length - 1; index >= 0; index--) {
      const member = this.#members[index]
      if (member) visit(member)
    }
  }
}
