/** Does one of the forms of a text (`textForms`) stand in one of the bodies, case aside? */
export function containsText(bodies: readonly Buffer[], forms: readonly string[]): boolean {
  return bodies.some((body) => {
    const told = body.toString('utf8').toLowerCase()
    return forms.some((form) => told.includes(form))
  })
}
