import { expect, test } from 'vitest'
import { echoChannel, startManagement } from '../management.ts'

test('parallel edits of one channel keep each other’s fields', async () => {
  const { owner, signIn } = await startManagement()
  await owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel() })
  const other = await signIn()
  const fields = Object.entries({
    ...{ name: 'Renamed', remark: 'kept', weight: 7, priority: 9, tag: 'blue', models: 'echo' },
    ...{ group: 'default,vip', auto_ban: 0, test_model: 'echo', model_mapping: '{"a":"b"}' },
  })
  const changes = await Promise.all(
    fields.map(([name, value], index) =>
      (index % 2 ? owner : other).send('PUT', '/api/channel/', { id: 1, [name]: value }),
    ),
  )
  expect(changes.map(({ status }) => status)).toEqual(fields.map(() => 200))
  const { data } = (await owner.get('/api/channel/1')).body
  expect(Object.fromEntries(fields.map(([name]) => [name, data[name]]))).toEqual(
    Object.fromEntries(fields),
  )
})
