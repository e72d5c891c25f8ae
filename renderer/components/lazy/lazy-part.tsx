import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '../../gateway/call-failure.ts'
import { hasAllTexts, loadAllTexts } from '../../i18n/load-texts.ts'
import { QueryView } from '../feedback/query-view.tsx'
import { DrawnPart } from './drawn-part.tsx'
import type { LazyCode } from './lazy-code.ts'
import styles from './lazy-part.module.css'
import { loadCode } from './load-code.ts'

interface LazyPartProps<Props extends object> {
  code: LazyCode<Props>
  props: Props
  /** Pixels to keep free meanwhile, where others follow below. */
  height?: number
  /** A dialog: it takes no place in the page. */
  isOver?: boolean
}

/** A page, or a part of one, as soon as its code is there. */
export function LazyPart<Props extends object>({
  code,
  props,
  height,
  isOver,
}: LazyPartProps<Props>) {
  const { t, i18n } = useTranslation()
  const load = async () => {
    const [content] = await Promise.all([
      code.load(),
      code.isFirst ? undefined : loadAllTexts(i18n),
    ])
    return content
  }
  const query = useQuery<ComponentType<Props>, CallFailure>({
    queryKey: code.key,
    queryFn: () =>
      loadCode(load).catch(() => {
        throw new CallFailure({ code: 'unreachable', message: t('common.notLoaded'), status: 0 })
      }),
    initialData: () => (code.isFirst || hasAllTexts(i18n) ? code.loaded() : undefined),
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const Content = query.data
  const place = isOver ? styles.over : styles.waiting
  if (Content) {
    return (
      <DrawnPart className={place}>
        <Content {...props} />
      </DrawnPart>
    )
  }
  return (
    <div className={place} style={{ minHeight: height }}>
      <QueryView query={query} verb={t('common.loading')}>
        {() => null}
      </QueryView>
    </div>
  )
}
