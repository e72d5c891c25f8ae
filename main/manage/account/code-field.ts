import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'

/** A code as it was typed: of the app, or a backup code. */
export const codeText = z.string().min(1, fieldProblems.field_missing).max(100)
