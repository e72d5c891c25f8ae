import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconRoute, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { AddEchoButton } from './add-echo-button.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { ChannelTable } from './channel-table.tsx'

const pageSize = 50

/** All channels, and the drawer that adds or edits one (`?new=1`, `?open=<id>`). */
export function ChannelsPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [keyword] = useDebouncedValue(text.trim(), 200)
  const query = useOperation(
    'channel.search',
    { keyword, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  const openId = Number(params.get('open')) || null
  const open = (id: number | 'new') => setParams(id === 'new' ? { new: '1' } : { open: String(id) })
  const close = () => setParams({}, { replace: true })

  return (
    <Page
      title={t('channels.title')}
      hint={t('channels.hint')}
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
          {t('channels.add')}
        </Button>
      }
    >
      <TextInput
        maw={300}
        leftSection={<IconSearch size={14} />}
        placeholder={t('channels.search')}
        aria-label={t('channels.searchLabel')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPage(1)
        }}
      />
      <QueryView query={query} verb={t('channels.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <ChannelTable channels={data.items} onOpen={open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
              </>
            ) : keyword ? (
              <Empty
                icon={<IconSearch size={20} />}
                title={t('channels.noMatch', { text: keyword })}
                hint={t('channels.noMatchHint')}
              />
            ) : (
              <Empty
                icon={<IconRoute size={20} />}
                title={t('channels.empty')}
                hint={t('channels.emptyHint')}
              >
                <Button onClick={() => open('new')}>{t('channels.add')}</Button>
                <AddEchoButton variant="default" />
              </Empty>
            )}
          </Panel>
        )}
      </QueryView>
      <ChannelDrawer
        opened={openId !== null || params.has('new')}
        channelId={openId}
        onClose={close}
      />
    </Page>
  )
}
