import { expect, test } from 'vitest'
import { compareVersions, readVersion } from '../../../../main/manage/desktop/semantic-version.ts'
import { isNewer } from '../../../../main/manage/desktop/update-check.ts'

/** The order of semver.org §11, and some that are easily got wrong as text. */
const ascending = [
  '0.9.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '10.0.0',
  '99999999999999999999.0.0',
]

const read = (text: string) => {
  const version = readVersion(text)
  if (!version) throw new Error(`${text} is no version`)
  return version
}

test('versions are in the order of semver', () => {
  const shuffled = [...ascending].reverse()
  expect(shuffled.sort((one, other) => compareVersions(read(one), read(other)))).toEqual(ascending)
  expect(compareVersions(read('1.0.0+a'), read('1.0.0+b'))).toBe(0)
})

test.each(['1', '1.2', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3 ', 'v1.2.3', '1.2.3\n', ''])(
  '"%s" is no version',
  (text) => {
    expect(readVersion(text)).toBeNull()
  },
)

test('a prerelease is news to who runs one, and never to who runs a release', () => {
  expect(isNewer('2.0.0-rc.1', '1.0.0')).toBe(false)
  expect(isNewer('2.0.0-rc.2', '2.0.0-rc.1')).toBe(true)
  expect(isNewer('2.0.0', '2.0.0-rc.1')).toBe(true)
  expect(isNewer('2.0.0', '2.0.0')).toBe(false)
  expect(isNewer('2.0.0-rc.1', '2.0.0')).toBe(false)
})
