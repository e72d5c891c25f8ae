import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../support/gateway/gateway-command.ts'

test('packages that another folder lends are not deleted when they are others than this one needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-linked-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [lender, borrower] = [join(folder, 'lender'), join(folder, 'borrower')]
  mkdirSync(join(lender, 'node_modules'), { recursive: true })
  writeFileSync(join(lender, 'node_modules/kept.js'), '')
  for (const name of ['.scripts', 'package.json', 'package-lock.json'])
    cpSync(join(projectFolder, name), join(borrower, name), { recursive: true })
  symlinkSync(join(lender, 'node_modules'), join(borrower, 'node_modules'))
  const { status, stderr } = spawnSync(process.execPath, ['.scripts/gateway.mjs'], {
    ...{ cwd: borrower, encoding: 'utf8', timeout: 60_000 },
  })
  expect(stderr).toContain('Remove the link, then start again.')
  expect(status).not.toBe(0)
  expect(existsSync(join(lender, 'node_modules/kept.js'))).toBe(true)
})
