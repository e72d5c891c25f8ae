import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../components/format/use-format.ts'
import type { PassedCheck } from '../channels/form/channel-form.tsx'
import { FirstToken } from './first-token.tsx'
import { InstalledTools } from './installed-tools.tsx'

/** The last step: the tools that are installed, a token for any other, and the playground. */
export function ToolsStep({ passed }: { passed: PassedCheck | null }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{t('welcome.toolsTitle')}</Title>
        <Text c="dimmed">{t('welcome.toolsHint')}</Text>
      </div>
      {passed && <Passed {...passed} />}
      <InstalledTools />
      <FirstToken />
      <Group justify="flex-end" gap={8} mt="xs">
        <Button component={Link} href="/" variant="subtle" color="gray">
          {t('welcome.finish')}
        </Button>
        <Button component={Link} href="/connect" variant="default">
          {t('welcome.openConnect')}
        </Button>
        <Button component={Link} href="/playground">
          {t('welcome.tryPlayground')}
        </Button>
      </Group>
    </Stack>
  )
}

function Passed({ name, result }: PassedCheck) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = { name, model: result.tested_model, time: format.duration(result.ms) }
  return (
    <Group gap={8} wrap="nowrap" role="status">
      <IconCheck size={16} color="var(--good)" aria-hidden style={{ flex: 'none' }} />
      <Text style={{ overflowWrap: 'anywhere' }}>{t('welcome.checked', facts)}</Text>
    </Group>
  )
}
