import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import type { Settings } from '../store/settings.ts'
import { defineOperation } from './operation.ts'

const optionList = defineOperation({
  name: 'option.list',
  access: 'root',
  http: { method: 'GET', path: '/api/option' },
  input: z.object({}),
  run: (_input, { parts }) =>
    Object.entries(parts.settings.current).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
})

/** Values come as text, as they are read; texts stay texts, all else is JSON of the setting's type. */
function readValue(key: string, value: unknown, current: unknown): unknown {
  if (typeof current === 'string') return typeof value === 'string' ? value : String(value)
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new GatewayError('invalid_params', {
      message: `The setting ${key} must look like ${JSON.stringify(current)}.`,
      field: key,
    })
  }
}

const optionUpdate = defineOperation({
  name: 'option.update',
  access: 'root',
  http: { method: 'PUT', path: '/api/option' },
  input: z.strictObject({
    key: z.string().min(1, 'is missing').max(100),
    value: z.union([z.string(), z.number(), z.boolean()], 'must be text, a number or a boolean'),
  }),
  run({ key, value }, { parts }) {
    const current: Record<string, unknown> = { ...parts.settings.current }
    if (!Object.hasOwn(current, key)) {
      throw new GatewayError('invalid_params', {
        message: `There is no setting "${key}".`,
        field: 'key',
      })
    }
    const fields: Partial<Settings> = { [key]: readValue(key, value, current[key]) }
    parts.settings.update(fields)
    parts.events.emit('server')
  },
})

export const optionOperations = [optionList, optionUpdate] as const
