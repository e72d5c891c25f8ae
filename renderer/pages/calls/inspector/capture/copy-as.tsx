import { Button, Menu, Modal } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../../preload/contract.ts'
import { ActionButton } from '../../../../components/actions/action-button.tsx'
import { saveFile } from '../../../../components/actions/save-file.ts'
import { Snippet } from '../../../../components/actions/snippet.tsx'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../../gateway/queries.ts'

type Kind = OperationInput<'capture.export'>['as']

const copied: readonly Kind[] = ['curl', 'powershell', 'http', 'typescript', 'python']
const saved: readonly Kind[] = ['har', 'fixture']

/** Copies a captured call as a command or a script, or saves it as a file. */
export function CopyAs({ requestId }: { requestId: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const [shown, setShown] = useState<OperationOutput<'capture.export'> | null>(null)
  const action = useAction('capture.export')

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])

  const run = async (as: Kind) => {
    const reply = await action.run({ request_id: requestId, as })
    if (!reply) return
    const { name, media_type: type, text } = reply.data
    if (saved.includes(as)) return saveFile(name, text, type)
    // Browsers lend their clipboard to secure origins alone, and may refuse it.
    try {
      await navigator.clipboard.writeText(text)
      setShown(null)
      setCopied(true)
    } catch {
      setShown(reply.data)
    }
  }

  return (
    <>
      {action.busy ? (
        <ActionButton
          variant="default"
          busy
          busyLabel={t('inspector.writing')}
          onCancel={action.cancel}
        >
          {t('inspector.copyAs')}
        </ActionButton>
      ) : (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button
              variant="default"
              rightSection={isCopied ? <IconCheck size={14} /> : <IconChevronDown size={14} />}
            >
              {t(isCopied ? 'common.copied' : 'inspector.copyAs')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {copied.map((as) => (
              <Menu.Item key={as} onClick={() => void run(as)}>
                {t(`inspector.as_${as}`)}
              </Menu.Item>
            ))}
            <Menu.Divider />
            {saved.map((as) => (
              <Menu.Item key={as} onClick={() => void run(as)}>
                {t(`inspector.as_${as}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <FailureNote failure={action.failure} />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={t('inspector.copyYourself')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {shown && <Snippet text={shown.text} label={shown.name} />}
      </Modal>
    </>
  )
}
