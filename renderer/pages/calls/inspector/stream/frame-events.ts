import type { CapturedEvent, CaptureEvents, CaptureRecord } from '../capture/capture-record.ts'

type Frame = NonNullable<CaptureRecord['frames']>[number]

/** A frame as an event of its side: `→` to the gateway, `←` from it. */
const toEvent = ({ at, border, size, text }: Frame): CapturedEvent => ({
  at,
  event: `${border.endsWith('-in') ? '→' : '←'} ${size} B`,
  data: text ?? '',
  text: '',
})

/** The frames of a WebSocket session as two lists of events. */
export function frameEvents(frames: readonly Frame[]): CaptureEvents {
  const of = (side: string) =>
    frames.filter(({ border }) => border.startsWith(side)).map((frame) => toEvent(frame))
  return { upstream: of('upstream'), client: of('client'), links: [] }
}
