/** So many of them: `1 row`, `2 rows`. */
export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`
