/** Order matters: each browser also names the ones it imitates. */
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

/** "Firefox, Linux"; an unknown user agent's first word. */
export function browserName(userAgent: string): string {
  const known = [first(browsers, userAgent), first(systems, userAgent)].filter(Boolean).join(', ')
  return known || (userAgent.split(/[\s/]/)[0] ?? '')
}
