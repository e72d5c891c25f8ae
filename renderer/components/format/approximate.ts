/** An estimated figure carries ≈; a dash is no figure. */
export const approximate = (figure: string, isEstimated: boolean): string =>
  isEstimated && figure !== '–' ? `≈ ${figure}` : figure
