import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importCircles } from './support/imports/import-circles.ts'
import { type ImportRule, importTable } from './support/imports/import-table.ts'
import { type Import, readImports } from './support/imports/read-imports.ts'

const LONGEST_FILE = 350

/** All files of a folder of the project, as paths with slashes from its root. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'))

const product = ['main', 'preload', 'renderer'].flatMap(filesOf)
const tests = filesOf('test').filter((path) => !/^test\/(fixtures|output)\//.test(path))
const isCode = (path: string) => /\.tsx?$/.test(path)
const read = (path: string) => readFileSync(path, 'utf8')

const startsWithOneOf = (path: string, beginnings: readonly string[] = []) =>
  beginnings.some((beginning) => path.startsWith(beginning))

/** `@mantine/core/styles.css` to `@mantine/core`. */
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function mayImport(path: string, { from, isType }: Import, rule: ImportRule): boolean {
  if (from.startsWith('node:')) return rule.node !== false || isType
  if (from.startsWith('.')) {
    const target = posix.join(posix.dirname(path), from)
    if (target === 'package.json') return true
    if (startsWithOneOf(target, [...rule.of, ...rule.files])) return true
    return isType && startsWithOneOf(target, rule.types)
  }
  const name = packageOf(from)
  if (rule.packages.includes(name)) return true
  if (rule.packagesOfFile?.[path]?.includes(name)) return true
  return isType && (rule.typePackages ?? []).includes(name)
}

describe('what may import what', () => {
  test('the parse sees every way to import, and no text that only looks like one', () => {
    const source = [
      "import plain from 'a'",
      "import {\n  several,\n  type Kind,\n} from 'b'",
      "import type { Only } from 'c'",
      "export * from 'd'",
      "export type { Shape } from 'e'",
      "import 'f'",
      "const late = await import('g')",
      "type Later = typeof import('h')",
      "import type, { x } from 'i'",
      "// import no from 'comment'",
      "/*\nimport no from 'block'\n*/",
      'const snippet = `\nimport no from "template"\n`',
      "export const text = 'import'",
    ].join('\n')
    const seen = readImports(source).map(({ from, isType }) => (isType ? `type ${from}` : from))
    expect(seen).toEqual(['a', 'b', 'type c', 'd', 'type e', 'f', 'i', 'g', 'type h'])
  })

  test('every file of the product belongs to a folder with a rule', () => {
    const ruled = Object.values(importTable).flatMap((rule) => rule.of)
    expect(product.filter((path) => isCode(path) && !startsWithOneOf(path, ruled))).toEqual([])
  })

  test.each(Object.entries(importTable))('%s imports only what it may', (_name, rule) => {
    const wrong = product
      .filter((path) => isCode(path) && startsWithOneOf(path, rule.of))
      .flatMap((path) =>
        readImports(read(path))
          .filter((one) => !mayImport(path, one, rule))
          .map((one) => `${path} imports ${one.isType ? 'types of ' : ''}${one.from}`),
      )
    expect(wrong).toEqual([])
  })

  test('files import each other in no circle, types counted', () => {
    const importsOf = new Map(
      product.filter(isCode).map((path) => {
        const inner = readImports(read(path)).filter(({ from }) => from.startsWith('.'))
        return [path, inner.map(({ from }) => posix.join(posix.dirname(path), from))] as const
      }),
    )
    const circles = importCircles(importsOf)
    expect(circles).toEqual([])
    importsOf.set('one', ['other'])
    importsOf.set('other', ['one'])
    expect(importCircles(importsOf)).toContainEqual(['one', 'other'])
  })

  test('a step of the relay imports only the rooms and steps above it', () => {
    const steps = readdirSync('main/relay').filter((name) => /^\d-/.test(name))
    expect(steps).toHaveLength(6)
    /** Position of a path in the relay: 0 for plain rooms, then the steps, then what sees all of them. */
    const heightOf = (path: string): number => {
      const [, relay, room = ''] = path.split('/')
      if (relay !== 'relay') return -1
      if (room === 'relay-services.ts') return 0.5
      if (steps.includes(room)) return steps.indexOf(room) + 1
      return room === 'session' ? 9 : room.endsWith('.ts') ? 8 : 0
    }
    const wrong = product
      .filter((path) => isCode(path) && path.startsWith('main/relay/'))
      .flatMap((path) =>
        readImports(read(path))
          .map(({ from }) => (from.startsWith('.') ? posix.join(posix.dirname(path), from) : ''))
          .filter((target) => heightOf(target) > Math.max(heightOf(path), 0))
          .map((target) => `${path} imports ${target}`),
      )
    expect(wrong).toEqual([])
  })
})

describe('names and sizes', () => {
  test('the top level holds what the design lists', () => {
    const listed = [
      'package.json',
      'package-lock.json',
      'electron-builder.yml',
      'tsconfig.json',
      'vite.config.ts',
      'main',
      'renderer',
      'preload',
      'test',
      'README.md',
      'LICENSE',
    ]
    const ignored = ['node_modules', 'dist', 'release']
    const found = readdirSync('.').filter((name) => !name.startsWith('.'))
    expect(found.filter((name) => ![...listed, ...ignored].includes(name))).toEqual([])
    expect(listed.filter((name) => !found.includes(name))).toEqual([])
  })

  test('files and folders have kebab-case names that say what they hold', () => {
    const hollow = /^(utils?|helpers?|common|shared|misc|types?|index)$|(^|-)(services?|managers?)$/
    const wrong = [...product, ...tests].filter((path) => {
      const names = path.split('/').map((name, index, all) =>
        // The last one without its endings: `state.test.ts`, `page.module.css`.
        index === all.length - 1 ? (name.split('.')[0] as string) : name,
      )
      // The page's own file has the name that the web expects.
      if (path === 'renderer/index.html') return false
      // By these names Electron knows how to draw them.
      if (/^main\/desktop\/tray-icons\/tray(Template)?(@2x)?\.png$/.test(path)) return false
      // The exception that design §2 names.
      if (path === 'main/relay/relay-services.ts') return false
      // A room's own words (design §2).
      if (path.endsWith('/README.md')) return false
      return names.some((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || hollow.test(name))
    })
    expect(wrong).toEqual([])
  })

  test('nothing is exported without a name', () => {
    const wrong = [...product, ...tests].filter(
      (path) => isCode(path) && /^export (default\b|\{[^}]*\bas default\b)/m.test(read(path)),
    )
    expect(wrong).toEqual([])
  })

  test(`no file is longer than ${LONGEST_FILE} lines`, () => {
    const long = [...product, ...tests, ...filesOf('.scripts')]
      .filter((path) => /\.(tsx?|mjs|css)$/.test(path))
      .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE)
    expect(long).toEqual([])
  })
})
