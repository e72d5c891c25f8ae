import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { asJson } from '../../../../renderer/pages/playground/chat/conversations/export-conversation.ts'
import {
  blankTurn,
  newRecord,
} from '../../../../renderer/pages/playground/chat/desk/chat-record.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { open } from './chat-stage.ts'

test('an exported conversation is imported in the list and opened; another file says what it isn’t', async () => {
  const user = await open(createFakeGateway())
  await user.click(screen.getByRole('button', { name: 'Conversations' }))
  await screen.findByRole('button', { name: 'Import' })
  const field = () => document.querySelector<HTMLInputElement>('[role=dialog] input[type=file]')
  const choose = (name: string, text: string) =>
    user.upload(field() as HTMLInputElement, new File([text], name, { type: 'application/json' }))
  await choose('other.json', '{}')
  await screen.findByText('other.json isn’t a conversation exported as JSON.')

  const record = newRecord()
  const turn = { ...blankTurn, id: 'a', parent: null, role: 'user' as const, text: 'From a file' }
  const columns = record.columns.map((column) => ({ ...column, turns: [turn], leaf: 'a' }))
  await choose('mine.json', asJson({ ...record, columns }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('From a file')).toBeTruthy()
})
