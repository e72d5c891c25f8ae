import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { ImportPreview } from './import-preview.tsx'
import { LastImport } from './last-import.tsx'

/** `?link=N`: the desktop was opened with a link. Only a click in here adds anything of it. */
export function LinkDialog() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('link')) || 0
  const close = () => setParams({}, { replace: true })
  return (
    <Modal
      opened={id > 0}
      onClose={close}
      size={640}
      title={t('transfer.linkTitle')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {id > 0 && <LinkContent key={id} id={id} onClose={close} />}
    </Modal>
  )
}

function LinkContent({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation()
  const link = useOperation('transfer.link', { id }, { forget: true })
  const say = useSentence()
  const [isApplied, setApplied] = useState(false)
  return (
    <Stack gap="md">
      <QueryView query={link} verb={t('transfer.reading')}>
        {({ problem, problem_reason: reason, channels, preview }) =>
          problem !== null ? (
            <Alert color="red" role="alert">
              {say({ message: problem, reason })}
            </Alert>
          ) : (
            <>
              <Text c="dimmed">{t('transfer.linkHint')}</Text>
              {channels.map((channel) => (
                <LinkChannel key={channel.name} channel={channel} />
              ))}
              {isApplied ? (
                <LastImport onUndone={onClose} />
              ) : (
                preview && (
                  <ImportPreview
                    preview={withoutHosts(preview)}
                    onApplied={() => setApplied(true)}
                  />
                )
              )}
            </>
          )
        }
      </QueryView>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t(isApplied ? 'common.close' : 'transfer.linkDismiss')}
        </Button>
      </Group>
    </Stack>
  )
}

type Channel = OperationOutput<'transfer.link'>['channels'][number]

/** They stand above it. */
const withoutHosts = (preview: OperationOutput<'transfer.preview'>) => ({
  ...preview,
  items: preview.items.map((item) => ({
    ...item,
    notes: item.notes.filter(({ code }) => code !== 'goes_to'),
  })),
})

/** With the scheme where that is not https: the key would go there in the clear. */
function hostOf(text: string): string {
  if (!URL.canParse(text)) return text
  const { protocol, host } = new URL(text)
  return protocol === 'https:' ? host : `${protocol}//${host}`
}

function LinkChannel({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { name, base_url, masked_key, models } = channel
  const facts = [
    [t('transfer.linkHost'), base_url === null ? t('transfer.linkOwnHost') : hostOf(base_url)],
    [t('transfer.linkKey'), masked_key === '' ? t('transfer.linkNoKey') : masked_key],
    [t('transfer.linkModels'), models.join(', ')],
  ] as const
  return (
    <section aria-label={name}>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <dl style={{ margin: 0 }}>
        {facts.map(([label, value]) => (
          <Group key={label} gap={8} wrap="nowrap" align="flex-start">
            <Text component="dt" c="dimmed" miw={64}>
              {label}
            </Text>
            <Text component="dd" m={0} className="mono" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Group>
        ))}
      </dl>
    </section>
  )
}
