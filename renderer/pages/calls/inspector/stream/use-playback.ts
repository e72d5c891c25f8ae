import { useEffect, useState } from 'react'

export type Speed = 1 | 8

export interface Playback {
  /** Milliseconds from the call's arrival. */
  time: number
  /** Null while it stands still. */
  speed: Speed | null
  /** Plays on from here, or anew from the end; stops where it plays at this speed already. */
  toggle(speed: Speed): void
  /** Goes to a time and stops there. */
  seek(time: number): void
}

/** Moves a time between two, as the stream did. */
export function usePlayback(start: number, end: number): Playback {
  const [time, setTime] = useState(end)
  const [speed, setSpeed] = useState<Speed | null>(null)

  useEffect(() => {
    if (speed === null) return
    let last = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const passed = Math.max(0, now - last) * speed
      last = now
      setTime((before) => Math.min(end, before + passed))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [speed, end])

  useEffect(() => {
    if (time >= end) setSpeed(null)
  }, [time, end])

  return {
    time,
    speed,
    toggle(next) {
      if (speed === next) return setSpeed(null)
      if (time >= end) setTime(start)
      setSpeed(next)
    },
    seek(to) {
      setSpeed(null)
      setTime(Math.min(end, Math.max(start, to)))
    },
  }
}
