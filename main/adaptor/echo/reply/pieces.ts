/** No stream is cut into more pieces than this, so that a long text does not take long. */
const MOST = 40

/** A text in the small pieces that a model would stream; joined they are the text. */
export function pieces(text: string): string[] {
  const words = text.match(/\s*\S{1,8}|\s+$/gu) ?? []
  const together = Math.ceil(words.length / MOST)
  const result: string[] = []
  for (let index = 0; index < words.length; index += together) {
    result.push(words.slice(index, index + together).join(''))
  }
  return result
}
