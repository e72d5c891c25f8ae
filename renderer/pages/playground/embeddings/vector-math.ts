type Vector = readonly number[]

const dot = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

/** Its length; 1 where a vendor normalizes. */
export const norm = (vector: Vector): number => Math.sqrt(dot(vector, vector))

/** The cosine of the angle between two vectors, from -1 to 1; null where one of them is all zeros. */
export function similarity(one: Vector, other: Vector): number | null {
  const lengths = norm(one) * norm(other)
  return lengths === 0 ? null : Math.max(-1, Math.min(1, dot(one, other) / lengths))
}
