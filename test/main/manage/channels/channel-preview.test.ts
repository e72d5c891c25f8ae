import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'

test('the form shows the address of a whole answer where a stream has another', async () => {
  const { owner } = await startManagement()
  expect((await owner.get('/api/channel/preview_url?type=24')).body.data.urls).toContainEqual({
    format: 'generate-content',
    url: 'https://generativelanguage.googleapis.com/v1beta/models/MODEL:generateContent',
  })
})
