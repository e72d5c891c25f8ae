/**
 * Tells where the JSON object (or array) ends that comes in pieces. Holds nothing of it, so that a call's arguments may
 * be as long as they like.
 */
export class JsonEnd {
  #depth = 0
  #isText = false
  #isEscaped = false
  #isEnded = false

  /** The object that was begun is closed. Never true of text that begins otherwise. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Takes the next piece and gives how many of its characters belong to the object. */
  push(piece: string): number {
    if (this.#isEnded) return 0
    for (let index = 0; index < piece.length; index++) {
      const char = piece[index]
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isText) {
        if (char === '\\') this.#isEscaped = true
        else if (char === '"') this.#isText = false
      } else if (char === '"') this.#isText = true
      else if (char === '{' || char === '[') this.#depth++
      else if (char === '}' || char === ']') {
        this.#depth--
        if (this.#depth === 0) {
          this.#isEnded = true
          return index + 1
        }
      }
    }
    return piece.length
  }
}
