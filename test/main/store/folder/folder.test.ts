import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFolder } from '../../../../main/store/folder/folder.ts'
import { StartError } from '../../../../main/store/folder/start-error.ts'
import { tempFolder } from './temp-folder.ts'

const holder = fileURLToPath(new URL('hold-folder.ts', import.meta.url))

/** Another process that takes the folder; `said` is what it answered. */
async function takeInAnotherProcess(
  folder: string,
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', holder, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

describe('the data folder', () => {
  test('is created for its owner only', () => {
    const path = join(tempFolder(), 'deep', 'Switchyard')
    const folder = openFolder(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(folder.file('ledger.db')).toBe(join(path, 'ledger.db'))
    expect(JSON.parse(readFileSync(folder.file('lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
    })
    folder.release()
    expect(existsSync(folder.file('lock'))).toBe(false)
  })

  test('that is in use names the process and where it listens', () => {
    const path = tempFolder()
    const folder = openFolder(path)
    folder.announce('http://127.0.0.1:4747')
    expect(() => openFolder(path)).toThrow(StartError)
    expect(() => openFolder(path)).toThrow(`process ${process.pid}, at http://127.0.0.1:4747`)
    folder.release()
    openFolder(path).release()
  })

  test('that another process uses is refused until that one is gone, even when it was killed', async () => {
    const path = tempFolder()
    const { child, said } = await takeInAnotherProcess(path)
    expect(said).toBe('taken')
    expect(() => openFolder(path)).toThrow(`process ${child.pid}, at http://127.0.0.1:1`)
    await kill(child)
    expect(existsSync(join(path, 'lock'))).toBe(true)
    const folder = openFolder(path)
    expect(JSON.parse(readFileSync(folder.file('lock'), 'utf8')).pid).toBe(process.pid)
    folder.release()
  })

  test('is not kept closed by the notice of a process whose number is used again', () => {
    const path = tempFolder()
    writeFileSync(
      join(path, 'lock'),
      JSON.stringify({ pid: process.ppid, url: 'http://x', startedAt: 1 }),
    )
    openFolder(path).release()
  })

  test('goes to exactly one of several processes that start at the same instant', async () => {
    const path = tempFolder()
    const started = await Promise.all([1, 2, 3, 4].map(() => takeInAnotherProcess(path)))
    const answers = started.map(({ said }) => said)
    expect(answers.filter((said) => said === 'taken')).toHaveLength(1)
    const winner = started.find(({ said }) => said === 'taken')
    for (const said of answers.filter((answer) => answer !== 'taken')) {
      expect(said).toContain(`process ${winner?.child.pid}`)
    }
  })

  test('that cannot be written says so', () => {
    const path = tempFolder()
    writeFileSync(join(path, 'file'), '')
    expect(() => openFolder(join(path, 'file'))).toThrow(StartError)
    expect(() => openFolder(join(path, 'file', 'inside'))).toThrow(
      /cannot be used \(ENOTDIR: (?!ENOTDIR).*--data-dir/,
    )
    if (existsSync('/proc/self')) expect(() => openFolder('/proc/switchyard')).toThrow(StartError)
  })
})
