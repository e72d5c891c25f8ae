import { Alert, Anchor, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { Snippet } from '../../../components/actions/snippet.tsx'
import type { ConnectTool } from '../../../gateway/records.ts'
import { SnippetToken } from './snippet-token.tsx'

type Shell = ConnectTool['snippets'][number]['shell']

const shells: Partial<Record<Shell, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'PowerShell',
}

/** Stands in the texts for the key of a token. */
const placeholder = '<token>'

/** Steps and texts to paste, for a tool that isn't written to from here. */
export function ByHand({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const [key, setKey] = useState<string | null>(null)
  const { name, problem, snippets, docs_url, read_on } = tool
  const usual = navigator.userAgent.includes('Windows') ? 'powershell' : 'bash'
  const first = snippets.find(({ shell }) => shell === usual) ?? snippets[0]
  const tabOf = (index: number) => `${snippets[index]?.shell}-${index}`
  const nameOf = (shell: Shell) =>
    shells[shell] ?? t(shell === 'steps' ? 'connectTools.asSteps' : 'connectTools.asFile')
  return (
    <Stack gap="md">
      {problem && (
        <Alert color="orange" role="note">
          {problem}
        </Alert>
      )}
      {snippets.some(({ text }) => text.includes(placeholder)) && (
        <SnippetToken name={name} placeholder={placeholder} onKey={setKey} />
      )}
      <Tabs defaultValue={first ? tabOf(snippets.indexOf(first)) : null} keepMounted={false}>
        <Tabs.List aria-label={t('connectTools.ways')}>
          {snippets.map(({ shell }, index) => (
            <Tabs.Tab key={tabOf(index)} value={tabOf(index)} px={10} py={8}>
              {nameOf(shell)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ shell, path, text }, index) => (
          <Tabs.Panel key={tabOf(index)} value={tabOf(index)} pt="sm">
            <Text c="dimmed" mb={8}>
              {t(`connectTools.${leadOf(shell, path)}`)}{' '}
              {path !== null && <CopyText value={path} label={t('connectTools.file')} wraps />}
            </Text>
            <Snippet
              text={key === null ? text : text.replaceAll(placeholder, key)}
              label={t('connectTools.snippetOf', { name, shell: nameOf(shell) })}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text c="dimmed">
        <Anchor href={docs_url} target="_blank" rel="noreferrer" underline="always" inherit>
          {t('connectTools.docs', { name })}
        </Anchor>{' '}
        {t('connectTools.readOn', { date: read_on })}
      </Text>
    </Stack>
  )
}

function leadOf(shell: Shell, path: string | null) {
  if (shell === 'steps') return 'followSteps'
  if (shell === 'file') return 'pasteFile'
  return path === null ? 'pasteTerminal' : 'pasteTerminalAndKeep'
}
