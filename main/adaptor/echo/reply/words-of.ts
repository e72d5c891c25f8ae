const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}])+/gu

/** A text's words in lower case; what is written without blanks, sign by sign. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? []
