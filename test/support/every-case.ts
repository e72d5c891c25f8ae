/** `npm run every-case` (test/README.md): products and generated inputs are tried whole, where `npm test` has a sample. */
export const isEveryCase = process.env.EVERY_CASE === '1'

/**
 * One case in `every`, from the case at `first` on. Neighbours that differ in one thing need an `every` that their
 * number doesn't divide, or another `first` each.
 */
export const sampleOf = <Case>(cases: readonly Case[], every: number, first = 0): Case[] =>
  cases.filter((_, index) => isEveryCase || index % every === first % every)

/** How many generated inputs a property is tried with. */
export const runsOf = (whole: number, sample: number): { numRuns: number } => ({
  numRuns: isEveryCase ? whole : sample,
})
