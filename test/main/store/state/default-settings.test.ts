import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'

test('an option that nobody set stays what it is in every gateway that runs', async () => {
  const lines = Object.entries(defaultSettings).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}\n`,
  )
  // After a change that is meant: npx vitest run --config=vite.config.ts default-settings -u
  await expect(lines.join('')).toMatchFileSnapshot('./default-settings.txt')
})
