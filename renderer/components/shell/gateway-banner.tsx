import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { GatewayHealth, ServerFacts } from '../../gateway/records.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { useSentence } from '../../i18n/use-sentence.ts'

const interval = 60_000

/** Codes of warnings that pass by themselves; the Health page shows them. */
const passing = ['channels_cooling', 'channels_probing', 'event_loop_slow']
/** Codes with a banner of their own, on every page: no page tells them again. */
const codesWithBanner = ['keychain_locked', 'paused']

export const withoutBanner = (warnings: GatewayHealth['warnings']) =>
  warnings.filter(({ code }) => !codesWithBanner.includes(code))

/**
 * The gateway's warnings on every page, for administrators. A warning can be dismissed; it shows again when
 * it comes back.
 */
export function GatewayBanner({ server }: { server: ServerFacts | undefined }) {
  const { t } = useTranslation()
  const say = useSentence()
  const [location] = useLocation()
  const [dismissed, setDismissed] = useLocalStorage<string[]>({
    key: 'switchyard-put-away',
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: codesIn,
  })
  const isAdministrator = useIsAdministrator()
  const health = useOperation(
    'diagnostics.health',
    {},
    { enabled: isAdministrator, refetchInterval: interval },
  )
  useRefreshOn('server', [['diagnostics.health']])

  const known = health.data?.warnings
  useEffect(() => {
    if (!known) return
    const kept = dismissed.filter((code) => known.some((warning) => warning.code === code))
    if (kept.length < dismissed.length) setDismissed(kept)
  }, [known, dismissed, setDismissed])

  // The server's facts are read more often, so they may know it first.
  const ledgerProblem = health.data?.ledger.problem ? null : server?.ledger_problem
  const isFailing = Boolean(ledgerProblem) || health.data?.status === 'failing'
  const warnings = withoutBanner(known ?? []).filter(
    ({ code }) => !passing.includes(code) && (isFailing || !dismissed.includes(code)),
  )
  const messages = [
    ...(ledgerProblem ? [t('shell.ledgerProblem', { problem: ledgerProblem })] : []),
    ...warnings.map(say),
  ]
  // These pages tell it themselves; the Overview leaves to the banner what stops the gateway.
  const isTold = location === '/health' || (location === '/' && !isFailing)
  if (messages.length === 0 || isTold) return null
  return (
    <Alert
      color={isFailing ? 'red' : 'orange'}
      role={isFailing ? 'alert' : 'status'}
      m="md"
      mb={0}
      icon={<IconAlertTriangle size={16} />}
      withCloseButton={!isFailing}
      closeButtonLabel={t('common.close')}
      onClose={() => setDismissed([...dismissed, ...warnings.map(({ code }) => code)])}
    >
      <Group gap="4px 12px">
        <Text style={{ overflowWrap: 'anywhere' }}>{messages[0]}</Text>
        <Anchor component={Link} href="/health" c="inherit" td="underline">
          {messages.length > 1
            ? t('health.bannerMore', { count: messages.length - 1 })
            : t('health.details')}
        </Anchor>
      </Group>
    </Alert>
  )
}

/** Empty when the stored text isn't ours. */
function codesIn(text: string | undefined): string[] {
  try {
    const codes: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(codes) ? codes.map(String) : []
  } catch {
    return []
  }
}
