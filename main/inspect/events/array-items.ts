/** The items of a JSON array that comes in pieces of text, each as its source text. */
export class ArrayItems {
  /** The item that is not whole yet. */
  #held = ''
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** The items that this piece completes. */
  push(piece: string): string[] {
    const found: string[] = []
    let from = 0
    for (let index = 0; index < piece.length; index++) {
      const depth = this.#depth
      const isBorder = this.#take(piece[index] as string)
      if (!isBorder) continue
      // Before the array's own bracket stands nothing but blanks.
      const item = depth === 0 ? '' : (this.#held + piece.slice(from, index)).trim()
      if (item !== '') found.push(item)
      this.#held = ''
      from = index + 1
    }
    if (this.#depth > 0) this.#held += piece.slice(from)
    return found
  }

  /** Takes a character; is it the array's own bracket, or a comma between two items? */
  #take(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#isInString = false
      return false
    }
    if (character === '"') this.#isInString = true
    else if (character === '[' || character === '{') return this.#depth++ === 0
    else if (character === ']' || character === '}') return --this.#depth === 0
    return character === ',' && this.#depth === 1
  }
}
