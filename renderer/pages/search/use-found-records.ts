import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowsSplit2, IconBox, IconKey, IconListDetails, IconRoute } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import { CallFailure } from '../../gateway/call-failure.ts'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { rowId } from '../calls/list/row-id.ts'
import { matching, type SearchTarget } from './search-target.ts'

/** Records shown of each kind, and asked for: the best of them aren't always the newest. */
const most = 8
const asks = 100

/** Milliseconds without a key after which the gateway is asked. */
const pause = 200

/** A request id, or six digits of one: UTC time, then hexadecimal digits. */
const requestId = /^(?=.*\d)[0-9a-f]{6,26}$/i

/** Channels, routes, tokens, models and requests: the gateway searches, since there may be many. */
export function useFoundRecords(text: string) {
  const { t } = useTranslation()
  const format = useFormat()
  const isAdministrator = useIsAdministrator()
  const wanted = text.trim()
  const [settled] = useDebouncedValue(wanted, pause)
  const isAsked = wanted !== '' && settled !== ''
  const page = { keyword: settled, p: 1, page_size: asks }
  // A question that typing has overtaken is given up: nothing shows it any more.
  const channels = useOperation('channel.search', page, {
    ...{ enabled: isAsked && isAdministrator, keepPrevious: true },
  })
  const routes = useOperation('route.list', {}, { enabled: isAsked && isAdministrator })
  const tokens = useOperation('token.list', page, { enabled: isAsked, keepPrevious: true })
  const models = useOperation('user.models', {}, { enabled: isAsked })
  const requests = useOperation(
    'call.timeline',
    { q: `id:${settled}`, limit: most },
    { enabled: isAsked && requestId.test(settled) },
  )

  const isSettled = settled === wanted
  // Narrows answers to what was typed before, too.
  const best = (found: SearchTarget[]) => matching(found, wanted).slice(0, most)
  const asked = [
    { query: channels, failed: 'search.failedChannels' },
    { query: routes, failed: 'search.failedRoutes' },
    { query: tokens, failed: 'search.failedTokens' },
    { query: models, failed: 'search.failedModels' },
    { query: requests, failed: 'search.failedRequests' },
  ] as const

  const targets: SearchTarget[] = !isAsked
    ? []
    : [
        ...(isSettled ? (requests.data?.rows ?? []) : []).map((row) => ({
          key: `request ${rowId(row)}`,
          group: t('search.requests'),
          name: row.request_id ?? rowId(row),
          detail: [row.model_name, format.time(row.created_at)].filter(Boolean).join(' · '),
          path: `/calls?open=${encodeURIComponent(rowId(row))}`,
          icon: IconListDetails,
        })),
        ...best(
          (channels.data?.items ?? []).map(({ id, name, base_url }) => ({
            key: `channel ${id}`,
            group: t('shell.channels'),
            name,
            detail: `#${id}`,
            words: `${id} ${base_url}`,
            path: `/channels?open=${id}`,
            icon: IconRoute,
          })),
        ),
        ...best(
          (routes.data ?? []).map(({ id, name }) => ({
            key: `route ${id}`,
            group: t('shell.routes'),
            name,
            detail: `#${id}`,
            path: `/routes?open=${id}`,
            icon: IconArrowsSplit2,
          })),
        ),
        ...best(
          (tokens.data?.items ?? []).map(({ id, name }) => ({
            key: `token ${id}`,
            group: t('shell.tokens'),
            name,
            detail: `#${id}`,
            path: `/connect/tokens?open=${id}`,
            icon: IconKey,
          })),
        ),
        ...best(
          (models.data ?? []).map((model) => ({
            key: `model ${model}`,
            group: t('search.models'),
            name: model,
            detail: t('search.inPlayground'),
            path: `/playground?model=${encodeURIComponent(model)}`,
            icon: IconBox,
          })),
        ),
      ]

  return {
    targets,
    isSearching: wanted !== '' && (!isSettled || asked.some(({ query }) => query.isFetching)),
    failures: asked.flatMap(({ query, failed }) =>
      isAsked && query.isError
        ? [
            {
              failure: new CallFailure({
                ...{ code: query.error.code, status: query.error.status },
                message: t(failed, { problem: query.error.message }),
              }),
              retry: () => void query.refetch(),
            },
          ]
        : [],
    ),
  }
}
