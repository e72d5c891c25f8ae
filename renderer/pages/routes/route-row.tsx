import { Button, Group, Menu, Switch, Table } from '@mantine/core'
import { IconCopyPlus, IconPower } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { RowMenu } from '../../components/actions/row-menu.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { CutName } from '../../components/table/cut-name.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { RouteRecord } from '../../gateway/records.ts'
import { inputOfRoute } from './form/route-draft.ts'
import { freeName } from './free-name.ts'
import { routeQueries } from './route-queries.ts'
import { RouteWarnings } from './route-warnings.tsx'
import styles from './routes.module.css'
import type { RouteChoices } from './use-route-choices.ts'
import { useTargetText } from './use-target-text.ts'

const enabled = 1
const disabled = 2

interface RouteRowProps {
  route: RouteRecord
  choices: RouteChoices
  /** Names of all routes. */
  taken: readonly string[]
  onOpen: () => void
}

export function RouteRow({ route, choices, taken, onOpen }: RouteRowProps) {
  const { t } = useTranslation()
  const text = useTargetText(choices)
  const update = useAction('route.update', routeQueries)
  const copy = useAction('route.create', routeQueries)
  const { id, name, targets, rules } = route
  const isOn = route.status === enabled
  const line = text.inOrder(targets)
  const setOn = (isWanted: boolean) =>
    void update.run({ ...inputOfRoute(route), id, status: isWanted ? enabled : disabled })
  const duplicate = () => void copy.run({ ...inputOfRoute(route), name: freeName(name, taken) })
  const failure = update.failure ?? copy.failure

  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Switch
            checked={isOn}
            disabled={update.busy}
            onChange={(event) => setOn(event.currentTarget.checked)}
            aria-label={t('routes.toggle', { name })}
          />
        </Table.Td>
        <Table.Td className="rest">
          <div className={styles.name}>
            <CopyText value={name} label={t('routes.name')} />
          </div>
          <CutName name={line}>
            <span className={styles.targets}>{line}</span>
          </CutName>
          <RouteWarnings route={route} choices={choices} />
        </Table.Td>
        <Table.Td className="numeric wider-only">{rules.length}</Table.Td>
        <Table.Td>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button
              variant="default"
              size="compact-xs"
              onClick={onOpen}
              aria-label={t('routes.editTitle', { name })}
            >
              {t('common.edit')}
            </Button>
            <RowMenu
              row={route}
              deletes="route.delete"
              reads={routeQueries}
              title={t('routes.deleteTitle')}
              text={t('routes.deleteText', { name, id })}
              busy={copy.busy || update.busy}
              onEdit={onOpen}
            >
              <Menu.Item leftSection={<IconCopyPlus size={14} />} onClick={duplicate}>
                {t('routes.duplicate')}
              </Menu.Item>
              <Menu.Item leftSection={<IconPower size={14} />} onClick={() => setOn(!isOn)}>
                {t(isOn ? 'routes.disable' : 'routes.enable')}
              </Menu.Item>
              <Menu.Divider />
            </RowMenu>
          </Group>
        </Table.Td>
      </Table.Tr>
      {failure && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <FailureNote failure={failure} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}
