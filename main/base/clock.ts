/** Unix time in whole seconds, as every stored and served time is. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)
