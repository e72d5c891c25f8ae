/** Weight of one UTF-16 unit in quarters of a token, for the ranges that matter. */
function weight(code: number): number {
  if (code < 0x80) {
    const isWordPart =
      (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x20
    // Digits, punctuation and line ends are cut into more tokens than words are.
    return isWordPart ? 1 : 2
  }
  return code < 0x250 ? 2 : 4
}

/**
 * About how many tokens a model would read in `text`, counted without a tokenizer: a quarter for a
 * letter of English, half for a digit or a sign, one for a CJK character. Too high rather than too
 * low: clients shorten a conversation by such counts, and one that is too low ends in a refusal.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let index = 0; index < text.length; index++) quarters += weight(text.charCodeAt(index))
  return Math.ceil(quarters / 4)
}
