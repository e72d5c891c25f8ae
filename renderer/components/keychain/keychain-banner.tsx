import { Alert, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { ServerFacts } from '../../gateway/records.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { ActionButton } from '../actions/action-button.tsx'
import { FailureNote } from '../feedback/failure-note.tsx'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'

const forgetKeysDialog = lazyCode(
  async () => (await import('./forget-keys-dialog.tsx')).ForgetKeysDialog,
)

export function KeychainBanner({ server }: { server: ServerFacts | undefined }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [isForgetting, setForgetting] = useState(false)
  const isLocked = server?.keychain_locked === true
  const isOwner = useRole() === roles.owner
  const keychain = useOperation('keychain.get', {}, { enabled: isLocked })
  useRefreshOn('server', isLocked ? [['keychain.get']] : [])
  const retry = useAction('keychain.retry', ['keychain.get', 'server.get'])

  // Everything read while the keychain was locked lacks its keys.
  const wasLocked = useRef(false)
  useEffect(() => {
    if (wasLocked.current && !isLocked) void queryClient.invalidateQueries()
    wasLocked.current = isLocked
  }, [isLocked, queryClient])

  if (!isLocked) return null
  const { reason, keychain: name, sealed } = keychain.data ?? {}
  return (
    <Alert
      color="red"
      role="alert"
      m="md"
      mb={0}
      icon={<IconLock size={16} />}
      title={t('keychain.title')}
    >
      <Text>
        {reason && `${t(`keychain.${reason}`)} `}
        {t('keychain.until')}
      </Text>
      {isOwner && (
        <>
          <Text c="dimmed">
            {name && `${t('keychain.name', { name })} `}
            {t('keychain.restart')}
          </Text>
          <FailureNote failure={retry.failure} />
          <Group gap={8} mt="xs">
            <ActionButton
              busy={retry.busy}
              busyLabel={t('keychain.retrying')}
              onCancel={retry.cancel}
              onClick={() => void retry.run({})}
            >
              {t('common.retry')}
            </ActionButton>
            <Button variant="default" onClick={() => setForgetting(true)}>
              {t('keychain.forget')}
            </Button>
          </Group>
          {isForgetting && sealed && (
            <LazyPart
              code={forgetKeysDialog}
              props={{ sealed, onClose: () => setForgetting(false) }}
            />
          )}
        </>
      )}
    </Alert>
  )
}
