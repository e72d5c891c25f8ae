import { Alert, Button, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconPlayerRecord } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ConfirmDialog } from '../../../../components/actions/confirm-dialog.tsx'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { Countdown } from '../../../../components/format/countdown.tsx'
import { useFormat } from '../../../../components/format/use-format.ts'
import { useAction, useOperation } from '../../../../gateway/queries.ts'
import { roles, useRole } from '../../../../gateway/use-role.ts'
import styles from './capture.module.css'
import { CaptureBurst } from './capture-burst.tsx'

/** Milliseconds between two looks at how much is kept. */
const STEP = 10_000

/** How calls are captured and how much is kept, with the owner's ways to change it. Administrators see it. */
export function CaptureControl() {
  const { t } = useTranslation()
  const format = useFormat()
  const role = useRole()
  const [opened, panel] = useDisclosure(false)
  const [asking, question] = useDisclosure(false)
  const isAdministrator = role >= roles.administrator
  const status = useOperation(
    'capture.status',
    {},
    { enabled: isAdministrator, refetchInterval: STEP },
  )
  const clear = useAction('capture.clear', [
    'capture.status',
    'call.timeline',
    'call.one',
    'capture.get',
  ])
  if (!isAdministrator) return null

  const data = status.data
  const until = data?.burst_until ?? null
  const count = (data?.memory.count ?? 0) + (data?.disk.count ?? 0)
  const deleteAll = async () => {
    if (await clear.run({})) question.close()
  }
  const close = () => {
    clear.cancel()
    clear.reset()
    question.close()
  }
  const used = ({ count: calls, bytes, cap }: { count: number; bytes: number; cap: number }) =>
    t('captures.used', { count: calls, bytes: format.size(bytes), cap: format.size(cap) })

  return (
    <>
      <Popover opened={opened} onChange={panel.toggle} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            variant="default"
            color={data?.problem ? 'red' : undefined}
            leftSection={
              data?.problem ? (
                <IconAlertTriangle size={14} color="var(--bad)" />
              ) : (
                <IconPlayerRecord
                  size={14}
                  className={styles.record}
                  data-on={(data && (data.level !== 'off' || until !== null)) || undefined}
                />
              )
            }
            onClick={panel.toggle}
            aria-expanded={opened}
          >
            <span>
              {t('captures.capture')}
              {data && ' · '}
              {until !== null ? (
                <Countdown until={until * 1000} />
              ) : (
                data && t(`captures.level_${data.level}`)
              )}
            </span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('captures.capture')} className={styles.panel}>
          <QueryView query={status} verb={t('captures.loading')}>
            {({ level, memory, disk, problem }) => (
              <Stack gap={8}>
                {problem && (
                  <Alert color="red" icon={<IconAlertTriangle size={16} />}>
                    {problem}
                  </Alert>
                )}
                <Text>{t(`captures.levelHint_${level}`)}</Text>
                <dl className={styles.space}>
                  <dt>{t('captures.memory')}</dt>
                  <dd>{used(memory)}</dd>
                  <dt>{t('captures.disk')}</dt>
                  <dd>{used(disk)}</dd>
                </dl>
                {role >= roles.owner && (
                  <>
                    <CaptureBurst />
                    <Button
                      variant="default"
                      component={Link}
                      href="/settings/options"
                      onClick={panel.close}
                    >
                      {t('captures.settings')}
                    </Button>
                    <Button
                      color="red"
                      variant="light"
                      disabled={count === 0}
                      onClick={() => {
                        panel.close()
                        question.open()
                      }}
                    >
                      {t('captures.deleteAll')}
                    </Button>
                  </>
                )}
              </Stack>
            )}
          </QueryView>
        </Popover.Dropdown>
      </Popover>
      <ConfirmDialog
        opened={asking}
        title={t('captures.deleteAll')}
        text={t('captures.deleteText', {
          count,
          bytes: format.size((data?.memory.bytes ?? 0) + (data?.disk.bytes ?? 0)),
        })}
        verb={t('captures.deleteAll')}
        busyLabel={t('common.deleting')}
        busy={clear.busy}
        failure={clear.failure}
        onConfirm={() => void deleteAll()}
        onCancelRun={clear.cancel}
        onClose={close}
      />
    </>
  )
}
