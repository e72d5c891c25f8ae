import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtEntry, projectFolder } from '../../support/gateway/gateway-command.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'

test('a gateway whose files were replaced by an update says that it has to be restarted', async (context) => {
  if (!existsSync(builtEntry)) return context.skip('needs the built gateway (npm run build)')
  // Within the project, where its packages are found.
  const output = join(projectFolder, 'test/output')
  mkdirSync(output, { recursive: true })
  const copy = mkdtempSync(join(output, 'updated-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const built = join(copy, 'dist')
  cpSync(dirname(dirname(builtEntry)), built, { recursive: true })
  const gateway = await runGateway({ entry: join(built, 'main/headless.js') })
  for (const file of readdirSync(join(built, 'main'))) {
    if (file.startsWith('api-endpoints-')) rmSync(join(built, 'main', file))
  }
  const answer = await fetch(`${gateway.url}/api/status`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({
    message: 'Switchyard was updated while it ran. Restart it.',
  })
})
