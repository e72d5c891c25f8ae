import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { echoChannel, type Management, startManagement } from '../management.ts'
import { choiceOf, connect, preview, undo, viewOf } from './connect-stage.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

/** A gateway whose disk is full after so many further changes of its state. */
async function stageOnDisk(home: ToolHome) {
  const room = { writes: Number.POSITIVE_INFINITY }
  const stage = await startManagement({
    env: { HOME: home.path, PATH: '' },
    openStateFile: (folder) => {
      const file = openConfFile(folder)
      return {
        path: file.path,
        write(data) {
          if (room.writes === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
          room.writes--
          file.write(data)
        },
      }
    },
  })
  await stage.owner.send('POST', '/api/channel', echoChannel())
  return { stage, room }
}

const standing = async ({ stage, home }: { stage: Management; home: ToolHome }) => {
  const { body } = await stage.owner.get('/api/token/')
  const { status, can_undo, chosen } = await viewOf(stage, 'gemini-cli')
  return { files: home.snapshot(), tokens: body.data.items, status, can_undo, chosen }
}

test.each([0, 1, 2])(
  'a disk that is full after %s changes: the tool is connected, or no token and no change is left',
  async (writes) => {
    const home = toolHome()
    const { stage, room } = await stageOnDisk(home)
    const before = await standing({ stage, home })
    const { digest } = await preview(stage, 'gemini-cli')
    const choice = { ...choiceOf('gemini-cli'), digest }
    room.writes = writes
    const { body } = await stage.owner.send('POST', '/api/connect/apply', choice)
    const after = await standing({ stage, home })
    if (body.success) expect([after.status, after.tokens.length]).toEqual(['here', 1])
    else expect(after).toEqual(before)
    expect(body.success).toBe(writes > 0)
  },
)

test('a change of a connection on a full disk leaves the one before, and Undo still gives the bytes back', async () => {
  const home = toolHome()
  const { stage, room } = await stageOnDisk(home)
  const first = home.snapshot()
  await connect(stage, 'gemini-cli')
  const before = await standing({ stage, home })
  room.writes = 0
  const { body } = await connect(stage, 'gemini-cli', 'echo-mini')
  expect(body.code).toBe('storage_failed')
  expect(await standing({ stage, home })).toEqual(before)
  room.writes = Number.POSITIVE_INFINITY
  expect((await undo(stage, 'gemini-cli')).body.success).toBe(true)
  expect(home.snapshot()).toEqual(first)
})

test('a folder that was made for a connection goes with it when that fails', async () => {
  const home = toolHome({})
  const { stage, room } = await stageOnDisk(home)
  room.writes = 0
  expect((await connect(stage, 'gemini-cli')).body.code).toBe('storage_failed')
  expect(readdirSync(home.path)).toEqual([])
})
