import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

interface BuiltFile {
  file: string
  imports?: string[]
  css?: string[]
}

const folder = new URL('../../dist/renderer/', import.meta.url)
const read = (path: string | URL) => readFileSync(new URL(path, folder))
const manifest: Record<string, BuiltFile> = JSON.parse(String(read('.vite/manifest.json')))

/** The files of a part, and of all that it imports at once. */
function filesOf(parts: readonly string[]): string[] {
  const seen = new Set<string>()
  const files = new Set<string>()
  const add = (part: string) => {
    if (seen.has(part)) return
    seen.add(part)
    const built = manifest[part]
    if (!built) throw new Error(`${part} was not built`)
    files.add(built.file)
    for (const file of built.css ?? []) files.add(file)
    built.imports?.forEach(add)
  }
  parts.forEach(add)
  return [...files]
}

const html = String(read('index.html'))
/** What the page itself names. */
const start = Object.keys(manifest).filter((part) =>
  html.includes(`"/console/${manifest[part]?.file}"`),
)
const overview = 'pages/overview/overview-page.tsx'

/** Bytes of script and style, as they are and compressed. */
const most = { plain: 600_000, gzip: 190_000 }

test.each(['english', 'chinese'])(
  'a first visit to the Overview loads at most 600 KB of script and style, 190 KB of them compressed (%s)',
  (language) => {
    const bodies = filesOf([...start, overview, `i18n/${language}/first-texts.ts`]).map(read)
    const sum = (size: (body: Buffer) => number) =>
      bodies.reduce((total, body) => total + size(body), 0)
    // Else nothing was counted.
    expect(bodies.length).toBeGreaterThan(4)
    expect(sum((body) => body.length)).toBeLessThanOrEqual(most.plain)
    expect(sum((body) => gzipSync(body).length)).toBeLessThanOrEqual(most.gzip)
  },
)

test('a first visit to any page loads at most 20 files of script and style', () => {
  const pages = Object.keys(manifest).filter((part) => /^pages\/.*-page\.tsx$/.test(part))
  expect(pages.length).toBeGreaterThan(15)
  const counts = pages.map((page) => {
    const rest = [page, 'further-styles.ts', 'i18n/chinese/texts.ts']
    return [page, filesOf([...start, ...rest]).length] as const
  })
  expect(counts.filter(([, count]) => count > 20)).toEqual([])
})

/** Names of Mantine’s classes. */
const classesIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => text.match(/\bm_[0-9a-f]{5,8}\b/g) ?? []))

test('everything of Mantine that a screen shows has its style, on the first screen already', () => {
  const known = classesIn([
    String(read(new URL('../../node_modules/@mantine/core/styles.css', import.meta.url))),
  ])
  const without = (parts: readonly string[], styles: readonly string[]) => {
    const texts = (ending: string, of: readonly string[]) =>
      filesOf(of)
        .filter((file) => file.endsWith(ending))
        .map((file) => String(read(file)))
    const styled = classesIn(texts('.css', styles))
    return [...classesIn(texts('.js', parts))].filter(
      (name) => known.has(name) && !styled.has(name),
    )
  }
  const opened = ['components/shell/health-popover.tsx', 'components/feedback/placed-tooltip.tsx']
  expect(without([...start, overview, ...opened], [...start, overview])).toEqual([])
  const all = Object.keys(manifest).filter((part) => manifest[part]?.file.endsWith('.js'))
  expect(without(all, [...start, 'further-styles.ts'])).toEqual([])
  // A part that no first screen shows does need them: else the two lists of styles are one.
  expect(without(all, start).length).toBeGreaterThan(10)
})
