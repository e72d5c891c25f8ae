import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const openLink = (link: object, language?: 'zh') => {
  const gateway = createFakeGateway({
    'backup.list': () => ({ folder: '/data/backups', key: 'file', restore: '', backups: [] }),
    'transfer.found': () => ({ found: [] }),
    'transfer.last': () => null,
    'transfer.link': () => link,
  })
  renderConsole(gateway, '/settings/transfer?link=1', undefined, language)
}

test('a link that can’t be read says why in Chinese', async () => {
  openLink(
    {
      problem: 'The link is longer than 8192 characters.',
      problem_reason: { code: 'link_long', most: 8192 },
      ...{ channels: [], preview: null },
    },
    'zh',
  )
  expect((await screen.findByRole('alert')).textContent).toBe('链接超过 8,192 个字符。')
})

test('a link whose key would go in the clear shows that it is not https', async () => {
  const preview = { from: 'switchyard-link', preview_id: 'one', items: [], left_out: [] }
  const channel = (name: string, base_url: string) => ({
    ...{ name, base_url, masked_key: 'sk-…6789', models: ['one'] },
  })
  openLink({
    ...{ problem: null, problem_reason: null, preview },
    channels: [
      channel('Plain', 'http://relay.example.com/v1'),
      channel('Safe', 'https://relay.example.com/v1'),
    ],
  })
  const plain = await screen.findByRole('region', { name: 'Plain' })
  expect(plain.textContent).toContain('http://relay.example.com')
  expect(screen.getByRole('region', { name: 'Safe' }).textContent).toContain(
    'Hostrelay.example.com',
  )
})
