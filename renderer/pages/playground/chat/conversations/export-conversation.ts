import type { ChatRecord, Turn } from '../desk/chat-record.ts'
import { nameOf, threadOf } from '../desk/thread.ts'

/** A name that every file system takes. */
export const fileNameOf = (record: ChatRecord): string =>
  nameOf(record)
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 60) || 'conversation'

/** A fence that is longer than any inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function turnAsMarkdown(turn: Turn): string {
  const { role, model, text, reasoning, attachments, calls, isEdited } = turn
  const head = role === 'user' ? '**User**' : `**${model}**${isEdited ? ' (edited)' : ''}`
  const parts = [
    head,
    ...attachments.map(({ name, type }) => `*${name}* (${type})`),
    ...(reasoning ? [reasoning.replaceAll(/^/gm, '> ')] : []),
    ...(text ? [text] : []),
    ...calls.map(({ name, arguments: json, result }) =>
      [`\`${name}\``, fenced(json, 'json'), ...(result === null ? [] : [fenced(result)])].join(
        '\n\n',
      ),
    ),
    ...(turn.failure?.message ? [`*${turn.failure.message}*`] : []),
  ]
  return parts.join('\n\n')
}

/** The branch that is shown, column by column. */
export function asMarkdown(record: ChatRecord): string {
  const { columns } = record
  const sections = columns.map((column, index) => {
    const { settings } = column
    const title = columns.length > 1 ? [`## ${index + 1}. ${settings.model}`] : []
    const system = settings.system.trim() ? [`**System**\n\n${settings.system.trim()}`] : []
    return [...title, ...system, ...threadOf(column).map(turnAsMarkdown)].join('\n\n')
  })
  return `${[`# ${nameOf(record)}`, ...sections].join('\n\n')}\n`
}

/** All branches, with settings and figures; the bytes of files are left out. */
export const asJson = (record: ChatRecord): string =>
  `${JSON.stringify({ ...record, name: nameOf(record) }, null, 2)}\n`
