import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../gateway/queries.ts'
import type { ConnectTool } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { ADDRESS_MARK, TOKEN_MARK } from '../by-hand/marks.ts'
import { ToolSteps } from './tool-steps.tsx'

/** Manual steps beyond the tool's files; empty if the files are enough. */
export function RemainingSteps({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const [key, setKey] = useState<string | null>(null)
  const reveal = useAction('token.reveal')
  const say = useSentence()
  const { token, name } = tool
  const steps = tool.steps.map((step) => say(step).replaceAll(ADDRESS_MARK, window.location.origin))
  if (steps.length === 0) return null
  const isKeyHidden = key === null && steps.some((step) => step.includes(TOKEN_MARK))
  const show = async (id: number) => {
    const reply = await reveal.run({ id })
    if (reply) setKey(reply.data.key)
  }
  return (
    <Stack gap={6}>
      <Text fw={600}>{t('connectTools.stepsLeft')}</Text>
      <ToolSteps steps={steps.map((step) => step.replaceAll(TOKEN_MARK, key ?? TOKEN_MARK))} />
      {isKeyHidden && token && (
        <Group>
          <ActionButton
            variant="default"
            busy={reveal.busy}
            busyLabel={t('connectTools.showingKey')}
            onCancel={reveal.cancel}
            onClick={() => void show(token.id)}
            aria-label={t('connectTools.showKeyNamed', { name })}
          >
            {t('connectTools.showKey')}
          </ActionButton>
        </Group>
      )}
      <FailureNote failure={reveal.failure} />
    </Stack>
  )
}
