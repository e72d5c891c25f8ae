/** A text as it may stand in a body, in lower case: as it is, and as JSON writes it where that's different. */
export function textForms(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  return [...new Set([text.toLowerCase(), inJson.toLowerCase()])]
}
