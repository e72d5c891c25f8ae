import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { saveFile } from '../../components/actions/save-file.ts'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useAction } from '../../gateway/queries.ts'

export function BundleButton() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  const [saved, setSaved] = useState<string | null>(null)
  const bundle = useAction('diagnostics.bundle')

  const open = () => {
    setSaved(null)
    bundle.reset()
    dialog.open()
  }
  const close = () => {
    bundle.cancel()
    dialog.close()
  }
  const save = async () => {
    const reply = await bundle.run({})
    if (!reply) return
    const name = bundleName(new Date())
    saveFile(name, `${JSON.stringify(reply.data, null, 2)}\n`, 'application/json')
    setSaved(name)
  }

  return (
    <>
      <Button variant="default" leftSection={<IconFileDownload size={14} />} onClick={open}>
        {t('health.bundle')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('health.bundle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack gap="md">
          <Text>{t('health.bundleHint')}</Text>
          <FailureNote failure={bundle.failure} />
          {saved && (
            <Text role="status" c="var(--good)">
              {t('health.bundleSaved', { name: saved })}
            </Text>
          )}
          <Group justify="flex-end">
            <ActionButton
              busy={bundle.busy}
              busyLabel={t('health.savingBundle')}
              onCancel={bundle.cancel}
              onClick={() => void save()}
            >
              {t('common.save')}
            </ActionButton>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** `switchyard-diagnostics-2026-01-31T12-00-59.json`, in UTC. */
const bundleName = (now: Date): string =>
  `switchyard-diagnostics-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.json`
