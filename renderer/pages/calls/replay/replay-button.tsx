import { Button, Kbd, Tooltip } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import { useReplayKey } from './use-replay-key.ts'

interface ReplayedCall {
  request_id?: string | undefined
  /** 2 and 5 are model calls. */
  type: number
  has_capture?: boolean | undefined
}

/** Where a call is replayed; null for what is no call. */
export function replayPath({ request_id: id, type }: ReplayedCall): string | null {
  if (!id || (type !== 2 && type !== 5)) return null
  return `/calls/replay/${encodeURIComponent(id)}`
}

/** Opens the replay of a call; with `hotkey` also by R. Nothing for a row that is no call. */
export function ReplayButton({ call, hotkey = false }: { call: ReplayedCall; hotkey?: boolean }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const isAdministrator = useIsAdministrator()
  // Users of whose calls no capture is shown would find only a refusal there.
  const path = isAdministrator || call.has_capture !== false ? replayPath(call) : null
  useReplayKey(hotkey && path !== null ? () => navigate(path) : null)
  if (path === null) return null
  return (
    <Tooltip label={t('replay.buttonHint')}>
      <Button
        component={Link}
        href={path}
        variant="default"
        leftSection={<IconRepeat size={14} aria-hidden />}
        rightSection={hotkey ? <Kbd size="xs">R</Kbd> : undefined}
        {...(hotkey ? { 'aria-keyshortcuts': 'R' } : {})}
      >
        {t('replay.button')}
      </Button>
    </Tooltip>
  )
}
