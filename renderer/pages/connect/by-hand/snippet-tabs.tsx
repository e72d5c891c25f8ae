import { Tabs, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { Snippet } from '../../../components/actions/snippet.tsx'
import type { ConnectTool } from '../../../gateway/records.ts'
import { type Chosen, fillSnippet } from './fill-snippet.ts'

type Shell = ConnectTool['snippets'][number]['shell']

const shells: Partial<Record<Shell, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'PowerShell',
}

interface SnippetTabsProps {
  tool: ConnectTool
  chosen: Chosen
}

/** The same setup as a file and for each shell. */
export function SnippetTabs({ tool: { name, snippets }, chosen }: SnippetTabsProps) {
  const { t } = useTranslation()
  const usual = navigator.userAgent.includes('Windows') ? 'powershell' : 'bash'
  const first = snippets.find(({ shell }) => shell === usual) ?? snippets[0]
  const tabOf = (index: number) => `${snippets[index]?.shell}-${index}`
  const nameOf = (shell: Shell) => shells[shell] ?? t('connectTools.asFile')
  return (
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
            text={fillSnippet(text, shell, chosen)}
            label={t('connectTools.snippetOf', { name, shell: nameOf(shell) })}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function leadOf(shell: Shell, path: string | null) {
  if (shell === 'file') return 'pasteFile'
  return path === null ? 'pasteTerminal' : 'pasteTerminalAndKeep'
}
