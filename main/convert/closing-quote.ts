const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Is what stands at `end` escaped, as far as the bytes from `from` on tell: by an odd number of backslashes? */
export function isEscapedAt(piece: Buffer, from: number, end: number): boolean {
  let slash = end
  while (slash > from && piece[slash - 1] === BACKSLASH) slash--
  return (end - slash) % 2 === 1
}

/** Index of the quote that ends the JSON string in which `from` is; -1 where that is not among these bytes. */
export function closingQuote(piece: Buffer, from: number): number {
  let quote = piece.indexOf(QUOTE, from)
  while (quote >= 0 && isEscapedAt(piece, from, quote)) quote = piece.indexOf(QUOTE, quote + 1)
  return quote
}
