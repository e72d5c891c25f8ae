import { Button, Group, Slider, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { shortcutOf } from '../../../../components/shortcuts/shortcuts.ts'
import type { CaptureEvents } from '../capture/capture-record.ts'
import { Pane, Panes } from '../layout/panes.tsx'
import { EventDetail } from './event-detail.tsx'
import { EventList } from './event-list.tsx'
import styles from './stream.module.css'
import { type Speed, usePlayback } from './use-playback.ts'

const sides = ['upstream', 'client'] as const
type Side = (typeof sides)[number]

const speeds: readonly Speed[] = [1, 8]

interface StreamPlayerProps {
  events: CaptureEvents
  /** Which events became which is known. */
  isMatched: boolean
}

/** Both event lists side by side, over time. */
export function StreamPlayer({ events, isMatched }: StreamPlayerProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [start, end] = useMemo(() => {
    const times = [...events.upstream, ...events.client].map(({ at }) => at)
    return [
      times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY),
      times.reduce((most, at) => Math.max(most, at), 0),
    ]
  }, [events])
  const playback = usePlayback(start, end)
  const [chosen, setChosen] = useState<{ side: Side; index: number } | null>(null)
  const lists = { upstream: useRef<HTMLDivElement>(null), client: useRef<HTMLDivElement>(null) }

  const linked = useMemo(() => {
    const found = { upstream: new Set<number>(), client: new Set<number>() }
    for (const [upstream, client] of events.links) {
      if (chosen?.side === 'upstream' && chosen.index === upstream) found.client.add(client)
      if (chosen?.side === 'client' && chosen.index === client) found.upstream.add(upstream)
    }
    return found
  }, [events.links, chosen])

  const choose = (side: Side, index: number) => setChosen({ side, index })

  /** Goes to the other list, to the event that this one became or came from. */
  const cross = (to: Side) => {
    if (!chosen || chosen.side === to || events[to].length === 0) return
    const [first] = linked[to]
    const at = events[chosen.side][chosen.index]?.at ?? 0
    const near = events[to].findIndex((event) => event.at >= at)
    choose(to, first ?? (near < 0 ? events[to].length - 1 : near))
    lists[to].current?.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (
      shortcutOf('stream', event) !== 'play' ||
      (event.target as Element).closest('button, input, textarea')
    )
      return
    event.preventDefault()
    event.stopPropagation()
    playback.toggle(1)
  }

  /** The last event that has come at this time; null where the list is at rest. */
  const arrived = (side: Side): number | null => {
    if (playback.speed === null && playback.time >= end) return null
    const later = events[side].findIndex(({ at }) => at > playback.time)
    return (later < 0 ? events[side].length : later) - 1
  }

  const shown = chosen && events[chosen.side][chosen.index]
  const others = chosen ? [...linked[chosen.side === 'client' ? 'upstream' : 'client']] : []
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: space plays wherever the focus is in it
    <div className={styles.player} onKeyDown={onKeyDown}>
      <Group gap={8} wrap="nowrap" className={styles.controls}>
        {speeds.map((speed) => (
          <Button
            key={speed}
            variant="default"
            size="compact-sm"
            aria-pressed={playback.speed === speed}
            aria-label={t('inspector.play', { speed })}
            leftSection={
              playback.speed === speed ? (
                <IconPlayerPause size={13} />
              ) : (
                <IconPlayerPlay size={13} />
              )
            }
            onClick={() => playback.toggle(speed)}
          >
            {`${speed}×`}
          </Button>
        ))}
        <Slider
          className={styles.slider}
          thumbLabel={t('inspector.time')}
          min={start}
          max={Math.max(end, start + 1)}
          step={Math.max(0.1, (end - start) / 500)}
          value={playback.time}
          onChange={playback.seek}
          label={(value) => format.duration(value)}
          thumbProps={{ 'aria-valuetext': format.duration(playback.time) }}
        />
        <Text span className={styles.clock}>
          {format.duration(playback.time)}
        </Text>
      </Group>
      <Panes>
        {sides.map((side) => (
          <Pane
            key={side}
            title={t(`inspector.${side}`)}
            line={t('inspector.events', { count: events[side].length })}
          >
            <div ref={lists[side]}>
              <EventList
                events={events[side]}
                label={t(side === 'client' ? 'inspector.clientEvents' : 'inspector.upstreamEvents')}
                chosen={chosen?.side === side ? chosen.index : null}
                linked={linked[side]}
                time={playback.time}
                arrived={arrived(side)}
                onChoose={(index) => choose(side, index)}
                onCross={() => cross(side === 'client' ? 'upstream' : 'client')}
              />
            </div>
          </Pane>
        ))}
      </Panes>
      {shown && chosen ? (
        <EventDetail
          key={`${chosen.side} ${chosen.index}`}
          event={shown}
          number={chosen.index + 1}
          side={chosen.side}
          others={isMatched ? others.map((index) => index + 1) : null}
        />
      ) : (
        <Text c="dimmed">{t('inspector.streamKeys')}</Text>
      )}
    </div>
  )
}
