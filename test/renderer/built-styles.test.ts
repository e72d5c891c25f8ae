import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../dist/renderer/assets/', import.meta.url)

test('no sheet asks for the theme in a way that the build turns into nothing', () => {
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(5)
  // The build rewrites light-dark() to variables that only a color-scheme in the same sheet sets: its value is lost.
  // Use the variables of theme.ts, or [data-mantine-color-scheme].
  const asking = sheets.filter((name) =>
    /light-dark\(|--lightningcss-/.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  expect(asking).toEqual([])
})
