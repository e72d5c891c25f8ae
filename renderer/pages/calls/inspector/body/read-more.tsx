import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../../components/format/use-format.ts'
import type { Action } from '../../../../gateway/queries.ts'

interface ReadMoreProps {
  /** Bytes, roughly, that are on screen, and all that were kept. */
  shown: number
  kept: number
  action: Action<'capture.body'>
  onMore: () => void
  onAll?: () => void
}

/** Below a part of a body: how much of it is shown, and the way to the rest. */
export function ReadMore({ shown, kept, action, onMore, onAll }: ReadMoreProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (action.busy) return <Busy label={t('inspector.readingBody')} onCancel={action.cancel} />
  return (
    <>
      <FailureNote failure={action.failure} onRetry={onMore} />
      <Group gap={8}>
        <Text c="dimmed">
          {t('inspector.shownOf', { shown: format.size(shown), all: format.size(kept) })}
        </Text>
        <Button variant="default" size="compact-xs" onClick={onMore}>
          {t('inspector.showMore')}
        </Button>
        {onAll && (
          <Button variant="default" size="compact-xs" onClick={onAll}>
            {t('inspector.showAll')}
          </Button>
        )}
      </Group>
    </>
  )
}
