/** With other fields of the row at an index. */
export const withRow = <Row>(rows: readonly Row[], at: number, fields: Partial<Row>): Row[] =>
  rows.map((row, index) => (index === at ? { ...row, ...fields } : row))

export const withoutRow = <Row>(rows: readonly Row[], at: number): Row[] =>
  rows.filter((_, index) => index !== at)

/** With the row at an index moved by one place, up (-1) or down (1). */
export function withRowMoved<Row>(rows: readonly Row[], at: number, step: number): Row[] {
  const moved = [...rows]
  const taken = moved.splice(at, 1)
  moved.splice(at + step, 0, ...taken)
  return moved
}
