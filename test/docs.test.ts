import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagTypes } from '../main/options.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isThere = (path: string): boolean => existsSync(join(root, path))

/** Every text in Markdown of the repository. */
const documents = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !['node_modules', 'dist', 'release', '.cache', '.git'].includes(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) =>
          join(entry.name, path).replaceAll('\\', '/'),
        )
      : [entry.name],
  )
  .filter((path) => path.endsWith('.md') && !path.startsWith('test/output/'))

const FENCE = /^ *(```|~~~)(\w*)[^\n]*\n([\s\S]*?)^ *\1/gm
const CODE = /`([^`\n]+)`/g

const withoutCode = (text: string): string => text.replace(FENCE, '').replace(CODE, '')

/** The anchor that GitHub gives a heading: https://docs.github.com/en/get-started/writing-on-github */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = [...text.replace(FENCE, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
    const slug = slugOf(heading ?? '')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  return new Set(anchors)
}

/** Relative links and pictures of a document that lead nowhere. */
function deadLinks(path: string, text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/i.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : relative(root, join(root, dirname(path), file))
    if (file !== '' && !isThere(target)) return [`${path}: ${link}`]
    if (anchor === undefined || !target.endsWith('.md')) return []
    const inTarget = file === '' ? text : read(target)
    return anchorsOf(inTarget).has(anchor) ? [] : [`${path}: ${link} (no such heading)`]
  })
}

const PATH = /^[\w.@-]+(?:\/[\w.@-]+)*\/(?:[\w.@-]+\.(?:tsx?|mjs|json|css|wat|md)|[\w@-]+)?$/

/** Files and folders named in code, `main/relay/relay.ts`: from the root, from `main` or from beside the document; `pages/NAME` is a pattern. */
function deadPaths(path: string, text: string): string[] {
  const here = dirname(path)
  return [...text.replace(FENCE, '').matchAll(CODE)].flatMap(([, code = '']) => {
    const first = code.split('/')[0] ?? ''
    const bases = ['.', 'main', here].filter((base) => isThere(join(base, first)))
    const isPattern = /\b(?!README\b)[A-Z]{3,}\b/.test(code)
    if (!PATH.test(code) || isPattern || first.startsWith('..') || bases.length === 0) return []
    return bases.some((base) => isThere(join(base, code))) ? [] : [`${path}: ${code}`]
  })
}

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Commands in code, inline or in a shell's block, that do not exist here. */
function unknownCommands(path: string, text: string): string[] {
  const blocks = [...text.matchAll(FENCE)].filter(([, , language]) => language !== 'json')
  const inline = [...text.replace(FENCE, '').matchAll(CODE)].map(([, code = '']) => code)
  const code = [...blocks.map(([, , , block = '']) => block), ...inline].join('\n')
  const unknown = [
    ...[...code.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)]
      .filter(([, name = '']) => scripts[name] === undefined)
      .map(([command]) => command),
    ...[...code.matchAll(/\bnpm (start|test)\b/g)]
      .filter(([, name = '']) => scripts[name] === undefined)
      .map(([command]) => command),
    ...[...code.matchAll(/\bnpx (?:--\S+ )*([\w@/.-]+)/g)]
      .filter(
        ([, name = '']) =>
          !isThere(`node_modules/.bin/${name}`) && !isThere(`node_modules/${name}`),
      )
      .map(([command]) => command),
    ...[...code.matchAll(/(?:^|[\s(])node (?:--\S+ )*([\w./-]+\.(?:mjs|ts|js))/gm)]
      .filter(([, file = '']) => !file.startsWith('dist/') && !isThere(file))
      .map(([command]) => command.trim()),
    ...[...code.matchAll(/\bvitest run ([^\n`]*)/g)].flatMap(([, words = '']) =>
      words.split(' ').filter((word) => /^(?:test|main|renderer)\//.test(word) && !isThere(word)),
    ),
    ...[...code.matchAll(/\bnpm run (?:--silent )?gateway -- ([^\n`]*)/g)].flatMap(
      ([, flags = '']) =>
        [...flags.matchAll(/--([\w-]+)/g)]
          .filter(([, flag = '']) => !(flag in flagTypes))
          .map(([flag]) => `gateway ${flag}`),
    ),
  ]
  return unknown.map((command) => `${path}: ${command}`)
}

/** Rooms that say for themselves what they hold and how to add to it. */
const rooms = [
  ...['main', 'main/adaptor', 'main/base', 'main/convert', 'main/desktop', 'main/http'],
  ...['main/manage', 'main/relay', 'main/store', 'main/upstream'],
  ...['preload', 'renderer', 'test', 'test/bench'],
]

describe('documents', () => {
  test.each(documents)('%s names only links, files and commands that there are', (path) => {
    const text = read(path)
    expect([
      ...deadLinks(path, text),
      ...deadPaths(path, text),
      ...unknownCommands(path, text),
    ]).toEqual([])
  })

  test('each way to be wrong is noticed', () => {
    const text = [
      '# One thing: `code`, and *more*',
      '[here](#one-thing-code-and-more) [gone](#two) [file](gone.md) [there](README.md#start)',
      '`main/relay/gone.ts` `main/relay/relay.ts` `main/relay/NAME.ts` `gone/relay.ts` `npm run gone` `npx vitest run test/gone`',
      '```sh\nnode .scripts/gone.mjs && npm run build && npx gone\nnpm run gateway -- --gone 1 --port 2\n```',
      '`[not](a-link.md)`',
    ].join('\n\n')
    expect(deadLinks('here.md', text)).toEqual([
      'here.md: #two (no such heading)',
      'here.md: gone.md',
    ])
    expect(deadPaths('here.md', text)).toEqual(['here.md: main/relay/gone.ts'])
    expect(unknownCommands('here.md', text)).toEqual([
      'here.md: npm run gone',
      'here.md: npx gone',
      'here.md: node .scripts/gone.mjs',
      'here.md: test/gone',
      'here.md: gateway --gone',
    ])
  })

  test('the first page is read in two minutes', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    expect(read('README.md').match(/!\[/g)).toHaveLength(1)
  })

  test('each room has a README', () => {
    expect(rooms.filter((room) => !isThere(`${room}/README.md`))).toEqual([])
  })

  test('what a room says to users is linked from the first page', () => {
    const forUsers = documents.filter((path) => basename(path) === 'using.md')
    expect(forUsers.filter((path) => !read('README.md').includes(`(${path})`))).toEqual([])
  })

  test('every flag of the gateway is in its document', () => {
    const told = read('main/using.md')
    expect(Object.keys(flagTypes).filter((flag) => !told.includes(`\`--${flag}`))).toEqual([])
  })
})
