/** Numbers as typed. */
export interface GroupDraft {
  /** Identifies the row while its name is typed. */
  id: number
  name: string
  ratio: number | string
  /** '' to top up at the group's own factor. */
  topUpRatio: number | string
  /** Users can choose it for their tokens. */
  usable: boolean
  /** Shown to users. */
  description: string
}

export interface GroupDrafts {
  groups: GroupDraft[]
  /** Groups that `auto` tries, in order. */
  auto: string[]
  /** JSON of user group → used group → factor. */
  special: string
}

type Values = ReadonlyMap<string, string>

function readObject(values: Values, key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(values.get(key) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** One row per group that any of the options names. */
export function readGroups(values: Values): GroupDrafts {
  const ratios = readObject(values, 'GroupRatio')
  const usable = readObject(values, 'UserUsableGroups')
  const topUps = readObject(values, 'TopupGroupRatio')
  const auto = readObject(values, 'AutoGroups')
  const special = readObject(values, 'GroupGroupRatio')
  const names = [
    ...new Set([
      ...[ratios, usable, topUps, special].flatMap(Object.keys),
      ...Object.values(special).flatMap((factors) => Object.keys(Object(factors))),
    ]),
  ]
  return {
    groups: names.map((name, id) => ({
      id,
      name,
      ratio: Number(ratios[name] ?? 1),
      topUpRatio: topUps[name] === undefined ? '' : Number(topUps[name]),
      usable: name in usable,
      description: String(usable[name] ?? ''),
    })),
    auto: Array.isArray(auto) ? auto.map(String) : [],
    special: JSON.stringify(special, null, 2),
  }
}

const record = (entries: [string, unknown][]): string => JSON.stringify(Object.fromEntries(entries))

/** API texts of the options, in the order in which they are saved. */
export function optionsOfGroups({ groups, auto, special }: GroupDrafts): [string, string][] {
  const named = groups
    .map((group) => ({ ...group, name: group.name.trim() }))
    .filter(({ name }) => name !== '')
  const topUps = named.filter(({ topUpRatio }) => topUpRatio !== '')
  const usable = named.filter((group) => group.usable)
  return [
    [
      'GroupRatio',
      record(named.map(({ name, ratio }) => [name, ratio === '' ? null : Number(ratio)])),
    ],
    ['TopupGroupRatio', record(topUps.map(({ name, topUpRatio }) => [name, Number(topUpRatio)]))],
    ['UserUsableGroups', record(usable.map(({ name, description }) => [name, description]))],
    ['AutoGroups', JSON.stringify(auto)],
    ['GroupGroupRatio', special.trim() === '' ? '{}' : special],
  ]
}

export const namesOf = ({ groups }: GroupDrafts): string[] =>
  groups.map(({ name }) => name.trim()).filter((name) => name !== '')

export function nameUsedTwice({ groups }: GroupDrafts): string | null {
  const seen = new Set<string>()
  for (const { name } of groups) {
    const trimmed = name.trim()
    if (trimmed !== '' && seen.has(trimmed)) return trimmed
    seen.add(trimmed)
  }
  return null
}
