import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tools } from '../../../../main/connect/tools.ts'
import { connect, stageAt, undo } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

test('Undo leaves no folder that a connection had made, for any tool', async () => {
  const home = toolHome({})
  const stage = await stageAt(home)
  for (const { id } of tools.filter(({ kind }) => kind === 'file')) {
    const made = (await connect(stage, id)).body
    expect(made.success, `${id}: ${made.message}`).toBe(true)
    expect((await undo(stage, id)).body.success).toBe(true)
    expect([id, ...readdirSync(home.path)]).toEqual([id])
  }
})
