type Vector = readonly number[]

const dot = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

/** 1 for vendors that normalize. */
export const norm = (vector: Vector): number => Math.sqrt(dot(vector, vector))

/** From -1 to 1; null when one vector is all zeros. */
export function similarity(one: Vector, other: Vector): number | null {
  const lengths = norm(one) * norm(other)
  return lengths === 0 ? null : Math.max(-1, Math.min(1, dot(one, other) / lengths))
}
