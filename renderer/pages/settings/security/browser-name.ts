/** Order matters: every browser also names those that it wants to be taken for. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const first = (list: readonly [RegExp, string][], text: string): string =>
  list.find(([pattern]) => pattern.test(text))?.[1] ?? ''

/** A user agent as people say it: "Firefox, Linux"; its first word where it is none that is known. */
export function browserName(userAgent: string): string {
  const known = [first(browsers, userAgent), first(systems, userAgent)].filter(Boolean).join(', ')
  return known || (userAgent.split(/[\s/]/)[0] ?? '')
}
