/**
 * The circles among files that import each other: of each the files' paths, sorted. `importsOf` gives, by path, the
 * paths that a file imports.
 */
export function importCircles(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map<string, ReadonlySet<string>>()
  for (const path of importsOf.keys()) {
    const seen = new Set<string>()
    const waiting = [path]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const imported of importsOf.get(next) ?? []) {
        if (seen.has(imported)) continue
        seen.add(imported)
        waiting.push(imported)
      }
    }
    reached.set(path, seen)
  }
  const isIn = (one: string, other: string) => reached.get(one)?.has(other) === true
  const circles = new Map<string, string[]>()
  for (const path of importsOf.keys()) {
    if (!isIn(path, path)) continue
    const circle = [...importsOf.keys()].filter((other) => isIn(path, other) && isIn(other, path))
    circles.set(circle.sort().join('\n'), circle)
  }
  return [...circles.values()]
}
