/**
 * Text in pieces, in which a line ends with CR, LF or CRLF. A piece never ends in CR: a reader would have to wait
 * for the next piece to know whether an LF follows.
 */
export class LineEnds {
  #isBehindReturn = false

  /** The piece without an LF that belongs to the CR before it, and with LF for CR where a CR was its last character. */
  push(piece: string): string {
    if (piece === '') return piece
    const text = this.#isBehindReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#isBehindReturn = piece.endsWith('\r')
    return this.#isBehindReturn ? text.replace(/\r\n?/g, '\n') : text
  }
}
