import { writeSync } from 'node:fs'
import pino from 'pino'
import { LogSink } from './log-sink.ts'

export type Log = pino.Logger

const sinks = new WeakMap<Log, LogSink>()

/** Where the lines of a log go; null for one that was not made here. */
export const sinkOf = (log: Log): LogSink | null => sinks.get(log) ?? null

/** A line that it does not take is lost: a full disk behind it, or a reader who is gone, must end nothing. */
const stderr = {
  write(line: string): void {
    try {
      writeSync(2, line)
    } catch {
      // There is nowhere to tell it; the data folder's file has the line too.
    }
  },
}

/**
 * The process's log: JSON lines on stderr, so that stdout stays free for the one line that says where
 * the gateway listens. `SWITCHYARD_LOG` takes pino's levels; the default is `warn`. What is kept besides, in
 * the data folder's file and in memory, begins at `info` however silent stderr is.
 */
export function createLog(level = process.env.SWITCHYARD_LOG ?? 'warn'): Log {
  const { values } = pino.levels
  const stderrLevel = level === 'silent' ? Infinity : (values[level] ?? values.warn ?? 40)
  const sink = new LogSink(stderr, stderrLevel)
  const kept = Math.min(stderrLevel, values.info ?? 30)
  const logger = pino({ name: 'switchyard', level: pino.levels.labels[kept] ?? 'info' }, sink)
  sinks.set(logger, sink)
  return logger
}
