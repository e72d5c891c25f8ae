import { expect, test } from 'vitest'
import type { ChatStore } from '../../../../renderer/pages/playground/chat/desk/chat-store.ts'
import { imageTask } from '../../../../renderer/pages/playground/image/image-task.ts'
import { TaskRunner } from '../../../../renderer/pages/playground/run/task-runner.ts'
import { createFakeGateway } from '../../fake-client.ts'

test('a prompt that is pasted before the browser’s store is open is there after a reload', async () => {
  const forms = new Map<string, object>()
  // The browser's own store, as far as forms are concerned.
  const store = {
    form: async (name: string) => forms.get(name) ?? null,
    saveForm: async (name: string, form: object) => void forms.set(name, form),
  } as unknown as ChatStore
  const client = createFakeGateway()
  const runner = new TaskRunner(client, imageTask)
  runner.fill({ prompt: 'A fox at dusk' })
  await runner.keepIn(store)
  const reloaded = new TaskRunner(client, imageTask)
  await reloaded.keepIn(store)
  expect(reloaded.read().draft.prompt).toBe('A fox at dusk')
})
