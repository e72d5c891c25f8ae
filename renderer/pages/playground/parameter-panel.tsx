import {
  ActionIcon,
  Button,
  Collapse,
  Group,
  NumberInput,
  Select,
  Stack,
  Textarea,
  Tooltip,
} from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustments, IconMessagePlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './playground.module.css'
import { useConversation } from './use-conversation.ts'

/** Model, system prompt and the parameters that are sent only when they are set. */
export function ParameterPanel({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const [{ settings, turns }, conversation] = useConversation()
  const [opened, panel] = useDisclosure(false)
  const isNarrow = useMediaQuery('(max-width: 900px)', false)

  return (
    <aside className={styles.parameters} aria-label={t('playground.parameters')}>
      <Stack gap="md">
        <Group gap={8} wrap="nowrap" align="flex-end">
          <Select
            flex={1}
            label={isNarrow ? undefined : t('playground.model')}
            aria-label={t('playground.model')}
            data={[...models]}
            searchable
            allowDeselect={false}
            value={settings.model}
            onChange={(model) => conversation.configure({ model })}
          />
          {isNarrow && (
            <>
              <Tooltip label={t('playground.parameters')}>
                <ActionIcon
                  variant="default"
                  size={30}
                  onClick={panel.toggle}
                  aria-expanded={opened}
                  aria-label={t('playground.parameters')}
                >
                  <IconAdjustments size={16} />
                </ActionIcon>
              </Tooltip>
              <ActionIcon
                variant="default"
                size={30}
                disabled={turns.length === 0}
                onClick={() => conversation.clear()}
                aria-label={t('playground.newChat')}
              >
                <IconMessagePlus size={16} />
              </ActionIcon>
            </>
          )}
        </Group>
        <Collapse expanded={!isNarrow || opened}>
          <Stack gap="md">
            <Textarea
              label={t('playground.system')}
              placeholder={t('playground.systemPlaceholder')}
              autosize
              minRows={3}
              maxRows={10}
              value={settings.system}
              onChange={(event) => conversation.configure({ system: event.currentTarget.value })}
            />
            <Group grow gap={8}>
              <NumberInput
                label={t('playground.temperature')}
                placeholder={t('playground.notSent')}
                min={0}
                max={2}
                step={0.1}
                decimalScale={2}
                value={settings.temperature}
                onChange={(value) =>
                  conversation.configure({ temperature: numberOrNothing(value) })
                }
              />
              <NumberInput
                label={t('playground.maxTokens')}
                placeholder={t('playground.notSent')}
                min={1}
                allowDecimal={false}
                allowNegative={false}
                value={settings.maxTokens}
                onChange={(value) => conversation.configure({ maxTokens: numberOrNothing(value) })}
              />
            </Group>
            {!isNarrow && (
              <Button
                variant="default"
                leftSection={<IconMessagePlus size={14} />}
                disabled={turns.length === 0}
                onClick={() => conversation.clear()}
              >
                {t('playground.newChat')}
              </Button>
            )}
          </Stack>
        </Collapse>
      </Stack>
    </aside>
  )
}

function numberOrNothing(value: number | string): number | '' {
  return value === '' || Number.isNaN(Number(value)) ? '' : Number(value)
}
