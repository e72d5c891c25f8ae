import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { asJson } from '../../../../renderer/pages/playground/chat/conversations/export-conversation.ts'
import {
  blankTurn,
  newRecord,
} from '../../../../renderer/pages/playground/chat/desk/chat-record.ts'
import { createFakeGateway } from '../../fake-client.ts'
import { open } from './chat-stage.ts'

/** The list of conversations, opened, and a file chosen in it. */
async function openList() {
  const user = await open(createFakeGateway())
  const openIt = async () => {
    await user.click(screen.getByRole('button', { name: 'Conversations' }))
    await screen.findByRole('button', { name: 'Import' })
  }
  const field = () => document.querySelector<HTMLInputElement>('[role=dialog] input[type=file]')
  const choose = (name: string, text: string) =>
    user.upload(field() as HTMLInputElement, new File([text], name, { type: 'application/json' }))
  const take = async (text: string) => {
    const record = newRecord()
    const turn = { ...blankTurn, id: 'a', parent: null, role: 'user' as const, text }
    const columns = record.columns.map((column) => ({ ...column, turns: [turn], leaf: 'a' }))
    await choose('mine.json', asJson({ ...record, columns }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await openIt()
  return { user, openIt, choose, take }
}

test('an exported conversation is imported in the list and opened; another file says what it isn’t', async () => {
  const { choose, take } = await openList()
  await choose('other.json', '{}')
  await screen.findByText('other.json isn’t a conversation exported as JSON.')
  await take('From a file')
  expect(screen.getByText('From a file')).toBeTruthy()
})

test('a deleted conversation leaves the list at once, and only several are offered to be deleted together', async () => {
  const { user, openIt, take } = await openList()
  await take('The first')
  await openIt()
  await screen.findByRole('button', { name: /^The first/ })
  expect(screen.queryByRole('button', { name: 'Delete all' })).toBeNull()
  await take('The second')
  await openIt()
  await screen.findByRole('button', { name: 'Delete all' })
  await user.click(screen.getByRole('button', { name: 'Delete “The first”' }))
  const question = await screen.findByRole('dialog', { name: 'Delete conversation' })
  await user.click(within(question).getByRole('button', { name: 'Delete conversation' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^The first/ })).toBeNull())
  expect(screen.getByRole('button', { name: /^The second/ })).toBeTruthy()
})
