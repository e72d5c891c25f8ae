import { Button, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../../preload/contract.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import { lossNote } from '../../loss-facts.ts'
import { JsonTree } from '../body/json-tree.tsx'
import { parseTree } from '../body/parse-tree.ts'
import { RawText } from '../body/raw-text.tsx'
import { Segments } from '../layout/segments.tsx'
import styles from './formats.module.css'

type Formats = OperationOutput<'capture.formats'>['formats']

/** One request in every wire format, each with its losses. */
export function FormatViews({ formats }: { formats: Formats }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1200 })
  const [chosen, setChosen] = useState<string>(formats[1]?.format ?? formats[0]?.format ?? '')
  const shown = formats.find(({ format }) => format === chosen) ?? formats[0]
  const body = shown?.body ?? ''
  const tree = useMemo(() => parseTree(body), [body])
  if (!shown) return null
  return (
    <div className={styles.views}>
      <Group gap={8}>
        <Segments<string>
          label={t('inspector.format')}
          value={shown.format}
          onChange={setChosen}
          data={formats.map(({ format, losses }) => ({
            value: format,
            label: losses.length > 0 ? `${format} −${losses.length}` : format,
          }))}
        />
        {!shown.error && (
          <Button variant="default" onClick={() => clipboard.copy(body)}>
            {t(clipboard.copied ? 'common.copied' : 'inspector.copyBody')}
          </Button>
        )}
      </Group>
      {shown.error ? (
        <Text c="var(--bad)">{shown.error}</Text>
      ) : (
        <>
          <Losses losses={shown.losses} isOwn={shown === formats[0]} />
          <div className={styles.body}>
            {tree ? (
              <JsonTree key={chosen} tree={tree} label={shown.format} />
            ) : (
              <RawText text={body} label={shown.format} />
            )}
          </div>
        </>
      )}
    </div>
  )
}

function Losses({ losses, isOwn }: { losses: Formats[number]['losses']; isOwn: boolean }) {
  const { t } = useTranslation()
  const say = useSentence()
  if (losses.length === 0) {
    return <Text c="dimmed">{t(isOwn ? 'inspector.ownFormat' : 'inspector.noLoss')}</Text>
  }
  return (
    <ul className={styles.losses} aria-label={t('calls.losses')}>
      {losses.map((loss) => (
        <li key={`${loss.path} ${loss.note}`}>
          <span className={styles.path}>{loss.path}</span> {t(`inspector.loss_${loss.kind}`)}:{' '}
          {say(lossNote(loss))}
        </li>
      ))}
    </ul>
  )
}
