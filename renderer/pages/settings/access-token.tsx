import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { ConfirmDialog } from '../../components/actions/confirm-dialog.tsx'
import { Snippet } from '../../components/actions/snippet.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useUnsaved } from '../../components/leaving/use-unsaved.ts'
import { needsStepUp } from '../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../components/step-up/step-up.tsx'
import { useAction, useOperation } from '../../gateway/queries.ts'

/** The token is shown once. */
export function AccessToken() {
  const { t } = useTranslation()
  const [token, setToken] = useState<string | null>(null)
  const [asking, question] = useDisclosure(false)
  const self = useOperation('user.self', {})
  const renew = useAction('user.access-token', ['user.self'])
  useUnsaved(token !== null, false, t('settings.accessTokenLost'))
  const asksForProof = needsStepUp(renew.failure)
  const make = async () => {
    const reply = await renew.run({})
    if (!reply) return
    setToken(reply.data)
    question.close()
  }

  return (
    <Panel title={t('settings.accessToken')} hint={t('settings.accessTokenHint')}>
      <Stack gap="sm" align="stretch">
        {token && (
          <div>
            <Text c="dimmed" mb={4}>
              {t('settings.accessTokenOnce')}
            </Text>
            <Snippet text={token} label={t('settings.accessToken')} />
          </div>
        )}
        {!asking && !asksForProof && <FailureNote failure={renew.failure} />}
        <Group gap={8}>
          {token && <Button onClick={() => setToken(null)}>{t('settings.accessTokenDone')}</Button>}
          <ActionButton
            variant="default"
            busy={renew.busy && !asking}
            busyLabel={t('settings.makingAccessToken')}
            onCancel={renew.cancel}
            onClick={() => (self.data?.has_access_token ? question.open() : void make())}
          >
            {t('settings.newAccessToken')}
          </ActionButton>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={asking && !asksForProof}
        title={t('settings.replaceToken')}
        text={t('settings.replaceTokenText', { name: self.data?.username ?? '' })}
        verb={t('settings.replaceToken')}
        busyLabel={t('settings.makingAccessToken')}
        busy={renew.busy}
        failure={renew.failure}
        onConfirm={() => void make()}
        onCancelRun={renew.cancel}
        onClose={question.close}
      />
      <StepUp
        failure={renew.failure}
        purpose={t('settings.accessTokenProof')}
        onVerified={() => void make()}
        onClose={renew.reset}
      />
    </Panel>
  )
}
