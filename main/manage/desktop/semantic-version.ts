/** https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string */
const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/

export interface SemanticVersion {
  /** Major, minor, patch: any size, so no numbers. */
  core: readonly bigint[]
  /** Empty for a release. */
  prerelease: readonly string[]
}

/** Null for a text that is no version by semver 2.0.0. */
export function readVersion(text: string): SemanticVersion | null {
  const found = pattern.exec(text)
  if (!found) return null
  const [, major = '', minor = '', patch = '', prerelease = ''] = found
  return {
    core: [major, minor, patch].map(BigInt),
    prerelease: prerelease === '' ? [] : prerelease.split('.'),
  }
}

const order = <Value extends bigint | string | number>(one: Value, other: Value): number =>
  one === other ? 0 : one < other ? -1 : 1

/** Numbers by their size and below words, words by their ASCII (semver 2.0.0 §11.4). */
function orderOfIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return order(BigInt(one), BigInt(other))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return order(one, other)
}

function orderOfPrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return order(other.length, one.length)
  for (const [at, identifier] of one.entries()) {
    const against = other[at]
    if (against === undefined) return 1
    const by = orderOfIdentifiers(identifier, against)
    if (by !== 0) return by
  }
  return order(one.length, other.length)
}

/** Below 0 where the first comes before the second (semver 2.0.0 §11); builds (`+…`) do not count. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const [at, part] of one.core.entries()) {
    const by = order(part, other.core[at] ?? 0n)
    if (by !== 0) return by
  }
  return orderOfPrereleases(one.prerelease, other.prerelease)
}
