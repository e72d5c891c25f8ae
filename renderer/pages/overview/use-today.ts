import { useEffect, useState } from 'react'

/** Milliseconds between looks at the calendar: the page may stay open over midnight. */
const interval = 60_000

function read(): { today: number; yesterday: number } {
  const date = new Date()
  date.setHours(0, 0, 0, 0)
  const today = date.getTime() / 1000
  // By the calendar: a day on which clocks change has 23 or 25 hours.
  date.setDate(date.getDate() - 1)
  return { today, yesterday: date.getTime() / 1000 }
}

/** When today and yesterday began, in unix seconds. */
export function useToday(): { today: number; yesterday: number } {
  const [days, setDays] = useState(read)
  useEffect(() => {
    const timer = setInterval(
      () => setDays((known) => (read().today === known.today ? known : read())),
      interval,
    )
    return () => clearInterval(timer)
  }, [])
  return days
}
