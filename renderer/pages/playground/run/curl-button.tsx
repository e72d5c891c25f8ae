import { Anchor, Button, Modal, SegmentedControl, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Snippet } from '../../../components/actions/snippet.tsx'
import type { Shell } from '../../../components/format/shell-word.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { type CurlRequest, curlCommand } from './curl-command.ts'

export function CurlButton({ request }: { request: () => CurlRequest }) {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconTerminal2 size={14} />}
        onClick={dialog.open}
        aria-haspopup="dialog"
      >
        {t('tasks.curl')}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        size={680}
        title={t('tasks.curlTitle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {opened && <CurlCommand request={request()} />}
      </Modal>
    </>
  )
}

export function CurlCommand({ request }: { request: CurlRequest }) {
  const { t } = useTranslation()
  const server = useOperation('server.get', {})
  const [shell, setShell] = useState<Shell>(
    navigator.userAgent.includes('Windows') ? 'powershell' : 'posix',
  )
  const command = curlCommand(request, server.data?.url ?? window.location.origin, shell)
  return (
    <>
      <SegmentedControl
        mb="sm"
        aria-label={t('tasks.shell')}
        data={[
          { value: 'posix', label: 'bash, zsh' },
          { value: 'powershell', label: 'PowerShell' },
        ]}
        value={shell}
        onChange={(value) => setShell(value as Shell)}
      />
      <Snippet text={command} label={t('tasks.curlTitle')} />
      <Text c="dimmed" mt="sm">
        <Trans
          i18nKey="tasks.curlKey"
          values={{ variable: shell === 'posix' ? '$SWITCHYARD_KEY' : '$env:SWITCHYARD_KEY' }}
          components={{
            code: <span className="mono" />,
            tokens: <Anchor component={Link} href="/connect/tokens" inherit underline="always" />,
          }}
        />
      </Text>
    </>
  )
}
