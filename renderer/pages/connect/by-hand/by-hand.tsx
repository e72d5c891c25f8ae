import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectTool } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { ToolSteps } from '../steps/tool-steps.tsx'
import { fillStep } from './fill-snippet.ts'
import { MODEL_MARK, TOKEN_MARK } from './marks.ts'
import { SnippetModel } from './snippet-model.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'
import { SnippetToken } from './snippet-token.tsx'

/** Steps and texts to paste, for a tool that isn't written to from here. */
export function ByHand({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const [key, setKey] = useState<string | null>(null)
  const [model, setModel] = useState<string | null>(null)
  const say = useSentence()
  const { id, name, problem, snippets, docs_url, read_on } = tool
  const steps = tool.steps.map(say)
  const isAsked = (mark: string) =>
    snippets.some(({ text }) => text.includes(mark)) || steps.some((step) => step.includes(mark))
  const chosen = { key, model }
  return (
    <Stack gap="md">
      {problem && (
        <Alert color="orange" role="note">
          {say({ message: problem, reason: tool.problem_reason })}
        </Alert>
      )}
      {isAsked(TOKEN_MARK) && <SnippetToken name={name} placeholder={TOKEN_MARK} onKey={setKey} />}
      {isAsked(MODEL_MARK) && <SnippetModel tool={id} model={model} onModel={setModel} />}
      {snippets.length > 0 && <SnippetTabs tool={tool} chosen={chosen} />}
      {steps.length > 0 && (
        <section aria-label={t('connectTools.steps')}>
          {snippets.length > 0 && (
            <Text fw={600} mb={6}>
              {t('connectTools.stepsAlso')}
            </Text>
          )}
          <ToolSteps steps={steps.map((step) => fillStep(step, chosen))} />
        </section>
      )}
      <Text c="dimmed">
        <Anchor href={docs_url} target="_blank" rel="noreferrer" underline="always" inherit>
          {t('connectTools.docs', { name })}
        </Anchor>{' '}
        {t('connectTools.readOn', { date: read_on })}
      </Text>
    </Stack>
  )
}
