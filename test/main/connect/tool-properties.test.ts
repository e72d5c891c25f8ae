import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { GatewayError } from '../../../main/base/errors.ts'
import { applyConnection } from '../../../main/connect/apply-connection.ts'
import { ConnectFolder } from '../../../main/connect/connect-record.ts'
import { editText, parseText } from '../../../main/connect/format/edit-text.ts'
import { valueAt, withValue } from '../../../main/connect/format/key-path.ts'
import { planConnection } from '../../../main/connect/plan-connection.ts'
import type { Connection, Json, KeyPath, Machine, Tool } from '../../../main/connect/tool.ts'
import { toolStatus } from '../../../main/connect/tool-status.ts'
import { tools } from '../../../main/connect/tools.ts'
import { undoConnection } from '../../../main/connect/undo-connection.ts'
import { runsOf } from '../../support/every-case.ts'
import { anyToolFile } from './any-tool-file.ts'

const runs = runsOf(30, 15)

/** Every run writes and syncs some ten files: in memory that takes no time. */
const folderOfRuns = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const anyConnection: fc.Arbitrary<Connection> = fc
  .record({
    small: fc.option(fc.constantFrom('S', 'M'), { nil: undefined }),
    subagent: fc.option(fc.constant('A'), { nil: undefined }),
    context: fc.option(fc.constant(200_000)),
  })
  .map(({ small, subagent, context }) => ({
    ...{ address: 'http://127.0.0.1:4747', token: 'sk-1' },
    models: { main: 'M', ...(small && { small }), ...(subagent && { subagent }) },
    facts: () => ({ context, output: context && 8000, images: context === null ? null : true }),
  }))

const remarks = (text: string) => (text.match(/(?:#|\/\/) §[^\r\n]*/g) ?? []).sort()

const layoutOf = (text: string) => ({
  hasMark: text.startsWith('\uFEFF'),
  lineEnds: [...new Set(text.match(/\r?\n/g))],
})

/** A machine with nothing but the tool's files; texts by their ids, null where there is none. */
function stageOf(tool: Tool) {
  const root = mkdtempSync(join(folderOfRuns, 'switchyard-any-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const machine: Machine = {
    ...{ platform: 'linux' as const, home: join(root, 'home'), env: {}, exists: existsSync },
  }
  const folder = new ConnectFolder(join(root, 'data'))
  const files = tool.files(machine)
  const read = () =>
    Object.fromEntries(
      files.map(({ id, path }) => [id, existsSync(path) ? readFileSync(path, 'utf8') : null]),
    )
  const write = (texts: Record<string, string | null>) => {
    rmSync(root, { recursive: true, force: true })
    for (const { id, path } of files) {
      const text = texts[id]
      if (typeof text !== 'string') continue
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
  const apply = (connection: Connection) => {
    const plan = planConnection(tool, connection, machine, folder, null)
    const chosen = { models: connection.models, token: { id: 1, isMade: true } }
    const { record, keep } = applyConnection(tool, connection, chosen, plan, folder)
    keep()
    return { plan, record }
  }
  return { machine, folder, files, read, write, apply }
}

/** Key or entry that somebody else adds after it was connected. */
const foreign = (value: Json): { path: KeyPath; value: Json } =>
  Array.isArray(value)
    ? { path: [{ entry: { name: 'foreign', model_id: 'foreign' } }], value: { mine: 'x' } }
    : { path: ['foreign'], value: 'x' }

test.each(tools.filter(({ kind }) => kind === 'file').map((tool) => [tool.id, tool] as const))(
  '%s: in any of its files only our keys change, twice is once, and Undo gives the bytes back',
  (_id, tool) => {
    const { machine, folder, files, read, write, apply } = stageOf(tool)
    const anyTexts = fc.record(
      Object.fromEntries(
        files.map(({ id, format, path }) => {
          const everything = tool.edits(fc.sample(anyConnection, 1)[0] as Connection, {
            ...machine,
            exists: () => true,
          })
          const own = everything.filter(({ file }) => file === id).map((edit) => edit.path)
          expect(own.length, path).toBeGreaterThan(0)
          return [id, fc.option(anyToolFile(format, own), { freq: 8 })]
        }),
      ),
    )
    let [connected, refused] = [0, 0]
    fc.assert(
      fc.property(anyTexts, anyConnection, (texts, connection) => {
        write(texts)
        const done = attempt(() => apply(connection))
        if (done === null) {
          refused += 1
          expect(read()).toEqual(texts)
          return
        }
        connected += 1
        const after = read()
        const { record, plan } = done
        const before = (id: string, format: (typeof files)[number]['format']) =>
          parseText(format, texts[id] ?? '')
        for (const { file, keys } of plan.files) {
          const { id, format } = file
          const isOwn = tool.edits(connection, machine).filter((edit) => edit.file === id)
          const paths = keys.map(({ path }) => JSON.stringify(path))
          const wanted = isOwn
            .filter(({ path }) => paths.includes(JSON.stringify(path)))
            .reduce((all, { path, value }) => withValue(all, path, value), before(id, format))
          expect(parseText(format, after[id] ?? '')).toEqual(wanted)
          for (const { path, isDefault } of isOwn)
            if (isDefault) expect(valueAt(wanted, path)).not.toBeUndefined()
          const isFresh = keys.every((key) => key.before === undefined)
          const [{ hasMark, lineEnds }, layout] = [texts[id], after[id]].map((text) =>
            layoutOf(text ?? ''),
          ) as [ReturnType<typeof layoutOf>, ReturnType<typeof layoutOf>]
          expect(layout.hasMark).toBe(hasMark)
          if (lineEnds.length > 0) expect(layout.lineEnds).toEqual(lineEnds)
          if (isFresh) expect(remarks(after[id] ?? '')).toEqual(remarks(texts[id] ?? ''))
        }
        const { address } = connection
        expect(toolStatus(tool, machine, address, folder.read(tool.id)).status).toBe('here')
        apply(connection)
        expect(read()).toEqual(after)
        undoConnection(tool, machine, folder)
        expect(read()).toEqual(texts)

        apply(connection)
        for (const { id, path, format } of files) {
          const text = after[id]
          if (typeof text === 'string')
            writeFileSync(path, editText(format, text, [foreign(parseText(format, text))]))
        }
        undoConnection(tool, machine, folder)
        for (const { id, format } of files) {
          if (after[id] === null) continue
          const left = read()[id] ?? ''
          const change = foreign(parseText(format, after[id] ?? ''))
          expect(parseText(format, left)).toEqual(
            withValue(before(id, format), change.path, change.value),
          )
          const isFresh = record.files.every(({ keys }) =>
            keys.every((key) => key.before === undefined),
          )
          if (isFresh) expect(remarks(left)).toEqual(remarks(texts[id] ?? ''))
        }
      }),
      runs,
    )
    // Odd shapes may be refused, whole; that stays an exception.
    expect(connected).toBeGreaterThan(refused)
  },
)

/** null: refused with a sentence, as a file whose shape leaves our keys no place is. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'conflict') return null
    throw error
  }
}
