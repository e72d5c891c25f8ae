import { screen } from '@testing-library/react'
import { createFakeGateway, type FakeGateway } from '../../fake-client.ts'
import { tokenRecord } from '../tokens/token-records.ts'
import { machineView } from './tool-views.ts'

export const path = '/home/ada/.claude/settings.json'
const models = [
  { id: 'sonnet', display_name: 'Sonnet', tools: true, context: 200_000, fits: true },
  { id: 'mystery', display_name: 'Mystery', tools: null, context: null, fits: null },
  { id: 'tiny', display_name: 'Tiny', tools: false, context: 4096, fits: false },
]
export const diff = [
  `--- ${path}`,
  `+++ ${path}`,
  '@@ -1,3 +1,3 @@',
  ' {',
  '-  "model": "opus"',
  '+  "model": "sonnet"',
  ' }',
  '\\ No newline at end of file',
].join('\n')
export const previewOf = (fields: object = {}) => ({
  files: [{ path, before: '{}', after: '{}', diff }],
  warnings: [],
  token: { id: null, name: 'Claude Code', aliases: {}, adds: [], refuses: [] },
  digest: 'of-this-preview',
  ...fields,
})
const tokens = { page: 1, page_size: 100, total: 1, items: [tokenRecord()] }

export const gatewayOf = (
  tools: unknown[],
  answers: Parameters<typeof createFakeGateway>[0] = {},
) =>
  createFakeGateway({
    'connect.tools': () => ({ local: true, machine: machineView(), tools }),
    'connect.models': () => ({ models }),
    'connect.preview': () => previewOf(),
    'token.list': () => tokens,
    ...answers,
  })

export const inputs = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map((call) => call.input)

export const cardOf = async (name: string) =>
  (await screen.findByRole('heading', { level: 3, name })).closest('li') as HTMLElement
